import CLinux
import Glibc
import LiveStore

/// The reader of the small file `FILE-sync`, in which the agent that carries a file to other machines writes
/// how it stands. It is only information: nothing depends on it.
final class SyncSign {
  /// A descriptor that is readable when the report may have changed: call `look` then.
  let fileDescriptor: Int32
  /// The report as last read.
  private(set) var report = AgentReport()
  private let path: String

  /// - Parameters:
  ///   - database: The path of a file that has been joined to a space.
  ///   - createsFile: Whether a missing file is created, so that there is one to watch before the agent
  ///     starts.
  /// - Returns: Nil if there is no such file, or it cannot be written.
  init?(database: String, createsFile: Bool = true) {
    path = DatabaseFiles(databasePath: database).path + "-sync"
    let flags = O_CLOEXEC | O_NOFOLLOW | (createsFile ? O_RDWR | O_CREAT : O_RDONLY)
    let file = open(path, flags, 0o600)
    guard file >= 0 else { return nil }
    close(file)
    fileDescriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard fileDescriptor >= 0 else { return nil }
    // An agent that ends, however that is, closes the file.
    inotify_add_watch(fileDescriptor, path, UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_DONT_FOLLOW))
    report = read()
  }

  deinit { close(fileDescriptor) }

  /// Reads the report anew; returns whether it has changed.
  func look() -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) {
      buffer in
      while Glibc.read(fileDescriptor, buffer.baseAddress, buffer.count) > 0 {}
    }
    let new = read()
    defer { report = new }
    return new != report
  }

  /// The places of the file that an agent has locked, each by a descriptor of its own. The kernel reports
  /// the closing of a descriptor before it releases its lock: when that of the second is reported, the lock
  /// of the first is released.
  private static let lockedBytes: [Int64] = [1 << 30, (1 << 30) + 1]

  private func read() -> AgentReport {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return AgentReport() }
    defer { close(file) }
    guard Self.lockedBytes.allSatisfy({ clinux_is_byte_locked(file, $0) == 1 }) else { return AgentReport() }
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    let count = buffer.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    return AgentReport(text: String(decoding: buffer[..<max(0, count)], as: UTF8.self))
  }
}
