import Glibc

/// A watch that reports when a configuration file was saved. Its folder is watched, because editors write
/// another file and rename it; if the folder does not exist, the nearest existing one above it.
final class ConfigurationWatch {
  let file: ConfigurationFile
  /// A descriptor that is readable after a change near the file: call `change` then. -1 if the system watches
  /// no more files.
  let fileDescriptor: Int32
  private var watch: Int32 = -1
  private var text: String?

  /// - Parameter text: The text last read from the file.
  init(_ file: ConfigurationFile, text: String?) {
    self.file = file
    self.text = text
    fileDescriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    follow()
  }

  deinit {
    if fileDescriptor >= 0 { close(fileDescriptor) }
  }

  /// Watches the nearest existing folder.
  private func follow() {
    guard fileDescriptor >= 0 else { return }
    let mask = UInt32(
      IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF)
    var folder = file.path[...]
    repeat {
      folder = folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]
      let path = folder.isEmpty ? "/" : String(folder)
      let new = inotify_add_watch(fileDescriptor, path, mask | UInt32(IN_ONLYDIR))
      guard new >= 0 else { continue }
      if watch >= 0, new != watch { inotify_rm_watch(fileDescriptor, watch) }
      watch = new
      return
    } while !folder.isEmpty
  }

  /// The present text of the file, if it has changed.
  func change() throws(RuntimeError) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while read(fileDescriptor, &buffer, buffer.count) > 0 {}
    follow()
    let new = try file.text()
    guard new != text else { return nil }
    text = new
    return new
  }
}
