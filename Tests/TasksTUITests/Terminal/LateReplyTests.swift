import Foundation
import TestSupport
import Testing

@testable import TasksTUI

/// A terminal far away, whose answers come when the program is leaving already.
@Suite("Answers that come late", .enabled(if: !TerminalProbe.isRequested), .serialized)
struct LateReplyTests {
  private let folder = TemporaryFolder()

  /// The last of what is asked.
  private let question = "\u{1B}[c"
  /// The last one is to the question how it is, which follows the first frame.
  private let answers = "\u{1B}[?2026;2$y\u{1B}]11;rgb:1111/2222/3333\u{1B}\\\u{1B}[?62;22c\u{1B}[0n"
  private let left = "\u{1B}[?1049l"

  /// The probe, and a shell that tells afterwards what it is typed.
  private func start(patience: Int) throws -> AnsweringTerminal {
    let script = """
      cd '\(folder.path)'
      \(try TerminalProbe.script())
      IFS= read -r line
      printf 'typed<%s>' "$line"
      """
    return try AnsweringTerminal(
      ["/bin/sh", "-c", script],
      environment: [
        "PATH": "/usr/local/bin:/usr/bin:/bin", "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
        "SWIFT_BACKTRACE": "enable=no", "TASKS_TERMINAL_PATIENCE": "\(patience)",
      ])
  }

  @Test("They are waited for, and do not land in the shell")
  func late() throws {
    let terminal = try start(patience: Int(Patience.milliseconds))
    try terminal.wait(for: question)
    terminal.send("q")
    try terminal.waitUntilRead()
    // In two parts, as a line of packets brings them.
    terminal.send(String(answers.prefix(20)))
    try terminal.waitUntilRead()
    terminal.send(String(answers.dropFirst(20)))
    try terminal.wait(for: left)
    try terminal.wait(for: "finished")
    terminal.send("ls\r")
    try terminal.wait(for: "typed<ls>")
  }

  @Test("A terminal that does not answer is not waited for long, and what is typed after that is kept")
  func silent() throws {
    let terminal = try start(patience: 200)
    try terminal.wait(for: question)
    terminal.send("q")
    try terminal.wait(for: left)
    try terminal.wait(for: "finished")
    terminal.send("ls\r")
    try terminal.wait(for: "typed<ls>")
  }

  @Test("Half an answer goes with the program")
  func half() throws {
    let terminal = try start(patience: 200)
    try terminal.wait(for: question)
    terminal.send("q\u{1B}]11;rgb:1111/22")
    try terminal.wait(for: left)
    try terminal.wait(for: "finished")
    terminal.send("ls\r")
    try terminal.wait(for: "typed<ls>")
  }

  @Test("After a suspension it is asked again, and its answers are waited for again")
  func suspended() throws {
    let terminal = try start(patience: Int(Patience.milliseconds))
    try terminal.wait(for: question)
    terminal.send(answers)
    try terminal.wait(for: "background")
    // There is no shell to let it go on, so that it does so at once.
    terminal.send("\u{1A}")
    try terminal.wait(for: left)
    try terminal.wait(for: question)
    terminal.send("q")
    try terminal.waitUntilRead()
    terminal.send(answers)
    try terminal.wait(for: "finished")
    terminal.send("ls\r")
    try terminal.wait(for: "typed<ls>")
  }
}
