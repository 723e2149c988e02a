import Glibc
import TestSupport
import Testing

@testable import TasksTUI

@Suite("The lines of standard input")
struct InputLinesTests {
  private let folder = TemporaryFolder()

  /// The lines of a file with some bytes or, if these are few, of a pipe.
  private func inputLines(_ bytes: [UInt8], ofPipe: Bool = false) throws -> InputLines {
    if ofPipe {
      var ends: [Int32] = [0, 0]
      #expect(pipe(&ends) == 0 && write(ends[1], bytes, bytes.count) == bytes.count)
      close(ends[1])
      defer { close(ends[0]) }
      return try InputLines(InputFile("/dev/fd/\(ends[0])"))
    }
    return try InputLines(InputFile(try file(bytes)))
  }

  /// The path of a file with some bytes.
  private func file(_ bytes: [UInt8]) throws -> String {
    let file = try #require(fopen(folder("input"), "w"))
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count && fclose(file) == 0)
    return folder("input")
  }

  @Test("They are those that Swift makes of the text, but for empty ones, whatever breaks them")
  func random() throws {
    let pieces = [
      "a", "milk", "ä", "€", "👩‍👩‍👧", "\u{A0}", "\n", "\n", "\r\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}",
      "\u{2029}",
      "\u{2027}", "\u{202A}", "\u{86}",
    ]
    var random = SeededGenerator()
    print(random.comment)
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random)!
      }.joined()
      let expected = text.split(whereSeparator: \.isNewline).map(String.init)
      let lines = try inputLines(Array(text.utf8), ofPipe: .random(using: &random))
      #expect(lines.filter { !$0.isEmpty } == expected, "\(text.debugDescription)")
    }
  }

  @Test(
    "What is not UTF-8 is refused with a sentence",
    arguments: [[0xFF], [0x61, 0xC2], [0xE2, 0x80]] as [[UInt8]])
  func malformed(bytes: [UInt8]) {
    #expect { try inputLines(bytes) } throws: { "\($0)".contains("not UTF-8") }
    #expect { try inputLines(bytes, ofPipe: true) } throws: { "\($0)".contains("not UTF-8") }
  }

  @Test("Long input is examined in parts, none of which ends within a character")
  func parts() throws {
    for length in 65_525...65_545 {
      for lines in [["start"], ["start", "\u{20AC}"], []] {
        let text = (lines + [String(repeating: "a", count: length) + "\u{20AC}\u{1F469}", "\u{20AC}", "end"])
          .joined(separator: "\n")
        #expect(try Array(inputLines(Array(text.utf8))) == text.split(separator: "\n").map(String.init))
        #expect(throws: RuntimeError.self) { try inputLines(Array(text.utf8) + [0xE2, 0x82]) }
        #expect(throws: RuntimeError.self) { try inputLines(Array(text.utf8) + [0xE2, 0x82, 0x0A]) }
      }
    }
  }

  @Test("Lines that can no longer be read end early, with the reason")
  func unreadable() throws {
    let input = try InputFile(try file(Array(String(repeating: "line\n", count: 50_000).utf8)))
    let lines = try InputLines(input)
    #expect(lines.next() == "line")
    try lines.requireRead()
    // Reading a folder fails.
    let other = open(folder.path, O_RDONLY)
    defer { close(other) }
    #expect(dup2(other, input.descriptor) == input.descriptor)
    #expect(lines.contains { $0 != "line" } == false)
    #expect { try lines.requireRead() } throws: { "\($0)".contains("cannot be read") }
    #expect(lines.next() == nil)
  }

  @Test("A file is read from where another program has left it")
  func shared() throws {
    let path = try file(Array((1...3_000).map { "line \($0)\n" }.joined().utf8))
    let add = "'\(ChildProcess.tasks)' --file '\(folder("tasks.db"))' add -"
    let script = "{ read first; \(add) | wc -l; } < '\(path)'"
    let outcome = try ChildProcess.run(["/bin/sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"])
    #expect(outcome.output.contains("2999"), "\(outcome)")
  }

  @Test("A terminal shows how many tasks have been added so far, and an empty line in the end")
  func progress() throws {
    let folder = TemporaryFolder()
    let window = try PseudoWindow(
      "/bin/sh", ["-c", "seq 20001 | '\(ChildProcess.tasks)' --file tasks.db add - > /dev/null; echo end"],
      environment: ["LC_ALL": "C.UTF-8", "HOME": folder.path, "TERM": "xterm", "PATH": "/usr/bin:/bin"],
      in: folder.path)
    #expect(try window.waitForEnd() == 0)
    let output = String(decoding: window.output, as: UTF8.self)
    #expect(output.contains("\rAdding tasks: 10,000\rAdding tasks: 20,000\r"))
    let lines: [String] = window.screen.text.split(whereSeparator: \.isNewline).map { line in
      String(line.filter { $0 != " " })
    }
    #expect(lines.filter { !$0.isEmpty } == ["tasks:madethenewfile“tasks.db”.", "end"])
  }
}
