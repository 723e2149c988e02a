import CLinux
import Glibc

/// The small file beside a joined one, `FILE-sync`, by which at most one agent carries it, and in which that
/// says how it stands.
///
/// The lock is the kernel's: it ends with the process, however that ends. The text is only for people, and
/// the file may be deleted at any time.
final class AgentFile {
  private let descriptor: Int32

  /// Takes the place of the file's agent.
  ///
  /// - Returns: `nil` if another process has it, or the folder cannot be written.
  init?(database: String) {
    let descriptor = open(Self.path(of: database), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    guard clinux_lock_byte(descriptor, Self.lockedByte) == 0 else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// Replaces the text.
  func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      _ = pwrite(descriptor, bytes.baseAddress, bytes.count, 0)
      _ = ftruncate(descriptor, off_t(bytes.count))
    }
  }

  /// Far behind the text, which may be read while the lock is held.
  private static let lockedByte: Int64 = 1 << 30

  private static func path(of database: String) -> String { database + "-sync" }

  /// Reads what the agent of a file has written, if there is one.
  static func read(database: String) -> String? {
    let descriptor = open(path(of: database), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard clinux_is_byte_locked(descriptor, lockedByte) == 1 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return count >= 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}
