import Foundation
import Glibc
import LiveStore
import Programs

@testable import LiveStoreSync

/// A machine with a file of tasks, a clock, a network, and the programs that people and the system run on it:
/// `tasks`, `tasks-sync`, and one that knows neither.
final class ChaosMachine {
  let name: String
  let path: String
  let network: BadNetwork
  let clock: SkewedClock
  /// A program that knows nothing of LiveStore.
  let program: Connection
  private let environment: [String: String]
  private var agent: ChaosProcess?
  /// The command of `tasks` that runs now.
  private var command: (process: ChaosProcess, take: (ChaosProcess.Outcome) throws -> Void)?

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// - Parameter prepare: Called with the path of `tasks` commands before the file is joined.
  init(
    _ name: String, in folder: URL, port: Int, database: String, skew: Int64,
    prepare: (_ tasks: ([String]) throws -> Void) throws -> Void = { _ in }
  ) throws {
    self.name = name
    let home = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    path = home.appendingPathComponent("tasks.db").path
    network = try BadNetwork(to: port)
    clock = try SkewedClock(path: home.appendingPathComponent("clock").path)
    try clock.set(skew)
    environment = ["HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
      .merging(clock.environment) { $1 }
    let url = "postgresql://anna@127.0.0.1:\(network.port)/\(database)"
    let (path, environment) = (path, environment)
    func run(_ program: String, _ arguments: [String]) throws {
      let outcome = try ChaosProcess(
        [Program.built(program)] + arguments + ["--file", path], environment: environment
      ).finish()
      guard outcome.status == 0 else { throw Failure(description: "\(program) \(arguments): \(outcome)") }
    }
    try prepare { try run("tasks", $0) }
    try run("tasks-sync", ["join", url, "--space", "Home"])
    program = try Connection(path: path, create: false)
    program.setBusyTimeout(milliseconds: 10_000)
    try program.execute("PRAGMA foreign_keys = ON")
  }

  deinit {
    agent?.kill()
    command?.process.kill()
    network.end()
  }

  // MARK: Programs

  func startAgent() throws {
    if let agent, !agent.hasEnded { return }
    agent = try ChaosProcess(
      [Program.built("tasks-sync"), "run", "--file", path], environment: environment)
  }

  func killAgent() {
    agent?.kill()
    agent = nil
  }

  /// The words of an agent that has ended although no one has killed it.
  var agentFailure: String? {
    guard let agent, agent.hasEnded else { return nil }
    return "The agent of \(name) has ended: \(agent.finish())"
  }

  /// Starts a command of `tasks`, after the one before has ended.
  ///
  /// - Parameter take: Called with what it has said, or with the signal that has killed it.
  func start(
    _ arguments: [String], of program: String = "tasks",
    take: @escaping (ChaosProcess.Outcome) throws -> Void
  ) throws {
    try finishCommand()
    command = (
      try ChaosProcess([Program.built(program)] + arguments + ["--file", path], environment: environment),
      take
    )
  }

  func finishCommand(killing: Bool = false) throws {
    guard let (process, take) = command else { return }
    command = nil
    let outcome = killing ? process.kill() : process.finish()
    guard outcome.status >= 0 || killing && outcome.status == -SIGKILL else {
      throw Failure(description: "A command of \(name) has crashed: \(outcome)")
    }
    try take(outcome)
  }

  /// Changes the file as a program that knows nothing of LiveStore, by this machine's clock.
  func write(_ body: () throws -> Void) throws {
    try finishCommand()
    try program.execute("BEGIN IMMEDIATE")
    do {
      let last = try rows("SELECT coalesce(max(seq), 0) FROM _livestore_log")[0][0]
      try body()
      try Statement(program, "UPDATE _livestore_log SET time = time + ? WHERE seq > ?").run(
        .integer(clock.seconds * 1000), last)
      try program.execute("COMMIT")
    } catch {
      try? program.execute("ROLLBACK")
      throw error
    }
  }

  func run(_ sql: String, _ values: SQLiteValue...) throws {
    let statement = try Statement(program, sql)
    statement.bind(values)
    try statement.run()
  }

  func rows(_ sql: String) throws -> [[SQLiteValue]] { try program.rows(sql) }

  func texts(_ sql: String) throws -> [String] {
    try rows(sql).compactMap { if case .text(let text) = $0[0] { text } else { nil } }
  }

  /// Runs a command of `tasks` to its end, which is to be a good one.
  @discardableResult
  func tasks(_ arguments: String...) throws -> String {
    var output = ""
    try start(arguments) { outcome in
      guard outcome.status == 0 else { throw Failure(description: "\(arguments): \(outcome)") }
      output = outcome.output
    }
    try finishCommand()
    return output
  }

  // MARK: State

  /// Whether the file has everything up to a version of the space, and nothing that has to be sent.
  func isInStep(with head: Int64) throws -> Bool {
    guard let file = try JoinedFile(path: path) else { throw Failure(description: "\(name) is not joined") }
    let hasNews = try file.hasNews
    return file.known.number == head && !hasNews
  }

  var status: String { (try? SyncSign.read(database: path)) ?? "no agent" }

  /// The objects of the file.
  func content() throws -> ChaosContent { try ChaosContent(self) }

  /// The owners, not there at present, of tasks and lists that another machine has put into them.
  func heldOwners() throws -> [String: SQLiteValue] {
    var owners: [String: SQLiteValue] = [:]
    let places = try rows("SELECT key, value FROM \(SyncTables.held) WHERE name = '\(SyncedObject.place)'")
    for row in places {
      if case .text(let id) = row[0] { owners[id] = Placement(row[1])?.owner }
    }
    return owners
  }
}

/// Everything in a file that has to be equal on all machines.
struct ChaosContent: Equatable {
  /// The rows, and the entries of lists in their order.
  private(set) var rows: [[SQLiteValue]] = []
  /// The values of tasks and lists by their ids; `@place` is the owner of the list that they are in.
  private(set) var objects: [String: [String: SQLiteValue]] = [:]
  /// The number of lists that each task and list is in.
  private(set) var places: [String: Int] = [:]

  init(_ machine: ChaosMachine) throws {
    try machine.program.execute("BEGIN")
    defer { try? machine.program.execute("COMMIT") }
    for (table, cells) in [
      ("TaskItem", ["text", "notes", "priority", "completed"]), ("TaskList", ["text", "completed"]),
    ] {
      rows += try machine.rows("SELECT '\(table)', * FROM \(table) ORDER BY id")
      for row in try machine.rows("SELECT id, \(cells.joined(separator: ", ")) FROM \(table)") {
        guard case .text(let id) = row[0] else { continue }
        objects[id] = Dictionary(uniqueKeysWithValues: zip(cells, row.dropFirst()))
        places[id] = 0
      }
    }
    for list in ["TaskListList_items", "TaskList_items", "TaskItem_subtasks"] {
      let entries = try machine.rows(
        "SELECT '\(list)', owner, target, position FROM \(list) ORDER BY owner, position, entry")
      rows += entries
      for entry in entries {
        guard case .text(let id) = entry[2] else { continue }
        objects[id]?["@place"] = entry[1]
        places[id, default: 0] += 1
      }
    }
  }

  /// The rows of each that the other has not, for people.
  func difference(from other: ChaosContent) -> String {
    let (own, others) = (Set(rows), Set(other.rows))
    return own == others
      ? "their order differs"
      : "only here: \(own.subtracting(others)); only there: \(others.subtracting(own))"
  }
}
