import FoundationEssentials
import Glibc
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI

@Suite("tasks due")
struct DueCommandTests {
  private let folder = TemporaryFolder()
  private let calendar = LocalCalendar(secondsFromGMT: 0)
  private let noon: Date

  init() throws {
    noon = calendar.date(of: LocalTime(year: 2026, month: 11, day: 23, hour: 12))
  }

  private var stateFile: StateFile? {
    StateFile(database: folder("tasks.db"), environment: ["HOME": folder.path])
  }

  private func task(_ text: String, minutes: Int) -> DueTask {
    DueTask(id: Identifier(text), text: text, date: noon.addingTimeInterval(Double(minutes * 60)))
  }

  /// Tells of what is due some minutes after noon; returns the texts with which the program was run.
  private func tell(_ tasks: [DueTask], minutes: Int, failingFor text: String? = nil) -> [String] {
    var told: [String] = []
    let now = noon.addingTimeInterval(Double(minutes * 60))
    try? DueCommand.tell(
      tasks.filter { $0.date <= now }, with: "notify", since: stateFile, now: now, calendar: calendar
    ) { program, argument in
      #expect(program == "notify")
      told.append(argument)
      return argument == text ? 3 : 0
    }
    return told
  }

  @Test("Each task is told of once, when its time has come; at first those of today")
  func once() throws {
    let tasks = [
      task("yesterday", minutes: -24 * 60), task("today", minutes: -12 * 60), task("soon", minutes: 5),
      task("same", minutes: 5), task("later", minutes: 9),
    ]
    #expect(tell(tasks, minutes: 0) == ["today"])
    #expect(tell(tasks, minutes: 4) == [])
    #expect(tell(tasks, minutes: 5) == ["soon", "same"])
    #expect(tell(tasks, minutes: 5) == [])
    // The machine has been off.
    #expect(tell(tasks, minutes: 600) == ["later"])
    // A clock that was set back tells of nothing twice.
    #expect(tell(tasks, minutes: 1) == [] && tell(tasks, minutes: 601) == [])
  }

  @Test("A clock that was years ahead once does not keep it silent")
  func clockAhead() throws {
    let tasks = [task("today", minutes: -12 * 60), task("soon", minutes: 5), task("later", minutes: 9)]
    #expect(tell(tasks, minutes: 5) == ["today", "soon"])
    #expect(tell([], minutes: 5 * 365 * 24 * 60) == [])
    #expect(tell(tasks, minutes: 9) == ["today", "soon", "later"])
    #expect(tell(tasks, minutes: 10) == [])
  }

  @Test("A task for which the command fails is told of again until it does not, and keeps no other from it")
  func failing() throws {
    let tasks = [
      task("one", minutes: 1), task("two", minutes: 2), task("three", minutes: 3), task("later", minutes: 5),
    ]
    #expect(tell(tasks, minutes: 0) == [])
    #expect(tell(tasks, minutes: 4, failingFor: "two") == ["one", "two", "three"])
    #expect(tell(tasks, minutes: 5, failingFor: "two") == ["two", "later"])
    #expect(tell(tasks, minutes: 6) == ["two"])
    #expect(tell(tasks, minutes: 7) == [])
    #expect(throws: RuntimeError.self) { try DueCommand.tell(tasks, with: "x", since: nil) }
  }

  @Test("A task that was completed after the command failed for it is told of no more")
  func failedAndCompleted() throws {
    let tasks = [task("one", minutes: 1), task("two", minutes: 2)]
    #expect(tell([], minutes: 0) == [])
    #expect(tell(tasks, minutes: 2, failingFor: "one") == ["one", "two"])
    #expect(tell([tasks[1]], minutes: 3) == [])
    #expect(tell(tasks, minutes: 4) == [])
  }

  @Test("All failures are told at the end, also of a program that cannot be started")
  func failures() throws {
    let tasks = [task("one", minutes: 1), task("two", minutes: 2), task("three", minutes: 3)]
    func tell(_ status: Int32, cannotStartFor text: String? = nil) -> String {
      do {
        try DueCommand.tell(
          tasks, with: "notify", since: stateFile, now: noon.addingTimeInterval(600), calendar: calendar
        ) {
          if $1 == text { throw RuntimeError("it is too long") }
          return status
        }
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(
      tell(3, cannotStartFor: "two") == "“notify” ended with status 3 for “one”, and it failed for 2 others")
    #expect(tell(0, cannotStartFor: "two") == "it is too long")
    #expect(tell(0) == "")
  }

  @Test("The command of the timer, and that of the help, take a text that begins like an option")
  func option() throws {
    let unit =
      #filePath.replacing("Tests/TasksTUITests/CommandLine/DueCommandTests.swift", with: "")
      + "Scripts/tasks-due.service"
    let line = try #require(
      String(contentsOfFile: unit, encoding: .utf8).split(separator: "\n").first {
        $0.hasPrefix("ExecStart=")
      })
    let environment = [
      "HOME": folder.path, "XDG_STATE_HOME": folder("state"), "TASKS_FILE": folder("tasks.db"),
      "TZ": ChildProcess.zoneOfNoon, "PATH": "\(folder.path):/usr/bin:/bin",
    ]
    let help = try ChildProcess.run([ChildProcess.tasks, "due", "--help"], environment: environment).output
    #expect(
      help.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("'notify-send -- Due'"))
    // Options as notify-send takes them.
    let program = """
      #!/bin/sh
      while [ "$1" != -- ]; do case "$1" in --app-name=*) shift ;; *) exit 1 ;; esac; done
      echo "$2: $3"
      """
    try program.write(toFile: folder("notify-send"), atomically: true, encoding: .utf8)
    #expect(chmod(folder("notify-send"), 0o755) == 0)
    let add = [ChildProcess.tasks, "add", "--due", "today 0:01", "--", "-5 degrees"]
    #expect(try ChildProcess.run(add, environment: environment).status == 0)
    let command = String(line.dropFirst("ExecStart=".count)).replacing(
      "@BIN@/tasks", with: "'\(ChildProcess.tasks)'")
    let outcome = try ChildProcess.run(["/bin/sh", "-c", command], environment: environment)
    #expect(outcome.status == 0 && outcome.output == "Due now: -5 degrees\n", "\(outcome)")
  }

  @Test("It prints what is due, with exit status 1 when nothing is, and runs a command with each text")
  func process() throws {
    let environment = [
      "HOME": folder.path, "XDG_STATE_HOME": folder("state"), "TASKS_FILE": folder("tasks.db"),
      "TZ": ChildProcess.zoneOfNoon,
    ]
    func run(_ arguments: String...) throws -> (status: Int32, output: String) {
      let outcome = try ChildProcess.run([ChildProcess.tasks] + arguments, environment: environment)
      return (outcome.status, outcome.output)
    }
    #expect(try run("add", "--due", "tomorrow", "Rest").status == 0)
    #expect(try run("due") == (1, ""))
    #expect(try run("add", "--due", "today 0:01", "Buy \"milk\" $HOME").status == 0)
    #expect(try run("due") == (0, "overdue, today 0:01  Buy \"milk\" $HOME  (My Tasks)\n"))
    #expect(try run("due", "--json").output.contains("\"text\":\"Buy \\\"milk\\\" $HOME\""))
    #expect(try run("due", "--exec", "printf '<%s>'") == (0, "<Buy \"milk\" $HOME>"))
    #expect(try run("due", "--exec", "printf '<%s>'") == (0, ""))
    #expect(try run("due", "--exec", "false").status == 0)
    #expect(try run("due", "--exec", "x", "--json").status == 2)
  }
}
