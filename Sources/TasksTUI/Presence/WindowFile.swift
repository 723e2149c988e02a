import CLinux
import Glibc
import LiveStore

/// The file in which the windows on a database publish their states, `<database>-windows`: `WindowState.size`
/// bytes for each, at most `places` of them.
///
/// A window exists as long as it holds two locks on its place, by two descriptors, which the kernel closes
/// with the process, however that ends. Two, because the kernel reports the closing of a descriptor before it
/// releases its lock: a window that looks at once may still find the lock, and would get no further event. If
/// two are closed one after the other, the lock of the first has been released when the closing of the second
/// is reported.
///
/// Nothing depends on the content of the file: it may be deleted or overwritten at any time.
final class WindowFile {
  /// The number of windows with a place; later ones see the others and are not seen.
  static let places = 64

  /// The reason why windows cannot share a file.
  struct Unavailable: Error {
    /// The sentence for the person; nil if the folder may well be like that.
    let sentence: String?

    /// - Parameter code: The error number of the system; 0 if the name is that of something else.
    init(_ code: Int32) {
      sentence =
        [0, EACCES, EPERM, EROFS, ENOENT, ELOOP].contains(code)
        ? nil
        : "Other windows are not seen here, nor is this one there: \(String(cString: strerror(code)))."
    }
  }

  let path: String
  private let descriptors: [Int32]
  /// The place of this window; nil if all places are taken.
  let place: Int?

  /// Opens the file, which is created if it is missing, and takes a place.
  ///
  /// - Parameter database: The path of the database, which exists and is never opened here: closing it would
  ///   drop SQLite's locks.
  init(database: String) throws(Unavailable) {
    guard let resolved = realpath(database, nil) else { throw Unavailable(errno) }
    defer { free(resolved) }
    path = String(cString: resolved) + "-windows"
    do throws(CompanionFile.Unavailable) {
      descriptors = try CompanionFile.openTwice(path, creatingFor: String(cString: resolved))
    } catch {
      throw Unavailable(error.code ?? 0)
    }
    place = Self.takePlace(descriptors[0], descriptors[1])
  }

  deinit {
    // The end is published like everything else, while the place is still held.
    write([UInt8](repeating: 0, count: WindowState.size))
    for descriptor in descriptors { close(descriptor) }
  }

  private static func takePlace(_ first: Int32, _ second: Int32) -> Int? {
    let empty = [UInt8](repeating: 0, count: WindowState.size)
    for place in 0..<places {
      let offset = Int64(place * WindowState.size)
      guard clinux_lock_byte(first, offset) == 0 else { continue }
      // The content of a window that has ended must not be taken for this one's.
      _ = pwrite(first, empty, empty.count, off_t(offset))
      // A window that is ending may have lost one lock and not the other.
      if clinux_lock_byte(second, offset + 1) == 0 { return place }
      clinux_unlock_byte(first, offset)
    }
    return nil
  }

  /// Publishes bytes to the other windows; does nothing without a place.
  func write(_ bytes: [UInt8]) {
    guard let place else { return }
    _ = pwrite(descriptors[0], bytes, bytes.count, off_t(place * WindowState.size))
  }

  /// Complexity: O(places).
  func others() -> [OtherWindow] {
    var bytes = [UInt8](repeating: 0, count: Self.places * WindowState.size)
    let count = pread(descriptors[0], &bytes, bytes.count, 0)
    return (0..<max(0, count) / WindowState.size).compactMap { place in
      let start = place * WindowState.size
      // Places that were never written to cost no system call.
      guard place != self.place, bytes[start] != 0, isHeld(place),
        let state = WindowState(bytes: bytes[start..<start + WindowState.size])
      else { return nil }
      return OtherWindow(place: place, state: state)
    }
  }

  private func isHeld(_ place: Int) -> Bool {
    let offset = Int64(place * WindowState.size)
    return clinux_is_byte_locked(descriptors[0], offset) == 1
      && clinux_is_byte_locked(descriptors[0], offset + 1) == 1
  }

  /// Whether this is still the file that other windows find by its name.
  var isInPlace: Bool { CompanionFile.isInPlace(descriptors[0], path) }
}
