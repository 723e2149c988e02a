import FoundationEssentials
import Glibc
import TerminalEmulator
import TestSupport
import Testing

@testable import TasksTUI

/// More than anybody types, all at once: afterwards the file holds what was sent, and the screen is whole.
@Suite("tasks under floods, in a terminal", .enabled(if: !TerminalProbe.isRequested), .serialized)
struct TerminalFloodTests {
  private let folder = TemporaryFolder()
  private let tasks = ChildProcess.tasks
  private var path: String { folder("tasks.db") }

  private func window(_ rows: [String], _ options: [String] = ["--no-animation"]) throws -> PseudoWindow {
    let environment = [
      "HOME": folder.path, "XDG_STATE_HOME": folder("state"), "XDG_CONFIG_HOME": folder("config"),
    ]
    let added = try ChildProcess.run(
      [tasks, "--file", path, "add", "-"], input: rows.map { $0 + "\n" }.joined(), environment: environment)
    try #require(added.status == 0)
    let window = try PseudoWindow(
      tasks, ["--file", path] + options,
      environment: environment.merging(["TERM": "xterm-256color", "LANG": "C.UTF-8"]) { $1 },
      in: folder.path)
    try window.wait(forText: rows[0])
    try window.waitForRest()
    return window
  }

  /// The texts of the tasks in the order of their list.
  private func texts() throws -> [String] {
    let rows = try ForeignDatabase(path).run(
      """
      SELECT text FROM TaskList_items AS entry JOIN TaskItem ON TaskItem.id = entry.target ORDER BY entry.position
      """)
    return rows.map { $0[0] }
  }

  /// Sees that the screen is the one that is painted from nothing.
  private func expectWhole(_ window: PseudoWindow, _ comment: String = "") throws {
    try window.wait(for: "rest \(comment)") { $0.isAtRest }
    let shown = window.screen.text
    let erasures = window.screen.erasures
    window.send([0x0C])
    try window.wait(for: "the whole screen \(comment)") { $0.screen.erasures > erasures && $0.isAtRest }
    #expect(window.screen.text == shown, "\(comment)")
  }

  /// Words of a million bytes and more, each another one.
  private static let longText = (0..<120_000).map { "word\($0)" }.joined(separator: " ")

  private func pasted(_ text: String) -> String { "\u{1B}[200~\(text)\u{1B}[201~" }

  @Test("A paste of more than a megabyte into the list becomes a row with all of it")
  func pasteIntoList() throws {
    let window = try window(["one", "two"])
    window.send(pasted(Self.longText))
    try window.wait(for: "the text") { $0.screen.text.contains("word119999") && $0.isAtRest }
    window.send("\r")
    try window.wait(for: "the row") { _ in try texts().count == 3 }
    #expect(try texts() == ["one", "two", Self.longText])
    try expectWhole(window)
    try window.quit()
  }

  @Test("A paste of more than a megabyte goes into the row that is being edited, where its cursor is")
  func pasteIntoRow() throws {
    let window = try window(["one two", "three"])
    window.send("e")
    try window.wait(forText: "Enter save")
    window.send("\u{1B}b" + pasted(Self.longText + " "))
    try window.wait(for: "the text") { $0.screen.text.contains("word119999") && $0.isAtRest }
    window.send("\r")
    try window.wait(for: "the row") { _ in try texts()[0].count > 100 }
    #expect(try texts() == ["one \(Self.longText) two", "three"])
    try expectWhole(window)
    try window.quit()
  }

  @Test("A paste of a megabyte with line breaks is one row if that is wanted, and no key of it is struck")
  func pasteOfLines() throws {
    let window = try window(["one"])
    let lines = (0..<40_000).map { "ddd xx q \($0)" }
    window.send(pasted(lines.joined(separator: "\r")))
    try window.wait(forText: "40,000 lines")
    window.send("n")
    try window.wait(for: "the text") { $0.screen.text.contains("39999") && $0.isAtRest }
    window.send("\r")
    try window.wait(for: "the row") { _ in try texts().count == 2 }
    let pasted = try texts()[1]
    #expect(
      pasted.split(whereSeparator: \.isWhitespace) == lines.joined(separator: " ").split(separator: " "))
    try expectWhole(window)
    try window.quit()
  }

  @Test("A flood of text without brackets, typed into a row, is there letter by letter")
  func typedFlood() throws {
    let window = try window(["one"])
    let text = String(Self.longText.prefix(99_999))
    window.send("e")
    try window.wait(forText: "Enter save")
    window.send(" " + text + "\r")
    try window.wait(for: "the row") { _ in try texts()[0].utf8.count > text.utf8.count / 2 }
    #expect(try texts() == ["one " + text])
    try expectWhole(window)
    try window.quit()
  }

  @Test("A flood of keys does what each of them says")
  func keys() throws {
    let window = try window((0..<10).map { "row \($0)" })
    // Down and up to where it was, a row moved down to the end and up again, and rows added.
    let moves = String(
      repeating: String(repeating: "j", count: 9) + String(repeating: "k", count: 9), count: 500)
    let carried = String(
      repeating: String(repeating: "J", count: 9) + String(repeating: "K", count: 9), count: 8)
    let added = (0..<150).map { "anew \($0)\r" }.joined()
    window.send(moves + carried + added + "g")
    try window.wait(for: "the rows") { _ in try texts().count == 160 }
    #expect(try texts() == (0..<10).map { "row \($0)" } + (0..<150).map { "new \($0)" })
    try expectWhole(window)
    #expect(window.screen.text.contains("› row 0"))
    try window.quit()
  }

  @Test("Sizes that change while rows move and others write leave a whole screen of the last size")
  func resizes() throws {
    var random = SeededGenerator()
    let window = try window(
      (0..<40).map { "row \($0) with a text that needs two lines where it is narrow" }, [])
    let other = try ForeignDatabase(path)
    var model = try texts()
    var cursor = 0
    for step in 0..<120 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where cursor < model.count - 1:
        window.send("J")
        model.swapAt(cursor, cursor + 1)
        cursor += 1
      case 1 where cursor > 0:
        window.send("K")
        model.swapAt(cursor, cursor - 1)
        cursor -= 1
      case 2:
        window.send("g")
        cursor = 0
      default:
        window.send("G")
        cursor = model.count - 1
      }
      if step % 8 == 0 {
        try other.run("UPDATE TaskItem SET text = text || '.' WHERE text LIKE 'row 7 %'")
        model = model.map { $0.hasPrefix("row 7 ") ? $0 + "." : $0 }
      }
      window.resize(
        columns: Int.random(in: 1...200, using: &random), lines: Int.random(in: 1...70, using: &random))
      if Bool.random(using: &random) { window.read(for: 5) }
    }
    window.resize(columns: 90, lines: 100)
    try window.wait(for: "the rows \(random.comment)") { _ in try texts() == model }
    try window.wait(for: "the size \(random.comment)") {
      $0.isAtRest && $0.screen.text(line: 99).contains("add")
    }
    try expectWhole(window, random.comment)
    for text in model { #expect(window.screen.text.contains(text), "\(random.comment)") }
    try window.expectLikeTmux()
    try window.quit()
  }

  @Test("A flood while the terminal is not read is followed when it is read again")
  func unread() throws {
    let window = try window((0..<10).map { "row \($0)" })
    try window.fillQueue()
    let added = (0..<50).map { "anew \($0)\r" }.joined()
    window.send(added)
    try window.wait(for: "the rows") { _ in try texts().count == 60 }
    try expectWhole(window)
    try window.quit()
  }
}
