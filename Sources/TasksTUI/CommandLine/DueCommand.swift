import FoundationEssentials
import LiveStore
import TasksModel
import TerminalUI

/// A task that is due, for another program.
struct DueTask: Equatable {
  var id: Identifier
  var text: String
  var date: Date
}

/// `tasks due`: the open tasks of all lists whose time has come, the earliest first.
struct DueCommand {
  let store: TasksStore

  func tasks() throws -> [DueTask] {
    try items().compactMap { task in task.date.map { DueTask(id: task.id, text: task.text, date: $0) } }
  }

  private func items() throws -> [TaskItem] {
    let now = store.dates.now()
    return try Array(store.openTasks(dueBefore: now.addingTimeInterval(1))).filter { $0.date ?? now <= now }
  }

  /// Prints them as `tasks list --today` does.
  func run(asJSON: Bool, _ style: OutputStyle = .plain) throws -> String {
    try CollectedCommand(store: store, topic: .today).text(of: items(), asJSON: asJSON, style)
  }

  /// Runs a program for each task that has become due since the last time; the first time for those of today.
  ///
  /// - Parameters:
  ///   - tasks: The tasks that are due, the earliest first.
  ///   - stateFile: The memory of that time; nil if there is no folder for it.
  /// - Throws: `RuntimeError` if it fails for a task, which is told of again the next time. The others are
  ///   told of in any case, and once.
  static func tell(
    _ tasks: [DueTask], with program: String, since stateFile: StateFile?, now: Date = Date(),
    calendar: LocalCalendar = .system,
    run: (String, String) throws -> Int32 = { try ShellProgram.run($0, argument: $1) }
  ) throws {
    guard let stateFile else { throw RuntimeError("HOME is not set; what was told cannot be remembered") }
    // A clock that was far ahead for a while would make it silent until then.
    let told = stateFile.lastTold.flatMap { $0 > now.addingTimeInterval(86_400) ? nil : $0 }
    let last = told ?? calendar.startOfDay(now).addingTimeInterval(-1)
    var failed = stateFile.failedToTell {
      didSet { if failed != oldValue { stateFile.remember(failedToTell: failed) } }
    }
    let new = tasks.filter { $0.date > last || failed.contains($0.id) }
    // Those that are due no more are forgotten.
    failed.formIntersection(new.map(\.id))
    var failures: [any Error] = []
    for (index, task) in new.enumerated() {
      do {
        let status = try run(program, task.text)
        guard status == 0 else {
          throw RuntimeError("“\(program)” ended with status \(status) for “\(task.text)”")
        }
        failed.remove(task.id)
      } catch {
        failures.append(error)
        failed.insert(task.id)
      }
      // Others may be due at the same moment.
      let isLast = index + 1 == new.count || new[index + 1].date > task.date
      if isLast, task.date > last { stateFile.rememberTold(task.date) }
    }
    stateFile.rememberTold(max(now, last))
    guard let first = failures.first else { return }
    guard failures.count > 1 else { throw first }
    throw RuntimeError("\(first), and it failed for \((failures.count - 1).counted("other"))")
  }
}
