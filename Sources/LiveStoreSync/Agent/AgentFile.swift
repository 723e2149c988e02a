import CLinux
import LibC
import LiveStore

/// The small file beside a joined one, `FILE-sync`, by which at most one agent carries it, and in which that
/// says how it stands.
///
/// The lock is the kernel's: it ends with the process, however that ends. The text is only for people, and
/// the file may be deleted at any time.
final class AgentFile {
  /// The descriptors, each with a lock of its own, which are closed in this order. The kernel reports the
  /// closing of a descriptor before it releases its lock: a reader that looks when the closing of the second
  /// is reported finds the lock of the first released.
  private let descriptors: [Int32]
  /// The bytes of the last text, at first of one that an earlier agent may have left.
  private var length = Int.max

  /// Takes the place of the file's agent.
  ///
  /// - Returns: `nil` if another process has it, or the folder cannot be written.
  init?(database: String) {
    let path = Self.path(of: database)
    descriptors = (0..<2).map { _ in open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    // An agent that is ending may have lost one lock and not the other, for a moment.
    var attempts = 100
    while !(clinux_lock_byte(descriptors[0], Self.lockedBytes[0]) == 0
      && clinux_lock_byte(descriptors[1], Self.lockedBytes[1]) == 0)
    {
      clinux_unlock_byte(descriptors[0], Self.lockedBytes[0])
      attempts -= 1
      let isHeld = Self.lockedBytes.allSatisfy { clinux_is_byte_locked(descriptors[0], $0) == 1 }
      guard attempts > 0, !isHeld, descriptors.allSatisfy({ $0 >= 0 }) else { return nil }
      usleep(1000)
    }
  }

  deinit {
    for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
  }

  /// Replaces the text. A reader may find the rest of a longer one behind it.
  ///
  /// - Returns: Whether the disk took it.
  func write(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      guard pwrite(descriptors[0], bytes.baseAddress, bytes.count, 0) == bytes.count else { return false }
      // It takes longer than all else here.
      if bytes.count < length { _ = ftruncate(descriptors[0], off_t(bytes.count)) }
      length = bytes.count
      return true
    }
  }

  /// Far behind the text, which may be read while the locks are held.
  private static let lockedBytes: [Int64] = [1 << 30, (1 << 30) + 1]

  /// The path of the file beside the database itself, by whichever link that is reached.
  static func path(of database: String) -> String { DatabaseFiles(databasePath: database).path + "-sync" }

  /// Reads what the agent of a file has written, if there is one.
  static func read(database: String) -> String? {
    let descriptor = open(path(of: database), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard lockedBytes.allSatisfy({ clinux_is_byte_locked(descriptor, $0) == 1 }) else { return nil }
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    let count = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return count >= 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}
