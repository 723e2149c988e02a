import Foundation
import Glibc
import LiveStore
import TasksModel
import TestSupport
import Testing

@testable import TasksTUI

/// Which file is opened, and which is refused.
extension CommandLineTests {
  @Test("The file is found by option, variables and home, and made for its owner alone")
  func places() throws {
    let home = folder("home")
    let data = folder("data")
    for (arguments, environment, path) in [
      (["--file", folder("a/b/option.db")], ["TASKS_FILE": folder("unused.db")], folder("a/b/option.db")),
      ([], ["TASKS_FILE": folder("variable.db"), "XDG_DATA_HOME": data], folder("variable.db")),
      ([], ["TASKS_FILE": "", "XDG_DATA_HOME": data, "HOME": home], data + "/tasks/tasks.db"),
      ([], ["XDG_DATA_HOME": "relative", "HOME": home], home + "/.local/share/tasks/tasks.db"),
    ] {
      let outcome = try ChildProcess.run([tasks] + arguments + ["add", "x"], environment: environment)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(fileStatus(path)?.permissions == 0o600)
      for beside in ["-wal", "-shm", "-live"] {
        #expect([nil, 0o600].contains(fileStatus(path + beside)?.permissions))
      }
    }
    #expect(access(folder("unused.db"), F_OK) != 0)
    for made in [folder("a"), folder("a/b"), home + "/.local"] {
      #expect(fileStatus(made)?.permissions == 0o700, "\(made)")
    }
    let homeless = try ChildProcess.run([tasks, "list"])
    #expect(
      homeless
        == .init(
          status: 1, output: "", errors: "tasks: HOME is not set; say with --file which file to use.\n"))
  }

  @Test("Processes that start at once on a new file end with one list")
  func startingAtOnce() throws {
    for _ in 0..<5 {
      let fresh = TemporaryFolder()
      let children = try (0..<8).map { number in
        try ChildProcess([tasks, "--file", fresh("new/tasks.db"), "add", "task \(number)"])
      }
      for child in children {
        let outcome = try child.finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      let store = try TasksStore(
        path: fresh("new/tasks.db"), scheduler: .fileDescriptor(NotificationSource()))
      defer { store.close() }
      #expect(store.store.objects(TaskListList.self).map(\.id) == [0])
      #expect(store.store.objects(TaskList.self).map(\.id) == [TaskList.firstListID])
      #expect(store.lists.map(\.text) == ["My Tasks"])
      #expect(store.lists.first?.id.description == "80EB1620-165B-4600-A1B1-D97032FDD9A0")
      #expect(Set(store.lists.first?.items.map(\.text) ?? []) == Set((0..<8).map { "task \($0)" }))
    }
  }

  @Test("A folder is no file to open, nor is a device")
  func folderAsFile() throws {
    try expectRefusal(of: folder.path, "tasks: “\(folder.path)” is a folder; name a file instead.\n")
    try expectRefusal(of: folder.path + "/", "tasks: “\(folder.path)” is a folder; name a file instead.\n")
    try expectRefusal(of: "/dev/null", "tasks: “/dev/null” is not a regular file; name one instead.\n")
  }

  @Test("A file or folder that cannot be written is refused with a sentence")
  func unwritable() throws {
    _ = try run("add", "x")
    chmod(file, 0o400)
    try expectRefusal(of: file, ways: [["add", "y"], ["done", "x"]])
    let locked = folder("locked")
    mkdir(locked, 0o500)
    for (path, sentence) in [
      (file + "/tasks.db", "“\(file)/tasks.db” cannot be created: Not a directory."),
      (file + "/new/tasks.db", "The folder “\(file)/new” cannot be made: Not a directory."),
      (locked + "/tasks.db", "“\(locked)/tasks.db” cannot be created: Permission denied."),
      (locked + "/new/tasks.db", "The folder “\(locked)/new” cannot be made: Permission denied."),
    ] {
      try expectRefusal(of: path, ways: [["add", "y"], ["list-add", "x"]], "tasks: \(sentence)\n")
      try expectRefusal(
        of: path, ways: [["list"], ["lists"], ["watch"]],
        "tasks: there is no file “\(path)”; tasks add TEXT makes it.\n")
    }
  }

  @Test("A link to a file that is not there is refused with a sentence")
  func danglingLink() throws {
    let link = folder("link.db")
    try #require(symlink(folder("nowhere.db"), link) == 0)
    let sentence = "“\(link)” is a link to a file that is not there; make that file, or remove the link."
    for arguments in [["add", "y"], ["list-add", "x"]] {
      let outcome = try ChildProcess.run([tasks, "--file", link] + arguments, environment: environment)
      #expect(outcome.status == 1 && outcome.errors == "tasks: \(sentence)\n", "\(outcome)")
    }
  }

  @Test(
    "Only what writes makes a file, and says so if its name was given; what reads says that it is missing")
  func missingFile() throws {
    let path = folder("typo/tasks.db")
    for arguments in [["list"], ["list", "--json"], ["list", "--today"], ["lists"], ["watch"]] {
      let outcome = try ChildProcess.run([tasks, "--file", path] + arguments, environment: environment)
      #expect(
        outcome
          == .init(
            status: 1, output: "", errors: "tasks: there is no file “\(path)”; tasks add TEXT makes it.\n"))
    }
    #expect(access(folder("typo"), F_OK) != 0)
    let made = try run("add", "--file", path, "x")
    #expect(made.status == 0 && made.errors == "tasks: made the new file “\(path)”.\n")
    #expect(try run("add", "--file", path, "y").errors == "")
    #expect(try run("list", "--file", path).output == "[ ] x\n[ ] y\n")
  }

  @Test("A file that may only be read is listed")
  func readableFile() throws {
    _ = try run("add", "x")
    chmod(file, 0o400)
    for arguments in [["list"], ["lists"], ["list", "--today"]] {
      let outcome = try withoutPrivilege(arguments, file: file)
      #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
    }
    #expect(try withoutPrivilege(["list"], file: file).output == "[ ] x\n")
  }

  /// Root may write anything, unless it is without the capability that lets it.
  private func withoutPrivilege(_ arguments: [String], file: String) throws -> ChildProcess.Outcome {
    let command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"]
    return try ChildProcess.run(
      (geteuid() == 0 ? command : []) + [tasks, "--file", file] + arguments)
  }

  @Test("A file that is no database is refused and left as it is")
  func noDatabase() throws {
    let text = folder("letter.txt")
    try Data(
      "Dear reader, this is a letter, and it is longer than a header. ".utf8
        + Array(repeating: 46, count: 4096)
    )
    .write(to: URL(filePath: text))
    try expectRefusal(of: text)
    let short = folder("short.txt")
    try Data("x".utf8).write(to: URL(filePath: short))
    try expectRefusal(of: short)
  }

  @Test("Another application's database is refused and left as it is")
  func otherApplication() throws {
    let other = folder("other.db")
    try sqlite(
      other, "pragma application_id = 1234; create table Letter (text); insert into Letter values ('x')")
    try expectRefusal(of: other)
    let unmarked = folder("unmarked.db")
    try sqlite(unmarked, "create table Letter (text); insert into Letter values ('x')")
    try expectRefusal(of: unmarked)
  }

  @Test("A file of a newer version is refused and left as it is")
  func newerVersion() throws {
    _ = try run("add", "x")
    try sqlite(file, "pragma user_version = 1000; pragma wal_checkpoint(truncate)")
    try expectRefusal(of: file)
  }

  /// Every way to open the file says one sentence, ends with status 1 and changes nothing.
  private func expectRefusal(
    of path: String, ways: [[String]] = [["add", "y"], ["list"], ["watch"]], _ sentence: String? = nil
  ) throws {
    let before = try? Data(contentsOf: URL(filePath: path))
    let neighboursBefore = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    for arguments in ways {
      let outcome = try withoutPrivilege(arguments, file: path)
      #expect(outcome.status == 1)
      #expect(outcome.output == "")
      #expect(outcome.errors.hasPrefix("tasks: ") && outcome.errors.hasSuffix(".\n"), "\(outcome.errors)")
      #expect(outcome.errors.filter { $0 == "\n" }.count == 1, "\(outcome.errors)")
      if let sentence { #expect(outcome.errors == sentence) }
    }
    #expect((try? Data(contentsOf: URL(filePath: path))) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == neighboursBefore)
  }
}
