import Glibc
import LiveStoreSync
import VisibleText

/// The lines by which a command on a terminal says how the carrying of a file stands.
///
/// A state that lasts gets a line of its own; how far an exchange is stands on the last line, which the next
/// state replaces.
final class StatusLine {
  /// The last state that lasts.
  private var lasting = ""
  private var isShown = false
  private let isVisible = isatty(STDERR_FILENO) == 1

  /// Says how the carrying of the file stands, if that is another state than before.
  func show(_ status: SyncStatus) {
    let sentence = status.sentence.withControlsMadeVisible
    switch status.phase {
    case .stopped: break
    case .connecting, .sending, .fetching, .writing:
      // A line that goes on below could not be replaced.
      write(String(sentence.prefix(columns - 1)))
      isShown = isVisible
    case .inStep, .offline, .diskFull, .refused:
      erase()
      if sentence != lasting { write("\(sentence)\n") }
      lasting = sentence
    }
  }

  /// Removes what does not last.
  func erase() {
    if isShown { write("") }
    isShown = false
  }

  private var columns: Int {
    var size = winsize()
    return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1 ? Int(size.ws_col) : 80
  }

  private func write(_ text: String) {
    guard isVisible else { return }
    let line = "\r\u{1B}[K\(text)"
    _ = Array(line.utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
