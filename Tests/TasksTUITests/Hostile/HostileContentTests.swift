import FoundationEssentials
import Glibc
import LiveStore
import TasksModel
import Testing
import VisibleText

@testable import TasksTUI

/// Text from the file is data: none of it reaches a terminal as something that the terminal acts on, or that
/// nobody sees.
@Suite("Hostile content")
final class HostileContentTests {
  /// The texts that have been tried; each ends with the same word, by which it is found again.
  private static let texts = [
    "\u{1B}[2J\u{1B}[31mHOSTILE", "\u{1B}]0;HOSTILE\u{7}", "\u{1B}]52;c;SE9TVElMRQ==\u{1B}\\HOSTILE",
    "\u{1B}cHOSTILE",
    "\u{1B}P$q\"p\u{1B}\\HOSTILE", "\u{9B}31mHOSTILE", "\u{9D}0;HOSTILE\u{9C}", "\u{90}1\u{9C}HOSTILE",
    "\u{7}\u{8}\u{8}\u{8}HOSTILE", "over\rHOSTILE", "two\nHOSTILE", "\t\u{B}\u{C}\u{7F}HOSTILE",
    "\u{85}\u{2028}\u{2029}HOSTILE",
    "\u{202E}\u{202D}\u{2066}\u{2067}\u{200E}\u{200F}\u{61C}HOSTILE", "a\u{200B}b\u{2060}c\u{FEFF}HOSTILE",
    "\u{E0001}\u{E0048}\u{E0049}HOSTILE", "\u{1F3F4}\u{E0048}\u{E0049}\u{E007F}HOSTILE",
    "x\u{FE0F}\u{FE01}\u{FE02}\u{E0100}HOSTILE",
    "a\u{200D}\u{200D}\u{200C}HOSTILE", "\u{34F}\u{115F}\u{3164}\u{FFA0}HOSTILE",
    "\u{FFF9}a\u{FFFA}b\u{FFFB}HOSTILE",
    "\u{1D173}\u{13430}\u{206A}\u{E0FFF}HOSTILE", "\u{301}\u{FE0F}\u{200D}HOSTILE",
    "\u{E}\u{F}\u{5}HOSTILE",
    String(repeating: "\u{301}", count: 5_000) + "HOSTILE",
    String(repeating: "\u{200B}", count: 5_000) + "HOSTILE",
  ]

  private let folder = TemporaryFolder()
  private let file: String
  private let tasks = ChildProcess.tasks
  private let database: ForeignDatabase

  init() throws {
    file = folder("tasks.db")
    try TasksStore(path: file, scheduler: .fileDescriptor(NotificationSource())).close()
    database = try ForeignDatabase(file)
    for text in Self.texts {
      for column in ["text", "notes", "repetition", "priority", "tags", "readText", "dateOrigin"] {
        let id = "\(column) \(text)"
        try database.run("INSERT INTO TaskItem (id, date) VALUES (?, '2020-01-01 12:00:00')", id)
        try database.run("UPDATE TaskItem SET \(column) = ? WHERE id = ?", text, id)
        try database.run("INSERT INTO TaskList_items (owner, target) SELECT id, ? FROM TaskList LIMIT 1", id)
      }
      try database.run("INSERT INTO TaskItem (id, text) VALUES (?, ?)", "subtask \(text)", text)
      try database.run(
        "INSERT INTO TaskItem_subtasks (owner, target) VALUES (?, ?)", "text \(text)", "subtask \(text)")
      try database.run("INSERT INTO TaskList (id, text) VALUES (?, ?)", "list \(text)", text)
      try database.run("INSERT INTO TaskListList_items (owner, target) VALUES (0, ?)", "list \(text)")
    }
  }

  private func run(_ arguments: String..., input: String = "") throws -> ChildProcess.Outcome {
    try run(arguments, input: input)
  }

  private func run(_ arguments: [String], input: String = "") throws -> ChildProcess.Outcome {
    try ChildProcess.run(
      [tasks, "--file", file] + arguments, input: input, environment: ["HOME": folder.path, "TZ": "UTC"])
  }

