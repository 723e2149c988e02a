import Foundation
import Glibc
import TasksModel
import TestSupport
import Testing

@testable import TasksTUI

/// The things that the disk and other programs can do to a file, and the real program on it: it says a
/// sentence and ends by itself.
@Suite("A file that cannot be read, or says what cannot be")
struct FailingFileTests {
  private let folder = TemporaryFolder()
  private var file: String { folder("tasks.db") }
  private let tasks = ChildProcess.tasks

  private func run(_ arguments: String..., input: String = "") throws -> ChildProcess.Outcome {
    try ChildProcess.run(
      [tasks] + arguments, input: input, environment: ["TASKS_FILE": file, "TZ": ChildProcess.zoneOfNoon])
  }

  @discardableResult
  private func sqlite(_ statements: String) throws -> ChildProcess.Outcome {
    try ChildProcess.run(["sqlite3", "-batch", "-bail", file, statements])
  }

  /// Lists and tasks on some hundred pages, all of them in the file itself.
  private func fill() throws {
    let texts = (0..<3_000).map { "Task \($0) \(String(repeating: "x", count: $0 % 90))\n" }.joined()
    #expect(try run("add", "-", input: texts).status == 0)
    try sqlite("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// That a command has ended by itself: with its output and no complaint, or with one sentence and no
  /// output.
  private func expectSentence(_ outcome: ChildProcess.Outcome, _ what: String) {
    if outcome.status == 0 {
      #expect(outcome.errors == "", "\(what)")
    } else {
      #expect(outcome.status == 1, "\(what) ended with \(outcome.status): \(outcome.errors)")
      #expect(outcome.errors.hasPrefix("tasks: "), "\(what): \(outcome.errors)")
      #expect(outcome.errors.hasSuffix(".\n"), "\(what): \(outcome.errors)")
      #expect(outcome.errors.count(where: { $0 == "\n" }) == 1, "\(what): \(outcome.errors)")
    }
  }

  private func overwrite(page: Int, with bytes: [UInt8]) throws {
    let handle = try FileHandle(forUpdating: URL(filePath: file))
    try handle.seek(toOffset: UInt64(page) * 4096)
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }

  @Test("L14: with any page damaged, every command prints all that it was asked for or one sentence")
  func damagedPages() throws {
    try fill()
    let whole = try Data(contentsOf: URL(filePath: file))
    let texts = Set(try run("list").output.split(separator: "\n"))
    var random = SeededGenerator(seed: 23)
    var failures = 0
    for round in 0..<cases(24, sample: 6) {
      try whole.write(to: URL(filePath: file))
      for suffix in ["-wal", "-shm"] { unlink(file + suffix) }
      let page = Int.random(in: 1..<(whole.count / 4096), using: &random)
      let bytes: [UInt8] =
        round % 2 == 0
        ? (0..<4096).map { _ in .random(in: 0...255, using: &random) } : Array(repeating: 0, count: 4096)
      try overwrite(page: page, with: bytes)
      let what = "seed 23, round \(round), page \(page)"
      let list = try run("list")
      expectSentence(list, "\(what): list")
      if list.status != 0 {
        failures += 1
        #expect(list.output == "", "\(what)")
      } else {
        #expect(texts.isSuperset(of: list.output.split(separator: "\n")), "\(what): invented rows")
      }
      for outcome in [
        try run("lists", "--json"), try run("list", "--today"),
        try run("done", "Task 1700 \(String(repeating: "x", count: 80))"),
        try run("add", "new"), try run("--script", "-", input: "keys G\n:add Another\nkeys Esc u\nsettle\n"),
        try run("--plain", input: "G\nadd Third\nundo\nquit\n"),
      ] {
        #expect((0...1).contains(outcome.status), "\(what): \(outcome)")
        #expect(!outcome.errors.contains("Fatal"), "\(what): \(outcome.errors)")
      }
    }
    #expect(failures > 0, "no damage was noticed")
  }

  @Test("A log number of the greatest integer stops nobody from writing")
  func logNumber() throws {
    #expect(try run("add", "one").status == 0)
    let watch = try ChildProcess([tasks, "watch"], environment: ["TASKS_FILE": file])
    #expect(try watch.readLine()?.contains("one") == true)
    try #require(try sqlite("INSERT INTO _livestore_log (seq) VALUES (9223372036854775807)").status == 0)
    for text in ["two", "three"] {
      expectSentence(try run("add", text), text)
      #expect(try watch.readLine()?.contains(text) == true)
    }
    try #require(try sqlite("UPDATE TaskItem SET text = 'four' WHERE text = 'three'").status == 0)
    #expect(try watch.readLine()?.contains("four") == true)
    watch.send(SIGTERM)
    #expect(try watch.finish().status == 0)
    #expect(try run("list").output == "[ ] one\n[ ] two\n[ ] four\n")
    #expect(try sqlite("SELECT max(seq) < 1 << 62 FROM _livestore_log").output == "1\n")
  }

  @Test("The greatest integer as the number of an undo step, or of an entry, stops nobody from writing")
  func otherNumbers() throws {
    #expect(try run("add", "one").status == 0)
    for statement in [
      "INSERT INTO UndoStep (number) VALUES (9223372036854775807)",
      "UPDATE TaskList_items SET entry = 9223372036854775807 "
        + "WHERE entry = (SELECT max(entry) FROM TaskList_items)",
      "INSERT INTO UndoStep (number) VALUES (9223372036854775806), (-9223372036854775808)",
    ] {
      try #require(try sqlite(statement).status == 0, "\(statement)")
      for _ in 0..<2 {
        let added = try run("add", "more")
        #expect(added.status == 0 && added.errors == "", "\(statement): \(added)")
      }
    }
    #expect(try run("list").output == "[ ] one\n" + String(repeating: "[ ] more\n", count: 6))
    let undone = try run("--plain", input: "undo\nundo\nquit\n")
    #expect(undone.status == 0, "\(undone)")
    #expect(try run("list").output == "[ ] one\n" + String(repeating: "[ ] more\n", count: 4))
  }

  @Test("An undo step with negative indices is undone as far as it can be")
  func undoIndices() throws {
    #expect(try run("add", "-", input: "one\ntwo\nthree\n").status == 0)
    #expect(try run("--script", "-", input: "keys j\n:delete\n").status == 0)
    try #require(
      try sqlite(
        """
        UPDATE UndoStep SET rows = replace(replace(replace(rows, '"index":1', '"index":-7'), '"previous":"', '"previous":"00'),
          '"next":"', '"next":"00')
        WHERE number = (SELECT max(number) FROM UndoStep)
        """
      ).status == 0)
    #expect(try sqlite("SELECT count(*) FROM UndoStep WHERE rows LIKE '%\"index\":-7%'").output == "1\n")
    let undone = try run("--script", "-", input: "keys u\n")
    #expect(undone == .init(status: 0, output: "", errors: ""))
    #expect(try run("list").output.split(separator: "\n").sorted() == ["[ ] one", "[ ] three", "[ ] two"])
  }

  @Test("An entry is not made to lead nowhere, and a table that was dropped leaves no entries behind")
  func dangling() throws {
    #expect(try run("add", "one").status == 0)
    #expect(try run("add", "two", "--under", "one").status == 0)
    for (entries, target) in [("TaskListList_items", "TaskList"), ("TaskItem_subtasks", "TaskItem")] {
      let refused = try sqlite("UPDATE \(entries) SET target = 'nope'")
      #expect(refused.status != 0 && refused.errors.contains("names no \(target)"), "\(refused)")
    }
    #expect(try run("lists").status == 0)
    try #require(try sqlite("DROP TABLE TaskItem").status == 0)
    let lists = try run("lists")
    #expect(lists.status == 0 && lists.output.contains("\n"), "\(lists)")
    #expect(try run("list").output == "")
    #expect(try run("add", "two").status == 0)
    #expect(try run("list").output == "[ ] two\n")
    #expect(try sqlite("PRAGMA foreign_key_check").output == "")
  }

  @Test(
    "An entry of lists, tasks or subtasks that leads nowhere all the same is a sentence",
    arguments: ["TaskListList_items", "TaskList_items", "TaskItem_subtasks"])
  func danglingWithoutTriggers(entries: String) throws {
    #expect(try run("add", "one").status == 0)
    #expect(try run("add", "two", "--under", "one").status == 0)
    try #require(
      try sqlite(
        """
        CREATE TABLE kept AS SELECT * FROM sqlite_schema WHERE type = 'trigger';
        PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE type = 'trigger'
        """
      ).status == 0)
    try #require(
      try sqlite(
        """
        UPDATE \(entries) SET target = 'nope'; PRAGMA writable_schema = ON;
        INSERT INTO sqlite_schema SELECT * FROM kept; DROP TABLE kept
        """
      ).status == 0)
    let list = try run("list")
    expectSentence(list, "list")
    #expect(list.status == 1 && list.output == "" && list.errors.contains("is not there"), "\(list)")
    expectSentence(try run("lists"), "lists")
  }

  @Test("Texts in UTF-16 and a column with another order are refused with a sentence, and nothing is changed")
  func otherOrders() throws {
    #expect(try run("add", "one").status == 0)
    let other = folder("other.db")
    let pragmas =
      "PRAGMA application_id = \(TasksStore.applicationID); PRAGMA user_version = "
      + "\(TasksStore.schemaVersion);"
    let copy =
      "(echo 'PRAGMA encoding = \"UTF-16le\";'; sqlite3 \(file) .dump; echo '\(pragmas)') | sqlite3 \(other)"
    let outcome = try ChildProcess.run(["sh", "-c", copy])
    try #require(outcome.status == 0, "\(outcome)")
    let list = try ChildProcess.run([tasks, "list", "--file", other])
    expectSentence(list, "UTF-16")
    #expect(list.status == 1 && list.errors.contains("UTF-16le"), "\(list)")
    try #require(
      try sqlite(
        """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, '"text" TEXT NOT NULL', '"text" TEXT NOT NULL COLLATE NOCASE')
        WHERE name = 'TaskItem'
        """
      ).status == 0)
    let collated = try run("list")
    expectSentence(collated, "NOCASE")
    #expect(collated.status == 1 && collated.errors.contains("NOCASE"), "\(collated)")
  }

  @Test(
    "When the file cannot be read any more, the window says why, keeps what it showed, and can be left")
  func window() throws {
    try fill()
    let window = try PseudoWindow(
      "sh",
      ["-c", "\(tasks) --file \(file) --no-animation; echo status=$?; read -r line; echo \"typed<$line>\""],
      environment: [
        "PATH": "/usr/local/bin:/usr/bin:/bin", "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
        "XDG_STATE_HOME": folder("state"), "HOME": folder.path,
      ], in: folder.path)
    // The shell is in the foreground, so that the window's rest cannot be looked at: its keys are named last.
    try window.wait(forText: "? keys")
    for page in 8..<120 { try overwrite(page: page, with: Array(repeating: 0xA5, count: 4096)) }
    // To rows that have not been read.
    try window.strike("G")
    try window.wait(forText: "nothing is saved.")
    try window.wait(forText: "? keys")
    #expect(window.screen.text.contains("Task "), "\(window.screen.text)")
    try window.strike("q")
    try window.wait(forText: "status=0")
    window.send("plain\r")
    try window.wait(forText: "typed<plain>")
    #expect(try window.waitForEnd() == 0)
  }
}
