import CLinux
import Glibc

/// The file in which the windows on a database tell of themselves, `<database>-windows`: a place of
/// `WindowState.size` bytes for each, and no more than `places`.
///
/// A window is there as long as it holds two locks on its place, by two descriptors, which the kernel closes
/// with the process, however that ends. Two, because the kernel tells of a descriptor that was closed before
/// it takes its lock back: whoever looks at once may still find it locked, and would not be told again. Of
/// two that are closed one after the other, the lock of the first is gone when the second is told of.
///
/// Nothing depends on what stands in the file: it may be deleted or overwritten at any time.
final class WindowFile {
  /// Windows that have a place; those that come later see the others and are not seen.
  static let places = 64

  let path: String
  private let descriptors: [Int32]
  /// Where this window tells of itself; nil when all places are taken.
  let place: Int?

  /// Opens the file, which is made where it is missing, and takes a place.
  ///
  /// - Parameter database: the path of the database, which exists and which is never opened here: closing it
  ///   would drop SQLite's locks.
  /// - Returns: nil where there is no such file to be had.
  init?(database: String) {
    guard let resolved = realpath(database, nil) else { return nil }
    defer { free(resolved) }
    path = String(cString: resolved) + "-windows"
    let first = Self.open(path, of: String(cString: resolved))
    guard first >= 0 else { return nil }
    let second = Self.open(path, of: String(cString: resolved))
    guard second >= 0 else {
      close(first)
      return nil
    }
    descriptors = [first, second]
    place = Self.takePlace(first, second)
  }

  deinit {
    // Tells of the end as it tells of everything else, while the place is still held.
    write([UInt8](repeating: 0, count: WindowState.size))
    for descriptor in descriptors { close(descriptor) }
  }

  private static func takePlace(_ first: Int32, _ second: Int32) -> Int? {
    let empty = [UInt8](repeating: 0, count: WindowState.size)
    for place in 0..<places {
      let offset = Int64(place * WindowState.size)
      guard clinux_lock_byte(first, offset) == 0 else { continue }
      // What stands there is of somebody who has gone, and must not be taken for this window's.
      _ = pwrite(first, empty, empty.count, off_t(offset))
      // Whoever is just going may have lost one lock and not the other.
      if clinux_lock_byte(second, offset + 1) == 0 { return place }
      clinux_unlock_byte(first, offset)
    }
    return nil
  }

  /// Tells the other windows; without a place, nobody.
  func write(_ bytes: [UInt8]) {
    guard let place else { return }
    _ = pwrite(descriptors[0], bytes, bytes.count, off_t(place * WindowState.size))
  }

  /// What the other windows tell, by their places.
  ///
  /// Complexity: O(places).
  func others() -> [(place: Int, state: WindowState)] {
    var bytes = [UInt8](repeating: 0, count: Self.places * WindowState.size)
    let count = pread(descriptors[0], &bytes, bytes.count, 0)
    return (0..<max(0, count) / WindowState.size).compactMap { place in
      let start = place * WindowState.size
      // Places that nobody has written to cost no system call.
      guard place != self.place, bytes[start] != 0, isHeld(place),
        let state = WindowState(bytes: bytes[start..<start + WindowState.size])
      else { return nil }
      return (place, state)
    }
  }

  private func isHeld(_ place: Int) -> Bool {
    let offset = Int64(place * WindowState.size)
    return clinux_is_byte_locked(descriptors[0], offset) == 1
      && clinux_is_byte_locked(descriptors[0], offset + 1) == 1
  }

  /// Whether this is still the file that the other windows find by its name.
  var isInPlace: Bool {
    var opened = stat()
    var named = stat()
    return fstat(descriptors[0], &opened) == 0 && lstat(path, &named) == 0
      && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }

  // MARK: Opening

  /// -1 where there is no such file to be had.
  private static func open(_ path: String, of database: String) -> Int32 {
    // Where others may write to the folder, the name may lead anywhere: not through a link, not into a FIFO,
    // and to no second name of the database.
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    var named = stat()
    if lstat(path, &named) == 0 {
      guard named.st_mode & S_IFMT == S_IFREG, named.st_nlink == 1 else { return -1 }
      return Glibc.open(path, flags)
    }
    let descriptor = Glibc.open(path, flags | O_CREAT | O_EXCL, 0o600)
    // Another window may make it at the same moment.
    guard descriptor >= 0 else { return errno == EEXIST ? Glibc.open(path, flags) : -1 }
    takeOverAccess(of: database, for: descriptor)
    return descriptor
  }

  /// Whoever may write to the database may be seen.
  private static func takeOverAccess(of database: String, for descriptor: Int32) {
    var status = stat()
    guard stat(database, &status) == 0 else { return }
    if geteuid() == 0 { _ = fchown(descriptor, status.st_uid, status.st_gid) }
    _ = fchmod(descriptor, status.st_mode & 0o666)
  }
}
