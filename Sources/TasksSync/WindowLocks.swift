import CLinux
import Glibc
import LiveStore

/// The windows of `tasks` on a file, as the locks tell that they hold on places of the file `FILE-windows`.
struct WindowLocks {
  let database: String

  private var path: String { DatabaseFiles(databasePath: database).path + "-windows" }

  /// Has the windows look whether the file has been joined: each watches the times of its file.
  func wake() {
    utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW)
  }

  var areThereAny: Bool {
    guard let descriptor = try? CompanionFile.open(path, forWriting: false) else { return false }
    defer { close(descriptor) }
    return clinux_are_bytes_locked(descriptor, 0, 0) == 1
  }
}
