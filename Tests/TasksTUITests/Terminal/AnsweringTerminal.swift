import Foundation
import Programs
import TerminalEmulator
import TestSupport
import Testing

/// A terminal that a test plays itself: it decides what is answered, and when.
final class AnsweringTerminal {
  private let process: RunningProgram
  private let terminal: PseudoTerminal
  /// The program's side, to see what it has not read yet.
  private let line: Int32
  private(set) var output = ""

  /// Starts a program in a session of its own on this terminal.
  init(_ command: [String], environment: [String: String]) throws {
    terminal = try PseudoTerminal(columns: 80, lines: 24)
    line = open(terminal.devicePath, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(line >= 0)
    process = try terminal.start(command[0], Array(command.dropFirst()), environment: environment)
  }

  deinit {
    process.kill()
    close(line)
  }

  /// The bytes that a person types, or the terminal answers.
  func send(_ text: String) {
    #expect(terminal.send(text.utf8) == text.utf8.count)
  }

  /// Waits until the program has written this, and forgets all up to its end.
  func wait(for text: String) throws {
    let deadline = ContinuousClock.now + Patience.duration
    while true {
      if let range = output.range(of: text) {
        output = String(output[range.upperBound...])
        return
      }
      let ready = waitForInput(terminal.descriptor, milliseconds: 1000)
      try #require(
        ready || .now < deadline, "waited for \(text.debugDescription) in \(output.debugDescription)")
      guard ready else { continue }
      var buffer = [UInt8](repeating: 0, count: 65536)
      let count = read(terminal.descriptor, &buffer, buffer.count)
      try #require(
        count > 0, "the program ended before \(text.debugDescription), with \(output.debugDescription)")
      output += String(decoding: buffer[..<count], as: UTF8.self)
    }
  }

  /// Waits until the program has read all that was sent.
  func waitUntilRead() throws {
    let deadline = ContinuousClock.now + Patience.duration
    var count: Int32 = 1
    while ioctl(line, UInt(FIONREAD), &count) == 0, count > 0 {
      try #require(.now < deadline, "\(count) bytes stay unread")
      sched_yield()
    }
  }
}
