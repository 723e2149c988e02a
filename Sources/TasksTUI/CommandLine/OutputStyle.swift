import Glibc

/// The way lists of tasks are printed: aligned to a width and colored on a terminal, in plain lines
/// elsewhere, which scripts read.
struct OutputStyle {
  /// The columns of a line; nil prints plain lines.
  var width: Int?
  var isColored: Bool

  static let plain = OutputStyle(width: nil, isColored: false)

  /// - Parameter isLong: Whether everything is printed where there is no terminal, too.
  static func standardOutput(isLong: Bool, environment: [String: String]) -> OutputStyle {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    guard isTerminal || isLong else { return plain }
    var size = winsize()
    let isKnown = isTerminal && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    let width = environment["COLUMNS"].flatMap(Int.init) ?? (isKnown ? Int(size.ws_col) : 80)
    let isColored =
      isTerminal && environment["NO_COLOR"] ?? "" == "" && environment["TERM"] ?? "dumb" != "dumb"
    return OutputStyle(width: min(max(width, TaskTable.leastWidth), 1_000), isColored: isColored)
  }
}
