import FoundationEssentials
import Glibc
import Testing

@testable import TasksModel
@testable import TasksTUI

/// Each test exports into the real program, and imports what that makes of it.
@Suite("Exports, read by the programs whose formats they are")
struct OtherReadersTests {
  private let folder = TemporaryFolder()
  private let tasks = ChildProcess.tasks

  init() throws {
    let lines = """
      (A) Buy milk @shop @next-week due:2026-12-01 +Home nr:1
      Oat milk, "the" good one of:1
      Water the plants due:2026-12-03T09:30 rec:+1w +Home_Garden note:A_note%0Aof_two_lines;_\\_and_ümlaut
      x 2026-11-20 2026-11-01 Done (C) pri:C
      Every other monday rec:every_2_weeks_on_monday
      """
    let made = try run([tasks, "import", "--format", "todo.txt", "-"], input: lines + "\n")
    try #require(made.status == 0, "\(made.errors)")
  }

  private func run(_ command: [String], input: String = "") throws -> ChildProcess.Outcome {
    try ChildProcess.run(
      command, input: input,
      environment: [
        "TASKS_FILE": folder("tasks.db"), "TZ": "UTC", "HOME": folder.path, "TASKRC": folder("taskrc"),
      ])
  }

  /// The export, imported into another file and exported from there as todo.txt.
  private func back(_ name: String) throws -> Set<Substring> {
    let other = folder("back.db")
    let made = try run([tasks, "--file", other, "import", name])
    #expect(made.status == 0, "\(made.errors)")
    return Set(
      try run([tasks, "--file", other, "export", "--format", "todo.txt"]).output.split(separator: "\n"))
  }

  @Test("Taskwarrior imports all tasks, and what it exports is imported again")
  func taskwarrior() throws {
    try "data.location=\(folder.path)\nconfirmation=off\nverbose=nothing\n".write(
      toFile: folder("taskrc"), atomically: true, encoding: .utf8)
    let file = folder("out.json")
    #expect(try run([tasks, "export", file]).status == 0)
    let imported = try run(["task", "import", file])
    #expect(imported.status == 0, "\(imported.output) \(imported.errors)")
    #expect(
      try run(["task", "+shop", "project:Home", "priority:H", "due:2026-12-01", "count"]).output == "1\n")
    #expect(try run(["task", "status:completed", "end:2026-11-20", "count"]).output == "1\n")
    #expect(try run(["task", "project.is:Home", "count"]).output == "2\n")
    let exported = try run(["task", "export"])
    try exported.output.write(toFile: folder("again.json"), atomically: true, encoding: .utf8)
    #expect(
      try back(folder("again.json")) == [
        "(A) Buy milk @next-week @shop +Home due:2026-12-01 nr:1", "Oat milk, \"the\" good one +Home of:1",
        "Water the plants +Home_Garden due:2026-12-03T09:30 rec:+1w note:A_note%0Aof_two_lines;_\\_and_ümlaut",
        "x 2026-11-20 2026-11-01 Done (C) pri:C", "Every other monday rec:every_2_weeks_on_monday",
      ])
  }

  @Test("calcurse imports all tasks of a calendar, and what it exports is imported again")
  func calcurse() throws {
    let file = folder("out.ics")
    #expect(try run([tasks, "export", file]).status == 0)
    #expect(mkdir(folder("calcurse"), 0o700) == 0)
    let calcurse = ["calcurse", "-q", "-D", folder("calcurse"), "-C", folder("calcurse")]
    let imported = try run(calcurse + ["-i", file])
    #expect(imported.status == 0, "\(imported.output) \(imported.errors)")
    let exported = try run(calcurse + ["--export=ical"])
    try exported.output.write(toFile: folder("again.ics"), atomically: true, encoding: .utf8)
    // It has no dates of tasks, no categories and no lists.
    #expect(
      try back(folder("again.ics")) == [
        "(A) Buy milk", "Oat milk, \"the\" good one",
        "Water the plants note:A_note%0Aof_two_lines;_\\_and_ümlaut",
        "x Done (C) created:2026-11-01 pri:C", "Every other monday",
      ])
  }

  @Test("todo.txt-cli lists, completes and keeps all words of an export")
  func todoText() throws {
    try
      "export TODO_DIR=\(folder.path)\nexport TODO_FILE=$TODO_DIR/todo.txt\nexport DONE_FILE=$TODO_DIR/done.txt\n"
      .write(toFile: folder("todo.cfg"), atomically: true, encoding: .utf8)
    #expect(try run([tasks, "export", folder("todo.txt")]).status == 0)
    let todo = ["todo-txt", "-d", folder("todo.cfg"), "-p", "-f"]
    let projects = try run(todo + ["listproj"])
    #expect(projects.output == "+Home\n+Home_Garden\n", "\(projects.errors)")
    #expect(try run(todo + ["listcon"]).output == "@next-week\n@shop\n")
    #expect(try run(todo + ["-a", "do", "1"]).status == 0)
    let lines = try back(folder("todo.txt"))
    #expect(
      lines.contains {
        $0.hasPrefix("x 20") && $0.hasSuffix(" Every other monday rec:every_2_weeks_on_monday")
      })
    #expect(lines.count == 5)
  }
}
