import FoundationEssentials
import Glibc
import TasksModel
import Testing

@testable import TasksTUI

@Suite("tasks restore")
struct RestoreCommandTests {
  private let folder = TemporaryFolder()
  private let tasks = ChildProcess.tasks

  private func run(_ arguments: String..., input: String = "") throws -> ChildProcess.Outcome {
    try ChildProcess.run(
      [tasks] + arguments, input: input, environment: ["TASKS_FILE": folder("t.db"), "HOME": folder.path])
  }

  private func succeed(_ arguments: String..., input: String = "") throws {
    let outcome = try ChildProcess.run(
      [tasks] + arguments, input: input, environment: ["TASKS_FILE": folder("t.db"), "HOME": folder.path])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(arguments): \(outcome)")
  }

  private func export(_ file: String = "t.db") throws -> String {
    try run("export", "--file", folder(file)).output
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix("t.db.") && !$0.hasSuffix("-live") }.sorted()
  }

  /// A file with two lists, subtasks and a search, and a copy of it, to which most commands that change
  /// something are then given.
  private func makeCopy() throws -> String {
    try succeed("add", "-", input: "Buy milk\nCall mother #home\nPost letter\nWash up\n")
    try succeed("add", "--under", "milk", "Oat milk")
    try succeed("list-add", "Work")
    try succeed("add", "--list", "Work", "--due", "2031-05-01", "--priority", "A", "Send the slides")
    try succeed("search-save", "home", "#home")
    try succeed("backup", folder("copy.db"))
    let copied = try export()
    try succeed("done", "Post letter")
    try succeed("clear")
    try succeed("edit", "Buy milk", "Buy bread", "--notes", "The dark one.")
    try succeed("delete", "Wash up")
    try succeed("move", "Call mother", "--to", "Work")
    try succeed("list-rename", "Work", "Office")
    try succeed("list-color", "Office", "red")
    try succeed("add", "Water the plants")
    try succeed("search-save", "home", "@overdue")
    return copied
  }

  @Test("A file goes back to a copy, and from there to what it was, and says where that is")
  func back() throws {
    let copied = try makeCopy()
    let before = try export()
    #expect(before != copied)
    let outcome = try run("restore", folder("copy.db"))
    let sentence =
      "“\(folder("t.db"))” now has the 2 lists and 6 tasks of “\(folder("copy.db"))”; what it had before is in "
      + "“\(folder("t.db")).before-restore”.\n"
    #expect(outcome == .init(status: 0, output: sentence, errors: ""))
    #expect(try export() == copied)
    #expect(try files() == ["t.db.before-restore"])
    #expect(try export("t.db.before-restore") == before)
    #expect(try run("doctor").status == 0)

    // Beside the copy no file was made.
    #expect(["-wal", "-shm", "-live"].allSatisfy { access(folder("copy.db") + $0, F_OK) != 0 })

    let again = try run("restore", folder("copy.db"))
    #expect(again.status == 0 && again.output.hasSuffix("; nothing was changed.\n"), "\(again)")
    #expect(try files() == ["t.db.before-restore"])

    try succeed("restore", folder("t.db.before-restore"))
    #expect(try export() == before)
    #expect(try files() == ["t.db.before-restore", "t.db.before-restore.2"])
  }

  @Test("What was done before is not undone over what came back, and what is done after it is")
  func undo() throws {
    _ = try makeCopy()
    try succeed("edit", "Buy bread", "Buy cake")
    try succeed("restore", folder("copy.db"))
    let restored = try export()
    let refused = try run("undo")
    #expect(refused.status == 1 && refused.errors.hasSuffix(".\n"), "\(refused)")
    #expect(try export() == restored)
    try succeed("done", "Wash up")
    try succeed("undo")
    #expect(try export() == restored)
  }

  @Test("Without a file, one is made of the copy")
  func missing() throws {
    let copied = try makeCopy()
    let outcome = try run("restore", "--file", folder("new/u.db"), folder("copy.db"))
    #expect(
      outcome.status == 0 && outcome.output.contains("now has the 2 lists and 6 tasks of"), "\(outcome)")
    #expect(outcome.errors == "tasks: made the new file “\(folder("new/u.db"))”.\n")
    #expect(try export("new/u.db") == copied)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder("new")).sorted() == ["u.db", "u.db-live"])
  }

  @Test(
    "A copy that may only be read, in a folder that may only be read, is one too",
    .enabled(if: getuid() != 0, "root may do everything"), arguments: [0o400, 0o600] as [mode_t])
  func unwritable(mode: mode_t) throws {
    let copied = try makeCopy()
    mkdir(folder("others"), 0o700)
    rename(folder("copy.db"), folder("others/copy.db"))
    chmod(folder("others/copy.db"), mode)
    chmod(folder("others"), 0o500)
    defer { chmod(folder("others"), 0o700) }
    try succeed("restore", folder("others/copy.db"))
    #expect(try export() == copied)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder("others")) == ["copy.db"])
  }

  @Test("What is no copy is refused, and changes and makes nothing")
  func refused() throws {
    try succeed("add", "one")
    let before = try export()
    try Data("Buy milk\n".utf8).write(to: URL(filePath: folder("text")))
    try Data().write(to: URL(filePath: folder("empty")))
    _ = try ChildProcess.run(["sqlite3", folder("other"), "create table t(a); insert into t values (1)"])
    for (name, sentence) in [
      ("nothing", "“\(folder("nothing"))” cannot be read: No such file or directory."),
      ("text", "“\(folder("text"))” is not an SQLite database; name another file."),
      ("empty", "“\(folder("empty"))” holds no store; name a copy of one."),
      ("other", "“\(folder("other"))” is the database of another application; name another file."),
      ("", "“\(folder.path)” is a folder; name a file instead."),
    ] {
      for file in ["t.db", "u.db"] {
        let outcome = try run("restore", "--file", folder(file), folder(name))
        #expect(outcome == .init(status: 1, output: "", errors: "tasks: \(sentence)\n"))
      }
    }
    #expect(try export() == before)
    #expect(try files().isEmpty && access(folder("u.db"), F_OK) != 0)
  }

  @Test("A copy that lacks the list of lists gives a file like one that was moved in its place")
  func withoutLists() throws {
    _ = try makeCopy()
    _ = try ChildProcess.run(["sqlite3", folder("copy.db"), "delete from TaskListList"])
    try succeed("restore", folder("copy.db"))
    #expect(try run("lists").output == (try run("lists", "--file", folder("copy.db")).output))
    #expect(try export() == export("copy.db"))
  }

  @Test("The file itself, as a copy, changes nothing")
  func itself() throws {
    _ = try makeCopy()
    let before = try export()
    let itself = try run("restore", folder("t.db"))
    #expect(itself.status == 0 && itself.output.hasSuffix("; nothing was changed.\n"), "\(itself)")
    #expect(try export() == before)
    #expect(try files().isEmpty)
  }
}
