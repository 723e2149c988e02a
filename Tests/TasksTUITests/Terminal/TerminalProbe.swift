import Foundation
import Testing

@testable import TasksTUI
@testable import TerminalUI

/// A small program on `Terminal`, which the tests start in a tmux window: this test binary once more, with
/// TASKS_TERMINAL_PROBE set.
///
/// It shows its size and the last events, and obeys a few keys: some end it in different ways, `R` presents
/// many canvases drawn at random.
@Suite struct TerminalProbe {
  static let isRequested = getenv("TASKS_TERMINAL_PROBE") != nil

  /// A shell script that starts the probe and notes the settings of the terminal before and after.
  static func script() throws -> String {
    let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return """
      ulimit -c 0
      trap : INT QUIT TERM HUP
      stty -a > before
      TASKS_TERMINAL_PROBE=1 '\(executable)' --testing-library swift-testing --filter TerminalProbe 2>probe.err
      echo "status=$?"
      stty -a > after
      echo finished
      """
  }

  /// Runs the probe in a child, which has one thread, as a program has when it blocks its signals; this
  /// process only hands on how it ends.
  @Test(.enabled(if: isRequested))
  func run() throws {
    typealias Fork = @convention(c) () -> pid_t
    let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
    let passedOn = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    for number in passedOn { signal(number, SIG_IGN) }
    let child = fork()
    if child == 0 {
      for number in passedOn { signal(number, SIG_DFL) }
      var none = sigset_t()
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, nil)
      try Self.runAlone()
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    let number = status & 0x7F
    guard number != 0 else { exit(status >> 8) }
    // Not as it died: a process that died of SIGINT would take the script with it.
    exit(128 + number)
  }

  static func runAlone() throws -> Never {
    let terminal: Terminal
    do {
      let patience = getenv("TASKS_TERMINAL_PATIENCE").flatMap { Int(String(cString: $0)) } ?? 200
      terminal = try Terminal(signals: SignalSource(), answerPatience: .milliseconds(patience))
    } catch {
      print("probe: \(error)")
      exit(1)
    }
    try "\(getpid())".write(toFile: "pid", atomically: true, encoding: .utf8)
    var log: [String] = []
    while true {
      try log.joined(separator: "\n").write(toFile: "log", atomically: true, encoding: .utf8)
      terminal.present(Self.picture(terminal, log))
      Self.wait(terminal)
      for event in terminal.readEvents() {
        switch event {
        case .suspend:
          terminal.suspend()
          log.append("suspended")
        case .key(let key):
          log.append("key \(key)")
          try Self.obey(key, terminal, &log)
        case .mouse(let event): log.append("mouse \(event.action) \(event.column),\(event.line)")
        case .reply(let reply): log.append("reply \(reply)")
        case .paste(let text): log.append("paste \(text.debugDescription)")
        case .resize(let width, let height): log.append("resize \(width)x\(height)")
        case .resumed: log.append("resumed")
        case .statusReport: log.append("an answer that was not kept back")
        case .interrupted(let signal):
          terminal.close()
          exit(128 + signal)
        case .endOfInput: exit(9)
        }
      }
    }
  }

  static func obey(_ key: Key, _ terminal: Terminal, _ log: inout [String]) throws {
    switch key.description {
    case "q":
      terminal.close()
      exit(0)
    case "E": exit(3)
    case "S": UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
    case "A": abort()
    case "T": fatalError("on purpose")
    case "O": log.append("\(overflow(log.count))")
    case "R": try present(terminal, changing: changeAtRandom)
    case "M": try present(terminal, changing: moveRowsAtRandom)
    default: break
    }
  }

  /// Uses up the stack.
  @inline(never)
  static func overflow(_ depth: Int) -> Int {
    depth < .max ? overflow(depth + 1) + depth % 7 : 0
  }