  private func expectHarmless(_ outcome: ChildProcess.Outcome, _ comment: Comment) {
    #expect(outcome.status == 0 || outcome.status == 1, comment)
    for line in (outcome.output + outcome.errors).split(separator: "\n") {
      let line = String(line)
      #expect(
        line.withControlsMadeVisible.utf8.elementsEqual(line.utf8), "\(comment): \(line.debugDescription)")
    }
    #expect((outcome.output + outcome.errors).contains("HOSTILE"), comment)
  }

  @Test("The command line prints nothing of it raw")
  func commands() throws {
    for command in [["list"], ["lists"], ["list", "--today"]] {
      expectHarmless(try run(command), "\(command)")
      let printed = try run(command + ["--json"])
      expectHarmless(printed, "\(command) --json")
      struct Row: Decodable { var text: String }
      struct Printed: Decodable {
        var tasks: [Row]?
        var lists: [Row]?
      }
      let all = try JSONDecoder().decode(Printed.self, from: Data(printed.output.utf8))
      let rows = try #require(all.tasks ?? all.lists)
      for text in Self.texts {
        #expect(
          rows.contains { $0.text.utf8.elementsEqual(text.utf8) }, "\(command): \(text.debugDescription)")
      }
    }
    for text in Self.texts {
      expectHarmless(try run("done", text), "done, of several")
      expectHarmless(try run("list", "--list", text + "?"), "no such list")
      expectHarmless(try run("add", "--due", text, "x"), "no such date")
      expectHarmless(try run("add", "--repeat", text, "x"), "no such repetition")
      expectHarmless(try run("add", "--priority", text, "x"), "no such priority")
      expectHarmless(try run("done", "text \(text)"), "done, by its id")
      expectHarmless(try run("add", "--under", "text \(text)", "x"), "completed already")
    }
    let watcher = try ChildProcess([tasks, "--file", file, "watch"], environment: ["HOME": folder.path])
    let first = try #require(try watcher.readLine())
    expectHarmless(.init(status: 0, output: first, errors: ""), "watch")
    watcher.send(SIGTERM)
    _ = try watcher.finish()
  }

  @Test("Neither do lines of words, scripts, and what they say of themselves")
  func lines() throws {
    var words: [String] = ["windows", "help"]
    for text in Self.texts where !text.contains(where: \.isNewline) {
      words += [
        ":edit \(text)", "u", ":move-to-list \(text)", ":set \(text)", ":tag #\(text)", ":theme \(text)",
        text,
      ]
    }
    words +=
      (0..<60).flatMap { _ in ["x", "j", "d"] } + ["u", "u", "back", "j", "j", "l", "note", "Esc", "quit"]
    expectHarmless(try run("--plain", input: words.joined(separator: "\n") + "\n"), "--plain")
    let script = folder("a.script")
    for text in Self.texts where !text.contains(where: \.isNewline) {
      try Data("size 100x60\nkeys j j u\n:edit \(text)\nsave -\n\(text)\n".utf8).write(
        to: URL(filePath: script))
      let played = try run("--script", script)
      #expect(played.status == 1)
      expectHarmless(played, "--script")
    }
    try Data("size 100x60\npicture -\n".utf8).write(to: URL(filePath: script))
    let picture = try run("--script", script)
    #expect(Self.sequences(in: Array(picture.output.utf8)).allSatisfy { $0.hasSuffix("m") || $0 == "[K" })
  }

  @Test("Neither does the app on a terminal")
  func app() throws {
    let window = try PseudoWindow(
      tasks, ["--file", file, "--no-animation"], in: folder.path,
      columns: 120, lines: 60)
    try window.wait(forText: "HOSTILE")
    var seen = window.output
    for keys in [
      ["G"], ["g"], ["PgDn"], ["PgDn"], ["PgDn"], ["c"], ["Esc"], ["l"], ["Esc"], ["h"], ["G"], ["j", "l"],
      [">"], ["Esc"],
      ["/", "H", "O", "S"], ["Esc"], ["t"], ["Esc"],
    ] {
      for key in keys { try window.strike(key) }
      try window.waitForRest()
      seen += window.output
    }
    for sequence in Self.sequences(in: seen) {
      #expect(!sequence.contains("HOSTILE") && !sequence.contains("SE9T") && sequence != "c", "\(sequence)")
      #expect(!sequence.hasPrefix("]") || sequence == "]11;?", "\(sequence)")
      #expect(!sequence.hasPrefix("P"), "\(sequence)")
    }
    let text = String(decoding: seen, as: UTF8.self)
    for scalar in text.unicodeScalars where !scalar.isVisible {
      #expect(
        [0x1B, 0x0D, 0x0A, 0x08, 0x07, 0x0F, 0x09].contains(scalar.value),
        "U+\(String(scalar.value, radix: 16))")
    }
    try window.strike("q")
    _ = try window.waitForEnd()
  }

  /// The escape sequences in what is written to a terminal, each without its ESC.
  private static func sequences(in bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).unicodeScalars.split(
      separator: "\u{1B}", omittingEmptySubsequences: false
    )
    .dropFirst().map { part in
      var sequence = ""
      for (place, scalar) in part.enumerated() {
        sequence.unicodeScalars.append(scalar)
        if place == 0, "[]P(".unicodeScalars.contains(scalar) { continue }
        if sequence.hasPrefix("]") { if scalar.value == 7 { break } else { continue } }
        if scalar.value >= 0x40 { break }
      }
      return sequence
    }
  }
}
