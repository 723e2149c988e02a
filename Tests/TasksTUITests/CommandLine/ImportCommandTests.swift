import FoundationEssentials
import Glibc
import LiveStore
import Testing

@testable import TasksModel
@testable import TasksTUI

/// Each test starts the real program.
@Suite("import and export on the command line")
struct ImportCommandTests {
  private let folder = TemporaryFolder()
  private let tasks = ChildProcess.tasks

  private func run(_ arguments: String..., input: String = "") throws -> ChildProcess.Outcome {
    try ChildProcess.run(
      [tasks] + arguments, input: input,
      environment: ["TASKS_FILE": folder("tasks.db"), "TZ": ChildProcess.zoneOfNoon])
  }

  private func write(_ text: String, to name: String) throws -> String {
    try text.write(toFile: folder(name), atomically: true, encoding: .utf8)
    return folder(name)
  }

  private func text(of name: String) throws -> String {
    try String(contentsOfFile: folder(name), encoding: .utf8)
  }

  @Test("A file is imported by its ending or the format that is named, and undone")
  func importing() throws {
    let file = try write("Buy milk\nCall mum +Home\nx Done\n", to: "todo.txt")
    #expect(
      try run("import", file)
        == .init(
          status: 0, output: "Imported 3 tasks and 1 new list; tasks undo takes them back.\n", errors: ""))
    #expect(try run("list").output == "[ ] Buy milk\n[x] Done\n")
    #expect(try run("list", "--list", "Home").output == "[ ] Call mum\n")
    #expect(try run("undo").status == 0)
    #expect(try run("list").output == "" && run("lists").output == "My Tasks\n")
    #expect(
      try run("import", "--format", "markdown", "-", input: "- [ ] one\n").output
        == "Imported 1 task; tasks undo takes it back.\n")
    #expect(try run("list").output == "[ ] one\n")
    #expect(try run("list-add", "Work").status == 0)
    #expect(try run("import", "--format=todo.txt", "--list", "Work", "-", input: "two\n").status == 0)
    #expect(try run("list", "--list", "Work").output == "[ ] two\n")
  }

  @Test("A bad line is told, nothing is taken and the file is as it was; --skip-bad takes the rest")
  func badLine() throws {
    #expect(try run("add", "before").status == 0)
    let file = try write(
      "{\"text\":\"good\"}\n{\"text\":\n{\"text\":\"esc \\u001b[31m\",\"date\":\"soon\"}\n", to: "a.jsonl")
    let failed = try run("import", file)
    #expect(failed.status == 1 && failed.output == "")
    #expect(
      failed.errors.split(separator: "\n") == [
        "tasks: \(file):2: it is no JSON object, or not all of one.",
        "tasks: \(file):3: “date” has a value that it cannot have.",
        "tasks: nothing was imported, because 2 records could not be taken; --skip-bad takes the others.",
      ])
    #expect(try run("list").output == "[ ] before\n")
    #expect(try run("undo").output == "Undid: adding “before”.\n")
    let skipped = try run("import", "--skip-bad", file)
    #expect(
      skipped.status == 1
        && skipped.output == "Imported 1 task; tasks undo takes it back. 2 records could not be taken.\n")
    #expect(try run("list").output == "[ ] good\n")
  }

  @Test("A command that fails leaves no new file, unless another program has it open")
  func failedInNewFile() throws {
    let bad = try write("{\"text\":\"good\"}\n{\"text\":\n", to: "bad.jsonl")
    for words in [["import", bad], ["import", "--list", "None", bad], ["add", "x", "--due", "never"]] {
      let failed = try ChildProcess.run(
        [tasks, "--file", folder("new.db")] + words, environment: ["TZ": ChildProcess.zoneOfNoon])
      #expect(failed.status == 1 && !failed.errors.contains("made"), "\(failed.errors)")
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(left == ["bad.jsonl"], "\(words)")
    }
    let store = try TasksStore(
      path: folder("new.db"), scheduler: .fileDescriptor(NotificationSource()))
    defer { store.close() }
    let watch = try ChildProcess([tasks, "--file", folder("new.db"), "watch"])
    _ = try watch.readLine()
    store.removeUnusedFile()
    #expect(FileManager.default.fileExists(atPath: folder("new.db")))
    try store.add("one", to: .tasks(inList: TaskList.firstListID))
    _ = try watch.readLine()
  }

  @Test("A trial changes nothing, and what cannot be read says so")
  func trial() throws {
    let file = try write("one\n", to: "a.txt")
    #expect(try run("import", "--dry-run", file).output == "Would import 1 task; nothing was changed.\n")
    #expect(try run("list").output == "")
    let missing = try run("import", folder("no.txt"))
    #expect(
      missing.status == 1
        && missing.errors == "tasks: “\(folder("no.txt"))” cannot be read: No such file or directory.\n")
    let directory = try run("import", "--format", "csv", folder.path)
    #expect(directory.status == 1 && directory.errors.hasSuffix("cannot be read: Is a directory.\n"))
    let unknown = try run("import", "a.doc")
    #expect(
      unknown.status == 2 && unknown.errors.contains("say with --format in which format “a.doc” is: jsonl, "))
    #expect(try run("import", "-").status == 2)
    #expect(try run("import", "--format", "doc", "-").status == 2)
    #expect(try run("import", "--list", "None", file).errors.contains("there is no list “None”"))
    #expect(try run("import", "--format", "csv", "-").output == "There was nothing to import.\n")
  }

  @Test("An export has no name before it is complete, so that nothing is left of one that is killed")
  func unnamedExport() throws {
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }
    let new = try OutputFile(folder("new"), replacing: false)
    try new.write("one\n")
    #expect(try names() == [])
    try new.finish()
    #expect(try text(of: "new") == "one\n")
    #expect(throws: RuntimeError.self) { try OutputFile(folder("new"), replacing: false) }
    let other = try OutputFile(folder("new"), replacing: true)
    try other.write("two\n")
    #expect(try names() == ["new"] && text(of: "new") == "one\n")
    try other.finish()
    #expect(try names() == ["new"] && text(of: "new") == "two\n")
    // Another program was quicker.
    let late = try OutputFile(folder("late"), replacing: false)
    try "theirs".write(toFile: folder("late"), atomically: false, encoding: .utf8)
    #expect(throws: RuntimeError.self) { try late.finish() }
    #expect(try names() == ["late", "new"] && text(of: "late") == "theirs")
  }

  @Test(
    "An export goes to standard output or into a new file, which is complete or not there; none is replaced unasked"
  )
  func exporting() throws {
    #expect(try run("add", "Buy milk #shop").status == 0)
    #expect(try run("list-add", "Work").status == 0)
    #expect(try run("add", "--list", "Work", "--due", "2026-12-01", "Send").status == 0)
    let lines = try run("export")
    #expect(
      lines.status == 0 && lines.output.hasPrefix("{\"type\":\"tasks\",\"version\":1}\n{\"type\":\"list\","))
    #expect(try run("export", "--format", "todo.txt").output == "Buy milk @shop\nSend +Work due:2026-12-01\n")
    #expect(
      try run("export", "--format", "todo.txt", "--list", "Work", "-").output == "Send +Work due:2026-12-01\n"
    )
    #expect(try run("list", "--format", "todo.txt").output == "Buy milk @shop\n")
    #expect(
      try run("list", "--list", "Work", "--format", "markdown").output
        == "# Work\n\n- [ ] Send due:2026-12-01\n")
    let file = folder("out.md")
    #expect(try run("export", file).output == "Exported 2 tasks to “\(file)”.\n")
    #expect(
      try text(of: "out.md") == "# My Tasks\n\n- [ ] Buy milk #shop\n\n# Work\n\n- [ ] Send due:2026-12-01\n")
    let again = try run("export", "--list", "Work", file)
    #expect(
      again.status == 1 && again.errors == "tasks: there is a file “\(file)” already; --force replaces it.\n")
    #expect(chmod(file, 0o600) == 0 && symlink(file, folder("link.md")) == 0)
    #expect(try run("export", "--force", "--list", "Work", folder("link.md")).status == 0)
    #expect(try text(of: "out.md") == "# Work\n\n- [ ] Send due:2026-12-01\n")
    var status = stat()
    #expect(lstat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try run("export", folder("no/out.csv")).status == 1)
    #expect(try run("export", "out.doc").status == 2)
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)).isDisjoint(with: ["no"]))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".md") }.count
        == 2)
    // All of it, into another file.
    #expect(try run("export", folder("all.jsonl")).status == 0)
    let copied = try run("--file", folder("copy.db"), "import", folder("all.jsonl"))
    #expect(copied.output == "Imported 2 tasks and 1 new list; tasks undo takes them back.\n")
    #expect(try run("--file", folder("copy.db"), "export").output == lines.output)
  }

  @Test("Without libical, iCalendar says what to install, and all else goes on")
  func missingLibrary() throws {
    #expect(try run("add", "Buy milk").status == 0)
    let calendar = try run("export", "--format", "ical")
    #expect(
      calendar.status == 0 && calendar.output.contains("\r\nSUMMARY:Buy milk\r\n"), "\(calendar.errors)")
    // The loader takes the first file of that name, and this one is no library.
    _ = try write("", to: "libical.so.3")
    func runWithout(_ arguments: [String]) throws -> ChildProcess.Outcome {
      try ChildProcess.run(
        [tasks] + arguments,
        environment: ["TASKS_FILE": folder("tasks.db"), "LD_LIBRARY_PATH": folder.path])
    }
    for command in [["export", "--format", "ical"], ["import", "--format", "ical", "/dev/null"]] {
      let missing = try runWithout(command)
      #expect(missing.status == 1 && missing.output == "")
      #expect(
        missing.errors
          == "tasks: iCalendar needs the library libical, which is not installed; on Debian: apt install libical3.\n"
      )
    }
    #expect(try runWithout(["export", "--format", "todo.txt"]).output == "Buy milk\n")
  }
}