  static func wait(_ terminal: Terminal) {
    var descriptors = [terminal.inputDescriptor, terminal.signalDescriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    var timeout: Int32 = -1
    if let deadline = terminal.escapeDeadline {
      let remaining = (deadline - .now).components
      timeout = max(0, Int32(remaining.seconds * 1000 + remaining.attoseconds / 1_000_000_000_000_000) + 1)
    }
    poll(&descriptors, 2, timeout)
  }

  static let samples = "会|🚀|e\u{301}|❤\u{FE0F}|🇫🇷|कि|\u{1B}[31m|\u{202E}|end"

  static func picture(_ terminal: Terminal, _ log: [String]) -> Canvas {
    var canvas = Canvas(width: terminal.width, height: terminal.height)
    let orange = Style(foreground: RGB(255, 255, 255), background: RGB(230, 120, 40))
    canvas.put(
      "size \(terminal.width)x\(terminal.height) colors \(terminal.colorDepth) strike "
        + "\(terminal.strikethrough)",
      column: 0, line: 0, style: orange)
    canvas.put(samples, column: 0, line: 1, style: orange)
    canvas.put("struck", column: 0, line: 2, style: Style(attributes: [.strikethrough, .dim]))
    let shown = log.suffix(max(0, terminal.height - 4))
    for (line, text) in shown.enumerated() { canvas.put(text, column: 0, line: 3 + line) }
    if terminal.height > 3 { canvas.put("events \(log.count).", column: 0, line: terminal.height - 1) }
    canvas.cursor = (min(3, terminal.width - 1), 0)
    return canvas
  }

  /// Draws pieces of text anywhere.
  static func changeAtRandom(_ canvas: inout Canvas, _ random: inout SeededGenerator) {
    let pieces = ["a", "bc", " ", "   ", "会", "🚀", "e\u{301}", "❤", "🇫🇷", "कि", "🫠", "|", "\u{7}"]
    let colors = [nil, RGB(255, 0, 0), RGB(10, 200, 30), RGB(230, 120, 40), RGB(20, 20, 20)]
    let attributes: [Style.Attributes] = [
      [], .bold, .dim, .underline, .reverse, .strikethrough, [.bold, .reverse],
    ]
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in
        pieces.randomElement(using: &random)!
      }
      .joined()
      let style = Style(
        foreground: colors.randomElement(using: &random)!,
        background: colors.randomElement(using: &random)!,
        attributes: attributes.randomElement(using: &random)!)
      canvas.put(
        text, column: Int.random(in: -3..<canvas.width, using: &random),
        line: Int.random(in: 0..<canvas.height, using: &random), style: style)
    }
  }

  /// Inserts and deletes lines, of which many differ in a placed cluster only, so that ncurses scrolls.
  static func moveRowsAtRandom(_ canvas: inout Canvas, _ random: inout SeededGenerator) {
    var lines = (0..<canvas.height).map { canvas.text(line: $0) }
    let line = Int.random(in: 0..<lines.count, using: &random)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      if Bool.random(using: &random) { lines.append(lines.remove(at: line)) }
      let end = Int.random(in: line..<lines.count, using: &random)
      lines.remove(at: end)
      let text = Bool.random(using: &random) ? "a" : "row \(Int.random(in: 0..<1000, using: &random))"
      lines.insert(["🚀", "🫠", "❤", "🇫🇷"].randomElement(using: &random)! + text, at: line)
    }
    canvas.fill()
    canvas.cursor = nil
    // Colours of places, as those of a list, which the rows of the upper half do not take along.
    for (line, text) in lines.enumerated() {
      let color = line < lines.count / 2 ? RGB(UInt8(10 * line), 100, 60) : nil
      canvas.put(text, column: 0, line: line, style: Style(background: color))
    }
  }

  /// Presents canvases that differ a little from one another, and says in files what the last must look like;
  /// then, on another key, has it painted from scratch.
  static func present(
    _ terminal: Terminal, changing change: (inout Canvas, inout SeededGenerator) -> Void
  ) throws {
    var random = SeededGenerator()
    var canvas = Canvas(width: terminal.width, height: terminal.height)
    for _ in 0..<400 {
      change(&canvas, &random)
      canvas.cursor =
        Bool.random(using: &random) ? (Int.random(in: 0..<canvas.width, using: &random), 0) : nil
      terminal.present(canvas)
    }
    canvas.cursor = (1, 1)
    // The window's title says that what came before it in the output has been shown.
    try canvas.text.write(toFile: "expected", atomically: true, encoding: .utf8)
    try random.comment.write(toFile: "seed", atomically: true, encoding: .utf8)
    terminal.present(canvas)
    FileHandle.standardOutput.write(Data("\u{1B}]2;last\u{7}".utf8))
    while !terminal.readEvents().contains(.key(Key(.character("c")))) { wait(terminal) }
    terminal.invalidate()
    terminal.present(canvas)
    FileHandle.standardOutput.write(Data("\u{1B}]2;repaint\u{7}".utf8))
    while !terminal.readEvents().contains(.key(Key(.character("d")))) { wait(terminal) }
  }
}
