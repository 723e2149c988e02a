import FoundationEssentials
import Glibc
import TasksModel
import Testing

@testable import TasksTUI

@Suite("tasks doctor and tasks backup")
struct DoctorCommandTests {
  private let folder = TemporaryFolder()
  private let tasks = ChildProcess.tasks

  private func run(_ arguments: String..., input: String = "") throws -> ChildProcess.Outcome {
    try ChildProcess.run(
      [tasks] + arguments, input: input, environment: ["TASKS_FILE": folder("t.db"), "HOME": folder.path])
  }

  private func sqlite3(_ file: String, _ sql: String) throws -> String {
    try ChildProcess.run(["sqlite3", folder(file), sql]).output
  }

  @Test("A file that is sound is said to be, and is the same afterwards")
  func sound() throws {
    _ = try run("add", "-", input: "one\ntwo\n")
    let before = try Data(contentsOf: URL(filePath: folder("t.db")))
    let outcome = try run("doctor")
    #expect(outcome == .init(status: 0, output: "“\(folder("t.db"))” is sound.\n", errors: ""))
    #expect(try Data(contentsOf: URL(filePath: folder("t.db"))) == before)
  }

  /// Lets a change to the pages of a file with 300 tasks be made by the first pages of the trees of some
  /// tables and indexes.
  private func damagePages(of trees: String..., body: (inout [UInt8], [Int]) -> Void) throws {
    _ = try run("add", "-", input: (1...300).map { "task \($0)\n" }.joined())
    _ = try sqlite3("t.db", "pragma wal_checkpoint(truncate)")
    let pages = try trees.map { tree in
      let page = try sqlite3(
        "t.db", "select min(pageno) from dbstat where name = '\(tree)' and pagetype = 'leaf'")
      return try #require(Int(page.dropLast())) - 1
    }
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: folder("t.db"))))
    body(&bytes, pages)
    try Data(bytes).write(to: URL(filePath: folder("t.db")))
  }

  @Test("A list with a page of another index in its own is not listed as if it were whole")
  func foreignPage() throws {
    try damagePages(of: "TaskList_items_owner_position_target", "TaskList_items_target_owner") {
      let other = Array($0[$1[1] * 4096..<($1[1] + 1) * 4096])
      $0.replaceSubrange($1[0] * 4096..<($1[0] + 1) * 4096, with: other)
    }
    let outcome = try run("list")
    #expect(outcome.status == 1 && outcome.output == "", "\(outcome.output.count)")
    #expect(
      outcome.errors.contains("damaged: a list in it is not whole")
        && outcome.errors.hasSuffix(
          "save what can be read into a new file: tasks doctor --file FILE --save NEWFILE.\n"),
      "\(outcome.errors)")
  }

  @Test("The names of lists are not saved as tasks where their pages have changed places")
  func swappedPages() throws {
    try damagePages(of: "TaskList", "TaskItem") {
      for byte in 0..<4096 { $0.swapAt($1[0] * 4096 + byte, $1[1] * 4096 + byte) }
    }
    _ = try run("doctor", "--save", folder("new.db"))
    #expect(try sqlite3("new.db", "select count(*) from TaskItem where text not like 'task %'") == "0\n")
    #expect(try sqlite3("new.db", "select count(*) from TaskItem") == "300\n")
    #expect(try sqlite3("new.db", "select text from TaskList where text = 'My Tasks'") == "My Tasks\n")
  }

  @Test(
    "What is wrong is told in sentences; what can be saved stands in a new file, places that are lost in a list"
  )
  func damaged() throws {
    _ = try run("add", "-", input: (1...300).map { "task \($0)\n" }.joined())
    _ = try sqlite3("t.db", "pragma wal_checkpoint(truncate)")
    // The entries of the list: the tasks are there, and nothing says where.
    let page = try sqlite3(
      "t.db", "select max(pageno) from dbstat where name = 'TaskList_items' and pagetype = 'leaf'")
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: folder("t.db"))))
    let start = (try #require(Int(page.dropLast())) - 1) * 4096
    bytes.replaceSubrange(start..<start + 4096, with: [UInt8](repeating: 0, count: 4096))
    try Data(bytes).write(to: URL(filePath: folder("t.db")))

    let found = try run("doctor")
    #expect(found.status == 1 && found.errors == "" && found.output.contains("damaged"), "\(found)")
    #expect(found.output.contains("--save NEWFILE"))
    let saved = try run("doctor", "--save", folder("new.db"))
    #expect(saved.status == 1 && saved.output.contains("Saved 2 lists and 300 tasks"), "\(saved)")
    let kept = try run("list", "--file", folder("new.db")).output.split(separator: "\n")
    let rescued = try run("list", "--file", folder("new.db"), "--list", "Rescued").output.split(
      separator: "\n")
    #expect(kept.count > 0 && rescued.count > 0)
    #expect(Set(kept + rescued) == Set((1...300).map { "[ ] task \($0)" }))
    #expect(try run("doctor", folder("new.db")).status == 0)
    #expect(try [UInt8](Data(contentsOf: URL(filePath: folder("t.db")))) == bytes)

    // Another file is not written over.
    let again = try run("doctor", "--save", folder("new.db"))
    #expect(again.status == 1 && again.errors.contains("exists already"), "\(again)")
  }

  @Test("What no window shows is found")
  func strays() throws {
    _ = try run("add", "one")
    _ = try sqlite3("t.db", "delete from TaskList_items")
    let outcome = try run("doctor")
    #expect(outcome.status == 1 && outcome.output.contains("A task stands in no list"), "\(outcome)")
  }

  @Test("What is no file of ours is told")
  func others() throws {
    let missing = try run("doctor")
    #expect(missing.status == 1 && missing.errors.contains("No such file"), "\(missing)")
    #expect(try run("backup", folder("copy.db")).status == 1)
    try Data(repeating: 7, count: 9000).write(to: URL(filePath: folder("noise")))
    let noise = try run("doctor", folder("noise"))
    #expect(noise.status == 1 && noise.output.contains("not an SQLite database"), "\(noise)")
    _ = try sqlite3("other.db", "create table t(a); insert into t values (1)")
    let other = try run("doctor", folder("other.db"), "--save", folder("new.db"))
    #expect(other.status == 1 && other.errors.contains("another application"), "\(other)")
    #expect(access(folder("new.db"), F_OK) != 0)
  }

  @Test("A backup made while a program writes holds one moment, and is a file like any other")
  func backup() throws {
    _ = try run("add", "first")
    let writer = try ChildProcess(
      [tasks, "add", "-"], environment: ["TASKS_FILE": folder("t.db"), "HOME": folder.path])
    writer.write(Array((1...400).map { "line \($0)\n" }.joined().utf8))
    writer.closeInput()
    for number in 0..<5 {
      #expect(try run("backup", folder("copy\(number).db")) == .init(status: 0, output: "", errors: ""))
    }
    #expect(try writer.finish().status == 0)
    for number in 0..<5 {
      // All lines of the writer are one transaction.
      let count = try run("list", "--file", folder("copy\(number).db")).output.split(separator: "\n").count
      #expect(count == 1 || count == 401, "\(count)")
      #expect(try run("doctor", folder("copy\(number).db")).status == 0)
    }
    let again = try run("backup", folder("copy0.db"))
    #expect(again.status == 1 && again.errors.contains("exists already"), "\(again)")
  }
}
