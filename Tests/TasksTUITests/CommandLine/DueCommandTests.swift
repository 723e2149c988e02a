import FoundationEssentials
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
    DueTask(text: text, date: noon.addingTimeInterval(Double(minutes * 60)))
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

  @Test("A task for which the command fails is told of again, and those after it, but none before it")
  func failing() throws {
    let tasks = [task("one", minutes: 1), task("two", minutes: 2), task("three", minutes: 3)]
    #expect(tell(tasks, minutes: 0) == [])
    #expect(tell(tasks, minutes: 4, failingFor: "two") == ["one", "two"])
    #expect(tell(tasks, minutes: 5) == ["two", "three"])
    #expect(throws: RuntimeError.self) { try DueCommand.tell(tasks, with: "x", since: nil) }
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
