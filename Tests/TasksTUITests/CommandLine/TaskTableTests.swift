import FoundationEssentials
import TasksModel
import Testing

@testable import TasksTUI

/// The output of `tasks list` on a terminal.
@Suite("Printed lists", .enabled(if: !TerminalProbe.isRequested))
struct TaskTableTests {
  private let folder = TemporaryFolder()
  private let tasks = ChildProcess.tasks

  init() throws {
    _ = try run("add", "--due", "tomorrow 9:00", "--priority", "A", "--notes", "2 l\nof it", "Buy milk")
    _ = try run("add", "--under", "milk", "Find the basket")
    _ = try run("add", "Write to everybody who has been at the party and has not said anything since then")
    _ = try run("add", "--due", "yesterday", "--repeat", "every week", "Water 会社の植物")
    _ = try run("add", "Done")
    _ = try run("done", "Done")
  }

  private var environment: [String: String] {
    ["TASKS_FILE": folder("tasks.db"), "HOME": folder.path, "TZ": ChildProcess.zoneOfNoon]
  }

  private func run(_ arguments: String..., columns: Int = 60) throws -> String {
    let outcome = try ChildProcess.run(
      [tasks] + arguments, environment: environment.merging(["COLUMNS": "\(columns)"]) { $1 })
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
    return outcome.output
  }

  @Test("list --details has dates and priorities in columns, notes and subtasks below, and breaks long texts")
  func long() throws {
    #expect(
      try run("list", "--details") == """
        [ ] Buy milk                         tomorrow 9:00         A
            | 2 l …
            [ ] Find the basket
        [ ] Write to everybody who has been
            at the party and has not said
            anything since then
        [ ] Water 会社の植物                 overdue, yesterday,…
        [x] Done

        """)
    for columns in [30, 31, 40, 57, 80, 133, 200] {
      for line in try run("list", "--details", columns: columns).split(separator: "\n") {
        #expect(TaskTable.width(line) <= columns, "\(columns): \(line)")
      }
    }
    #expect(try run("search", "--details", "basket").contains("Find the basket  (My Tasks › Buy"))
    #expect(try run("list", "--today", "--details").hasPrefix("[ ] Water 会社の植物  (My"))
  }

  @Test("Dates and repetitions take the room that short texts leave")
  func shortTexts() throws {
    _ = try run("list-add", "Short")
    let words = "every monday, wednesday and friday"
    _ = try run("add", "--list", "Short", "--due", "tomorrow", "--repeat", words, "gym")
    let line = try run("list", "--list", "Short", "--details", columns: 80)
    #expect(line.hasPrefix("[ ] gym ") && line.hasSuffix("tomorrow, \(words)\n"), "\(line)")
  }

  @Test("Where there is no room for columns, dates and priorities have lines of their own")
  func narrow() throws {
    _ = try run("edit", "basket", "--due", "tomorrow", "--priority", "B")
    #expect(
      try run("list", "--details", columns: 20) == """
        [ ] Buy milk
            A tomorrow 9:00
            | 2 l …
            [ ] Find the
                basket
                B tomorrow
        [ ] Write to
            everybody who
            has been at the
            party and has
            not said
            anything since
            then
        [ ] Water 会社の植物
            overdue, yester…
        [x] Done

        """)
    for columns in 12...45 {
      for line in try run("list", "--details", columns: columns).split(separator: "\n") {
        #expect(TaskTable.width(line) <= columns, "\(columns): \(line)")
      }
    }
  }

  @Test("On a terminal a list has its dates and colours at the width of the terminal; in a pipe neither")
  func terminal() throws {
    let window = try TmuxWindow(width: 70, environment: environment)
    try window.enter("clear; \(tasks) list; echo status=$?")
    let screen = try window.wait(forText: "status=0")
    let lines = screen.split(separator: "\n").map(String.init)
    let milk = try #require(lines.first { $0.hasPrefix("[ ] Buy milk") })
    #expect(milk.contains("tomorrow 9:00") && milk.hasSuffix("A"), "\(screen)")
    #expect(screen.contains("overdue, yesterday"), "\(screen)")
    let colored = try window.tmux("capture-pane", "-p", "-e")
    #expect(colored.contains("\u{1B}[31m"), "\(colored)")
    try window.enter("clear; \(tasks) list | cat; NO_COLOR=1 \(tasks) list; echo plain=$?")
    let plain = try window.wait(forText: "plain=0")
    #expect(plain.contains("[ ] Buy milk\n") || plain.contains("[ ] Buy milk  "), "\(plain)")
    #expect(try !window.tmux("capture-pane", "-p", "-e").contains("\u{1B}[31m"))
    #expect(try run("list").contains("[ ] Buy milk\n    [ ] Find the basket\n"))
  }

  @Test("Texts are broken between words, words that are too long within them, and never within a character")
  func wrapping() {
    #expect(TaskTable.wrapped("one two three", to: 7) == ["one two", "three"])
    #expect(TaskTable.wrapped("", to: 7) == [""])
    #expect(TaskTable.wrapped("abcdefghij k", to: 4) == ["abcd", "efgh", "ij k"])
    #expect(TaskTable.wrapped("会社会社", to: 5) == ["会社", "会社"])
    #expect(TaskTable.clipped("会社の植物", to: 6) == "会社…")
    for text in ["e\u{301}e\u{301}e\u{301}e\u{301}", "a  b   c    d", "👩‍👩‍👧👩‍👩‍👧 x"] {
      for columns in 2...12 {
        #expect(
          TaskTable.wrapped(text, to: columns).joined().filter { $0 != " " } == text.filter { $0 != " " })
      }
    }
  }
}
