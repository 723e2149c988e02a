import Glibc
import TasksModel

/// A line on the terminal that says how far a long command is.
struct ProgressLine {
  /// The number of characters on the line.
  private var width = 0
  private var shown = 0
  private let isVisible = isatty(STDERR_FILENO) == 1

  /// Shows the number of tasks so far, every ten thousand.
  ///
  /// - Parameter part: How much of all that is, from 0 to 1, if that is known.
  mutating func show(_ action: String, _ count: Int, part: Double? = nil) {
    guard isVisible, count >= shown + 10_000 else { return }
    shown = count - count % 10_000
    let percent = part.map { " (\(Int(min(1, $0) * 100)) %)" } ?? ""
    let line = "\(action): \(count.grouped)\(percent)"
    write("\r" + line + String(repeating: " ", count: max(0, width - line.utf8.count)))
    width = line.utf8.count
  }

  /// Leaves the line empty for the output of the command.
  mutating func erase() {
    guard width > 0 else { return }
    write("\r" + String(repeating: " ", count: width) + "\r")
    width = 0
  }

  private func write(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
