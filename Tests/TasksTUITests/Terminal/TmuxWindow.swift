import Foundation
import Programs
import TestSupport
import Testing

/// A shell in a tmux window of its own server, to try programs in a real terminal.
///
/// Waiting is for what the window puts out (`pipe-pane` into a FIFO), never for time.
final class TmuxWindow {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// A folder for this window alone, removed with it.
  let folder: String
  private let socket: String
  private let output: Int32

  init(width: Int = 80, height: Int = 24, environment: [String: String] = [:]) throws {
    var template = Array("\(NSTemporaryDirectory())/tasks-tmux-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(description: "no temporary folder") }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    socket = "\(folder)/socket"
    let fifo = "\(folder)/output"
    mkfifo(fifo, 0o600)
    output = open(fifo, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    // `swift test` sets NO_COLOR when its own output is no terminal.
    var variables = [
      "LC_ALL": "C.UTF-8", "PS1": "$ ", "SWIFT_BACKTRACE": "enable=no", "COLORTERM": "", "NO_COLOR": "",
    ]
    variables.merge(environment) { $1 }
    let assignments = variables.map { "'\($0.key)=\($0.value)'" }.joined(separator: " ")
    try tmux(
      "-f", "/dev/null", "new-session", "-d", "-x", "\(width)", "-y", "\(height)",
      "cd '\(folder)' && exec env \(assignments) bash --norc --noprofile -i")
    try tmux("pipe-pane", "exec cat > '\(fifo)'")
    try wait(for: "the prompt") { $0.hasPrefix("$") }
  }

  deinit {
    _ = try? tmux("kill-server")
    close(output)
    try? FileManager.default.removeItem(atPath: folder)
  }

  @discardableResult
  func tmux(_ arguments: String...) throws -> String {
    // The threads of the tests block signals. A tmux server that inherited that could not be ended by
    // kill-server, which sends itself SIGTERM, and would stay.
    let (status, text) = try Program(
      ["tmux", "-S", socket] + arguments, streams: [0: .nothing], hasDefaultSignals: true
    ).run()
    guard status == 0 else {
      throw Failure(description: "tmux \(arguments.joined(separator: " ")): \(text)")
    }
    return text
  }

  /// Strikes keys, by tmux's names.
  func strike(_ keys: String...) throws {
    for key in keys { try tmux("send-keys", key) }
  }

  /// Types a command line and Enter.
  func enter(_ line: String) throws {
    try tmux("send-keys", "-l", line)
    try tmux("send-keys", "Enter")
  }

  func paste(_ text: String) throws {
    try tmux("set-buffer", text)
    try tmux("paste-buffer", "-p", "-r")
  }

  func resize(width: Int, height: Int) throws {
    try tmux("resize-window", "-x", "\(width)", "-y", "\(height)")
  }

  /// The window's screen, as text.
  func screen() throws -> String { try tmux("capture-pane", "-p") }

  /// The window's screen, with the escape sequences for its colours and attributes.
  func styledScreen() throws -> String { try tmux("capture-pane", "-p", "-e", "-N") }

  /// The window's screen, each scalar with its colours and attributes; without the blanks at the ends of
  /// lines, of which tmux tells some and not others.
  func cells() throws -> [[String]] {
    // A style goes on in the next line.
    var style: [String: String] = [:]
    return try styledScreen().split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var cells: [String] = []
      // By scalars, since a mark would join the end of a sequence.
      var rest = line.unicodeScalars[...]
      while let scalar = rest.popFirst() {
        if scalar == "\u{1B}", rest.first == "[", let end = rest.firstIndex(of: "m") {
          let parameters = rest[rest.index(after: rest.startIndex)..<end]
          Self.apply(parameters.split(separator: ";").map { String($0) }, to: &style)
          rest = rest[rest.index(after: end)...]
        } else {
          // Of a blank that nothing runs through, only the background is seen.
          let isBlank = scalar == " " && style["4"] == nil && style["7"] == nil && style["9"] == nil
          let seen = isBlank ? style.filter { $0.key == "background" } : style
          let names = seen.keys.sorted().map { "\($0)=\(seen[$0] ?? "")" }
          cells.append("\(scalar) \(names.joined(separator: ","))")
        }
      }
      while cells.last?.first == " " { cells.removeLast() }
      return cells
    }
  }

  private static func apply(_ parameters: [String], to style: inout [String: String]) {
    var rest = parameters.compactMap { Int($0) }[...]
    while let code = rest.popFirst() {
      switch code {
      case 0: style = [:]
      case 38, 48:
        let count = rest.first == 5 ? 2 : 4
        style[code == 38 ? "foreground" : "background"] = rest.prefix(count).map(String.init).joined(
          separator: ";")
        rest = rest.dropFirst(count)
      case 30...37: style["foreground"] = "\(code - 30)"
      case 40...47: style["background"] = "\(code - 40)"
      case 39: style["foreground"] = nil
      case 49: style["background"] = nil
      default: style["\(code)"] = ""
      }
    }
  }

  func format(_ format: String) throws -> String {
    try tmux("display-message", "-p", format).trimmingCharacters(in: .newlines)
  }

  func file(_ name: String) -> String {
    (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
  }

  func write(_ text: String, to name: String) throws {
    try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
  }

  /// Waits until the screen is as `condition` says, and returns it.
  @discardableResult
  func wait(
    for what: String, atMost patience: Duration = Patience.duration, until condition: (String) throws -> Bool
  ) throws -> String {
    let deadline = ContinuousClock.now + patience
    while true {
      var buffer = [UInt8](repeating: 0, count: 65536)
      while read(output, &buffer, buffer.count) > 0 {}
      let screen = try screen()
      if try condition(screen) { return screen }
      let remaining = deadline - .now
      guard remaining > .zero else { throw Failure(description: "waited for \(what) in vain:\n\(screen)") }
      waitForInput(output, milliseconds: Int32(remaining.components.seconds * 1000 + 1000))
    }
  }

  /// Waits until a process is in a state of those that proc(5) names, such as `T` for stopped.
  func waitForState(_ state: Character, of pid: pid_t) throws {
    let deadline = ContinuousClock.now + Patience.duration
    while ContinuousClock.now < deadline {
      let status = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
      if status.split(separator: ")").last?.first(where: { $0 != " " }) == state { return }
      sched_yield()
    }
    throw Failure(description: "process \(pid) never was in state \(state)")
  }

  @discardableResult
  func wait(forText text: String) throws -> String {
    try wait(for: text) { $0.contains(text) }
  }
}
