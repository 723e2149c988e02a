import CNcurses
import Glibc

extension Terminal {
  static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// The person's locale if it is UTF-8, otherwise C.UTF-8: the output is UTF-8 in any case.
  static func selectUTF8() {
    setlocale(LC_CTYPE, "")
    let codeset = nl_langinfo(nl_item(CODESET)).map { String(cString: $0) }
    if codeset != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
  }

  /// Calls `newterm` with the private variant of the description, or with the description itself if that
  /// fails.
  static func open(
    _ description: TerminalDescription, _ output: TerminalOutput
  ) -> (screen: OpaquePointer?, isDirect: Bool, hasStrikethrough: Bool) {
    let wantsDirect =
      ["truecolor", "24bit"].contains(environment("COLORTERM")) && (description.number("colors") ?? 0) >= 8
      && (environment("NO_COLOR")?.isEmpty ?? true)
    let hasStrikethrough = description.string("smxx") != nil
    let variant = description.variant(directColor: wantsDirect, strikethrough: hasStrikethrough)
    let previous = environment("TERMINFO")
    setenv("TERMINFO", variant, 1)
    let screen = cncurses_newterm(description.type, output.stream)
    if let previous { setenv("TERMINFO", previous, 1) } else { unsetenv("TERMINFO") }
    if let screen { return (screen, wantsDirect, hasStrikethrough) }
    return (cncurses_newterm(description.type, output.stream), false, false)
  }

  /// The sequence that restores the screen from any state, which the crash handler writes without knowing it:
  /// the program may have been interrupted within a sequence, which CAN and ST end.
  static func restoreSequence(_ description: TerminalDescription) -> [CChar] {
    var bytes = Array("\u{18}\u{1B}\\\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1002l".utf8)
    bytes += description.scrollRegionReset
    for name in ["smam", "sgr0", "op", "cnorm", "rmkx", "rmcup"] { bytes += description.string(name) ?? [] }
    return bytes.map { CChar(bitPattern: $0) }
  }
}

/// The replies of the terminal that are expected.
struct PendingReplies {
  private var due = 0
  private var asked: ContinuousClock.Instant?

  /// The time after which a silent terminal is taken not to reply.
  private static let patience = Duration.seconds(5)

  mutating func noteQuestion() {
    due += 1
    asked = .now
  }

  mutating func noteAnswer() { due = max(0, due - 1) }

  /// Whether the last question may still be answered.
  var areDue: Bool { due > 0 && (asked.map { .now < $0 + Self.patience } ?? false) }
}

extension termios {
  /// The byte that the terminal's erase key sends, according to the system.
  var eraseCharacter: UInt8 {
    withUnsafeBytes(of: c_cc) { $0[Int(VERASE)] }
  }

  /// Sets a control character; 0 disables it.
  mutating func setControlCharacter(_ index: Int32, to value: UInt8) {
    withUnsafeMutableBytes(of: &c_cc) { $0[Int(index)] = value }
  }
}
