import CLinux
import LibC
import LiveStore

/// The small file beside a joined one, `FILE-sync`, in which the agent that carries it says how it stands.
///
/// It is only information: nothing depends on it, and it may be deleted at any time.
package final class SyncSign {
  /// A descriptor that is readable when the status may have changed: call `look` then. -1 if the system has
  /// none left.
  package let fileDescriptor: Int32
  /// The status as last read.
  package private(set) var status: SyncStatus
  private let path: String
  /// The database for which a missing file is created; nil if it is not.
  private let creator: String?

  /// - Parameters:
  ///   - database: The path of a file that has been joined to a space.
  ///   - createsFile: Whether a missing file is created, so that there is one to watch before the agent
  ///     starts.
  package init(database: String, createsFile: Bool = true) {
    path = Self.path(of: database)
    creator = createsFile ? DatabaseFiles(databasePath: database).path : nil
    fileDescriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    status = SyncStatus()
    status = watchedStatus()
  }

  deinit { close(fileDescriptor) }

  /// Reads the status anew; returns whether it has changed.
  package func look() -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) {
      buffer in
      while LibC.read(fileDescriptor, buffer.baseAddress, buffer.count) > 0 {}
    }
    let new = watchedStatus()
    defer { status = new }
    return new != status
  }

  /// Reads the status, and watches the file first, which may be new.
  private func watchedStatus() -> SyncStatus {
    Self.status { () throws(CompanionFile.Unavailable) in
      try Self.read(path, creatingFor: creator) {
        // An agent that ends, however that is, closes the file.
        inotify_add_watch(fileDescriptor, path, UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_DONT_FOLLOW))
      }
    }
  }

  /// The places of the file that an agent has locked, each by a descriptor of its own, far behind the text,
  /// which may be read meanwhile. The kernel reports the closing of a descriptor before it releases its lock:
  /// when that of the second is reported, the lock of the first is released.
  package static let lockedBytes: [Int64] = [1 << 30, (1 << 30) + 1]

  /// The path of the file beside the database itself, by whichever link that is reached.
  package static func path(of database: String) -> String {
    DatabaseFiles(databasePath: database).path + "-sync"
  }

  /// The status of a file, whether an agent carries it or not, with the reason where that cannot be seen.
  package static func status(of database: String) -> SyncStatus {
    status { () throws(CompanionFile.Unavailable) in try read(database: database) }
  }

  private static func status(
    _ read: () throws(CompanionFile.Unavailable) -> String?
  ) -> SyncStatus {
    var status = SyncStatus()
    do throws(CompanionFile.Unavailable) {
      if let text = try read() { return SyncStatus(text: text) }
    } catch {
      status.reason = error.description
    }
    return status
  }

  /// Reads what the agent of a file has written, if there is one.
  ///
  /// - Throws: `CompanionFile.Unavailable` if that cannot be known.
  package static func read(database: String) throws(CompanionFile.Unavailable) -> String? {
    try read(path(of: database)) {}
  }

  /// - Parameter prepare: Called when the file is there, before it is read.
  private static func read(
    _ path: String, creatingFor database: String? = nil, _ prepare: () -> Void
  ) throws(CompanionFile.Unavailable) -> String? {
    let descriptor: Int32
    do throws(CompanionFile.Unavailable) {
      descriptor = try CompanionFile.open(path, forWriting: false, creatingFor: database)
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
    defer { close(descriptor) }
    prepare()
    guard lockedBytes.allSatisfy({ clinux_is_byte_locked(descriptor, $0) == 1 }) else { return nil }
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    let count = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return count >= 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}
