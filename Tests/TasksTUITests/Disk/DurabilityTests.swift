import FoundationEssentials
import LiveStoreFixtures
import Testing

/// The real program, and the power that fails when it has said what it did.
@Suite("The durability of what tasks does")
struct DurabilityTests {
  let disk = TemporaryFolder()
  let folder = TemporaryFolder()
  let tasks = ChildProcess.tasks

  private func add(_ text: String, _ more: [String: String] = [:]) throws -> ChildProcess.Outcome {
    let environment = ["TASKS_FILE": disk("tasks.db"), "HOME": folder.path].merging(more) { $1 }
    return try ChildProcess.run([tasks, "add", text], environment: environment)
  }

  /// The texts in the file after a loss of everything that was not synced when the last of the ids was
  /// printed.
  private func textsAfterLoss(_ durability: String) throws -> String {
    let record = folder("record")
    var environment = try FailingDisk(folder: disk.path).environment(record: record)
    environment["TASKS_DURABILITY"] = durability
    for text in ["one", "two"] { #expect(try add(text, environment).status == 0) }
    let events = try #require(DiskRecording(path: record)).events
    let last = try #require(events.lastIndex { if case .output = $0 { true } else { false } })
    var simulated = SimulatedDisk()
    for event in events[...last] { simulated.apply(event) }
    var random = SeededGenerator()
    let remains = TemporaryFolder()
    for (name, bytes) in simulated.contents(losing: .all, using: &random) {
      try Data(bytes).write(to: URL(filePath: remains(name)))
    }
    let outcome = try ChildProcess.run([
      "sqlite3", "-batch", remains("tasks.db"),
      "pragma integrity_check; select text from TaskItem order by text",
    ])
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
    return outcome.output
  }

  @Test("With TASKS_DURABILITY=full a task survives a failure of the power once its id is printed")
  func full() throws {
    #expect(try textsAfterLoss("full") == "ok\none\ntwo\n")
  }

  @Test("Without it only the task of the last process may be lost")
  func normal() throws {
    #expect(try textsAfterLoss("normal") == "ok\none\n")
  }

  @Test("A durability that there is not is refused")
  func unknown() throws {
    let outcome = try add("one", ["TASKS_DURABILITY": "great"])
    let sentence = "tasks: TASKS_DURABILITY is normal or full, not “great”.\n"
    #expect(outcome == .init(status: 1, output: "", errors: sentence))
  }
}
