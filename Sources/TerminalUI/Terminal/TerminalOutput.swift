import CTerminal
import Glibc

/// The bytes for the terminal: those of ncurses and the program's own, in one sequence and one `write` a
/// frame.
///
/// ncurses writes to a descriptor, and several times for a frame. It gets one that leads to a file in memory,
/// which is read when ncurses has finished.
final class TerminalOutput {
  /// The stream for `newterm`.
  let stream: UnsafeMutablePointer<FILE>
  /// The descriptor of the stream: the terminal until `redirect`, then the file in memory.
  private let descriptor: Int32
  private var isRedirected = false
  private var pending: [UInt8] = []
  /// The number of bytes that were appended since the last `flush`, with those of ncurses.
  var count: Int { pending.count }

  /// - Returns: Nil if the system has no descriptor left.
  init?() {
    descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { return nil }
    guard let stream = fdopen(descriptor, "w") else {
      Glibc.close(descriptor)
      return nil
    }
    self.stream = stream
  }

  deinit { fclose(stream) }

  /// Has ncurses write to memory from now on. `newterm` and the calls that set the modes of the terminal need
  /// the terminal itself.
  ///
  /// - Returns: False if there is no such file; everything then goes to the terminal at once.
  func redirect() -> Bool {
    isRedirected = cterminal_redirect_to_memory(descriptor)
    return isRedirected
  }

  /// Appends bytes, after those that ncurses has written so far.
  func append(_ bytes: some Sequence<UInt8>) {
    pending += bytes
    if !isRedirected { flush() }
  }

  func append(_ text: String) { append(text.utf8) }

  /// Appends the bytes that ncurses has written. Every call of ncurses that writes is followed by this one.
  func collect() {
    guard isRedirected else { return }
    let length = Int(lseek(descriptor, 0, SEEK_CUR))
    guard length > 0 else { return }
    let start = pending.count
    pending.append(contentsOf: repeatElement(0, count: length))
    let count = pending.withUnsafeMutableBytes {
      pread(descriptor, $0.baseAddress.map { $0 + start }, length, 0)
    }
    pending.removeLast(length - max(0, count))
    lseek(descriptor, 0, SEEK_SET)
  }

  /// Drops the bytes that ncurses has written.
  func dropCollected() { if isRedirected { lseek(descriptor, 0, SEEK_SET) } }

  /// Writes all bytes to the terminal; gives up if the terminal was closed.
  func flush() {
    var done = 0
    pending.withUnsafeBytes { bytes in
      while done < bytes.count {
        let count = write(STDOUT_FILENO, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        if count > 0 {
          done += count
        } else if errno != EINTR {
          return
        }
      }
    }
    pending.removeAll(keepingCapacity: true)
  }
}
