import CLinux
import Glibc

/// The words of the agent that carries the file to other machines, as it writes them into a small file beside
/// it, `FILE-sync`. They are only information: nothing depends on them.
final class SyncSign {
  /// A descriptor that is readable when the words may have changed: call `look` then.
  let fileDescriptor: Int32
  /// The state of the agent in a few words for the bottom line.
  private(set) var words: String?
  /// The sentence that says why the server refuses this machine; empty if it does not.
  private(set) var refusal = ""
  /// The number of changes made here that lost against others'.
  private(set) var lost = 0
  private let path: String

  /// - Parameter database: The path of a file that has been joined to a space.
  /// - Returns: Nil if no file can be written beside it.
  init?(database: String) {
    path = database + "-sync"
    // Before the agent starts, so that there is a file to watch.
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return nil }
    close(file)
    fileDescriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard fileDescriptor >= 0 else { return nil }
    // An agent that ends, however that is, closes the file.
    inotify_add_watch(fileDescriptor, path, UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_DONT_FOLLOW))
    _ = read()
  }

  deinit { close(fileDescriptor) }

  /// Reads the words anew; returns whether they have changed.
  func look() -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) {
      buffer in
      while Glibc.read(fileDescriptor, buffer.baseAddress, buffer.count) > 0 {}
    }
    return read()
  }

  private func read() -> Bool {
    let values = values()
    let waiting = values["waiting"].flatMap { Int($0) } ?? 0
    let toSend = waiting == 0 ? "" : ", \(waiting) to send"
    let new: String? =
      switch values["phase"] {
      case "in-step": waiting == 0 ? "in step" : "\(waiting) to send"
      case "offline": "offline\(toSend)"
      case "refused": "not in step\(toSend)"
      case "connecting": "connecting\(toSend)"
      default: nil
      }
    let newRefusal = values["phase"] == "refused" ? values["reason"] ?? "" : ""
    let newLost = values["lost"].flatMap { Int($0) } ?? 0
    defer {
      words = new
      refusal = newRefusal
      lost = newLost
    }
    return new != words || newRefusal != refusal || newLost != lost
  }

  /// The names and values in the file; none if no agent holds it.
  private func values() -> [String: String] {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return [:] }
    defer { close(file) }
    guard clinux_is_byte_locked(file, 1 << 30) == 1 else { return [:] }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    guard count > 0 else { return [:] }
    var values: [String: String] = [:]
    for line in String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      values[parts[0]] = parts.count > 1 ? parts[1] : ""
    }
    return values
  }
}
