import Glibc
import TerminalEmulator
import Testing

@testable import TasksTUI

/// Actions on so many rows that they are carried out in parts, and commands that tell how far they are.
@Suite("Many rows, in a terminal")
struct TerminalManyRowsTests {
  private let folder = TemporaryFolder()
  private let tasks = ChildProcess.tasks
  private static let texts = (1...600).map { "row \($0)" }

  init() throws {
    let filled = try run("add", "-", input: Self.texts.joined(separator: "\n"))
    try #require(filled.status == 0, "\(filled.errors)")
  }

  private func run(_ words: String..., input: String = "") throws -> ChildProcess.Outcome {
    try ChildProcess.run([tasks, "--file", folder("tasks.db")] + words, input: input)
  }

  private func open(_ words: String..., file: String = "tasks.db") throws -> PseudoWindow {
    try PseudoWindow(
      tasks, ["--file", folder(file)] + words, in: folder.path)
  }

  /// The texts of the rows, as another process lists them.
  private var listed: [String] {
    get throws {
      try run("list").output.split(separator: "\n").map { String($0.dropFirst("[ ] ".count)) }
    }
  }

  @Test("Marked rows move in parts, one by J and back by K, while another process adds one")
  func moving() throws {
    let window = try open("--no-animation")
    try window.wait(forText: "row 1")
    try window.waitForRest()
    window.send("v299jJ")
    let added = try run("add", "meanwhile")
    #expect(added.status == 0, "\(added.errors)")
    try window.waitForRest()
    let moved = ["row 301"] + Self.texts[..<300] + Self.texts[301...] + ["meanwhile"]
    #expect(try listed == moved, "\(window.screen.text)")
    // They stay marked, to be moved on.
    window.send("J")
    try window.waitForRest()
    #expect(try listed.prefix(3) == ["row 301", "row 302", "row 1"], "\(window.screen.text)")
    // The second waits until the rows have moved.
    window.send("KK")
    try window.waitForRest()
    #expect(try listed == Self.texts + ["meanwhile"], "\(window.screen.text)")
    window.send("\u{1B}")
    try window.waitForRest()
    window.send("u")
    try window.wait(forText: "Undid")
    #expect(try listed.first == "row 301", "\(window.screen.text)")
    window.send("q")
    #expect(try window.waitForEnd() == 0)
  }

  @Test("A key that needs all of very many rows waits while they are read, and later keys wait for it")
  func reading() throws {
    let many = (1...25_000).map { "row \($0)" }
    let filled = try ChildProcess.run(
      [tasks, "--file", folder("many.db"), "add", "-"], input: many.joined(separator: "\n"))
    #expect(filled.status == 0, "\(filled.errors)")
    let window = try open("--no-animation", file: "many.db")
    try window.wait(forText: "row 1")
    window.send("Gd")
    try window.wait(forText: "Deleted “row 25000”")
    window.send("gVk")
    try window.wait(forText: "24,999 marked")
    window.send("q")
    #expect(try window.waitForEnd() == 0)
    let reopened = try open("--no-animation", file: "many.db")
    try reopened.wait(forText: "row 1")
    // Esc ends the wait, or what it was for.
    reopened.send("V\u{1B}")
    try reopened.wait(for: "no marks") { $0.isAtRest && !$0.screen.text.contains("marked") }
    reopened.send("q")
    #expect(try reopened.waitForEnd() == 0)
  }

  @Test("All rows are completed in parts; Esc may stop it, and undo takes back what was done")
  func completing() throws {
    let window = try open("--no-animation")
    try window.wait(forText: "row 1")
    try window.waitForRest()
    window.send("V \u{1B}")
    try window.waitForRest()
    let completed = try run("list").output.split(separator: "\n").count { $0.hasPrefix("[x]") }
    try window.wait(for: "the number") {
      completed == 0 || $0.screen.text.contains(completed == 600 ? "0 open" : "\(600 - completed) open")
    }
    if completed > 0 {
      window.send("u")
      try window.wait(forText: "600 open")
    }
    #expect(try listed == Self.texts, "\(window.screen.text)")
    window.send("q")
    #expect(try window.waitForEnd() == 0)
  }

  @Test("Of two lists of one name each shows its own rows, and a command asks for the one that is meant")
  func twoLists() throws {
    #expect(try run("list-add", "Work").status == 0)
    #expect(try run("list-add", "Other").status == 0)
    let sql = "UPDATE TaskList SET text = 'Work' WHERE text = 'Other'"
    #expect(try ChildProcess.run(["sqlite3", folder("tasks.db"), sql]).status == 0)
    let refused = try run("add", "lost", "--list", "Work")
    #expect(refused.status == 1 && refused.errors.contains("more than one list is called “Work”"))
    let window = try open("--no-animation")
    try window.wait(forText: "row 1")
    for keys in ["h", "g2jl", "afirst\r", "\u{1B}", "h", "gjl", "asecond\r", "\u{1B}"] {
      window.send(keys)
      try window.waitForRest()
    }
    #expect(!window.screen.text.contains("first"), "\(window.screen.text)")
    window.send("q")
    #expect(try window.waitForEnd() == 0)
    let lists = try run("export", "--format", "markdown").output.split(separator: "\n").suffix(4)
    #expect(Array(lists) == ["# Work", "- [ ] second", "# Work", "- [ ] first"])
  }

  @Test("An export and an import on a terminal tell how far they are, and leave one sentence")
  func exporting() throws {
    let more = (0..<20_000).map { "{\"text\":\"more \($0)\"}\n" }.joined()
    let imported = try run("import", "--format", "jsonl", "-", input: more)
    try #require(imported.status == 0, "\(imported.errors)")
    let exporting = try open("export", folder("tasks.jsonl"))
    #expect(try exporting.waitForEnd() == 0)
    let told = String(decoding: exporting.output, as: UTF8.self)
    #expect(told.contains("\rExporting tasks: 1"), "\(told)")
    let shown = exporting.screen.text.split(whereSeparator: \.isNewline).joined()
    #expect(shown.hasPrefix("Exported 20,600 tasks to") && !shown.contains("Exporting"), "\(shown)")
    let other = try open("import", folder("tasks.jsonl"), file: "other.db")
    #expect(try other.waitForEnd() == 0)
    #expect(String(decoding: other.output, as: UTF8.self).contains("Importing tasks: 10,000 ("))
    #expect(other.screen.text.contains("Imported 20,600 tasks;"), "\(other.screen.text)")
  }
}
