import Foundation
import Glibc
import LiveStore
import PostgreSQLCluster
import TestSupport

@testable import LiveStoreSync

/// Five machines in one space, people at them, and everything that can go wrong between them.
final class SyncChaos {
  private let folder = TemporaryFolder()
  private let cluster: TestCluster
  private let database: String
  private var machines: [ChaosMachine] = []
  private let people: ChaosPeople
  /// A connection to the server beside all bad networks.
  private var server: ServerConnection
  private(set) var counts = Counts()

  struct Counts {
    var rounds = 0
    var changes = 0
    var told = 0
    var cuts = 0
    var lostAnswers = 0
    var agentKills = 0
    var commandKills = 0
    var serverKills = 0
    var clocksSet = 0
  }

  init(_ random: SeededGenerator) throws {
    var random = random
    cluster = try TestCluster(settings: ["fsync=off", "max_connections=100"])
    database = try cluster.createDatabase(roles: ["anna"])
    server = try ServerConnection(url: ServerURL(cluster.url(database)))
    try server.install()
    for number in 0..<5 {
      let skew = [0, Int64.random(in: -3600...3600, using: &random)].randomElement(using: &random)!
      machines.append(
        try ChaosMachine(
          "m\(number)", in: folder.url, port: cluster.port, database: database, skew: skew
        ) { tasks in
          guard number == 0 else { return }
          for list in ["Home", "Work"] { try tasks(["list-add", list]) }
          for task in 0..<10 { try tasks(["add", "t\(task)"]) }
        })
    }
    for machine in machines { try machine.startAgent() }
    people = try ChaosPeople(machines, random)
    try waitForRest()
  }

  // Before their folder goes.
  deinit { machines = [] }

  // MARK: A round

  /// - Returns: What was wrong afterwards, in sentences.
  func runRound() throws -> [String] {
    counts.rounds += 1
    let conflicts = try machines.map { try $0.lastConflict() }
    try people.begin()
    let tasks = people.ledger.base.objects.count
    // In some rounds hardly anyone has a network.
    if people.int(0...2) == 0 {
      for (number, machine) in machines.enumerated() where people.int(0...3) > 0 {
        machine.network.change { $0.isCut = true }
        people.ledger.apart.insert(number)
      }
    }
    for _ in 0..<people.int(15...50) {
      let machine = people.int(0...4)
      switch people.int(0...99) {
      case 0..<70: try people.act(on: machine, tasks: tasks)
      case 70..<88: worsen(machine)
      case 88..<92: if !people.ledger.apart.contains(machine) { heal(machine) }
      case 92..<97: try killAgent(machine)
      case 97: try setClock(machine)
      default: if people.int(0...2) == 0 { try killServer() }
      }
      // The moment is what is random here: nothing is waited for.
      poll(nil, 0, Int32(people.int(0...20)))
    }
    for machine in machines {
      try machine.finishCommand()
      heal(machines.firstIndex { $0 === machine }!)
      try machine.startAgent()
    }
    try waitForRest()
    let told = try zip(machines, conflicts).map { try $0.objectsTold(after: $1) }
    counts.changes += people.ledger.said
    counts.told += told.map(\.count).reduce(0, +)
    counts.commandKills = people.kills
    return try check(told)
  }

  private func worsen(_ machine: Int) {
    guard !people.ledger.apart.contains(machine) else { return }
    let network = machines[machine].network
    switch people.int(0...6) {
    case 0: network.change { $0.isCut = true }
    case 1: network.change { $0.isSilent = true }
    case 2:
      let delay = Int64(people.int(1...150))
      network.change { $0.delay = delay }
    case 3:
      let bytes = people.int(1...4000)
      network.change { $0.bytesUp = bytes }
    case 4:
      let bytes = people.int(1...4000)
      network.change { $0.bytesDown = bytes }
    case 5:
      counts.lostAnswers += 1
      network.change { $0.losesAnswer = true }
    default: network.interrupt()
    }
    counts.cuts += 1
  }

  /// Makes the network what it should be; the connections of a silent one go on, or are gone.
  private func heal(_ machine: Int) {
    if people.int(0...1) == 0 { machines[machine].network.interrupt() }
    machines[machine].network.change { $0 = BadNetwork.Conditions(bytesDown: $0.bytesDown == 0 ? 0 : nil) }
  }

  private func killAgent(_ machine: Int) throws {
    machines[machine].killAgent()
    counts.agentKills += 1
    if people.int(0...2) > 0 { try machines[machine].startAgent() }
  }

  private func setClock(_ machine: Int) throws {
    try machines[machine].finishCommand()
    try machines[machine].clock.set(Int64(people.int(-3600...3600)))
    people.ledger.hasSetClock = true
    counts.clocksSet += 1
  }

  private func killServer() throws {
    try cluster.killAndRestart()
    counts.serverKills += 1
    server = try ServerConnection(url: ServerURL(cluster.url(database)))
  }

  // MARK: Rest

  /// Waits until every machine has all that the server has, and the server all that they have.
  private func waitForRest() throws {
    let changed = DispatchSemaphore(value: 0)
    let watches = try machines.map {
      try CommitWatcher.shared.subscribe(path: $0.path) { event in
        changed.signal()
        return event.isAnnouncedCommit ? .upToDate : .moreMayFollow
      }
    }
    defer { for watch in watches { watch.cancel() } }
    let deadline = ContinuousClock.now + Patience.duration * 3 / 2
    while try !areInStep() {
      if let failure = machines.lazy.compactMap(\.agentFailure).first {
        throw ChaosMachine.Failure(description: failure)
      }
      guard ContinuousClock.now < deadline else {
        let states = try machines.map { "\($0.name): \(try $0.isInStep(with: head())) \($0.status)" }
        throw ChaosMachine.Failure(
          description: "The machines do not come to rest at version \(try head()): \(states)")
      }
      // A change on the server wakes no one here: then an agent, which that wakes, writes a file.
      _ = changed.wait(timeout: .now() + .milliseconds(100))
    }
  }

  private func head() throws -> Int64 {
    try server.query("SELECT coalesce(max(version), 0) FROM livestore.space").integer(0, 0) ?? 0
  }

  private func areInStep() throws -> Bool {
    let version = try head()
    return try machines.allSatisfy { try $0.isInStep(with: version) } && version == head()
  }

  // MARK: The check

  private func check(_ told: [Set<String>]) throws -> [String] {
    let contents = try machines.map { try $0.content() }
    var faults: [String] = []
    for (machine, content) in zip(machines, contents) {
      if content != contents[0] {
        faults.append("\(machine.name) differs from m0: \(content.difference(from: contents[0]))")
      }
      if try machine.rows("PRAGMA integrity_check") != [["ok"]] {
        faults.append("\(machine.name) is damaged")
      }
      let dangling = try machine.rows("PRAGMA foreign_key_check")
      if !dangling.isEmpty { faults.append("\(machine.name) has entries that lead nowhere: \(dangling)") }
      if let failure = machine.agentFailure { faults.append(failure) }
    }
    let losses = people.ledger.losses(in: contents[0], told: told)
    return try faults + losses.map { try "\($0)\n\(accounts(of: $0))" }
  }

  /// The words of each machine about the object with which a sentence begins, for people.
  private func accounts(of sentence: String) throws -> String {
    let object = SQLiteValue.text(String(sentence.prefix { $0 != " " }))
    let deletions = people.ledger.deeds.filter { $0.change == .deleted }.map {
      "\($0.object) on m\($0.machine)"
    }
    let accounts = try machines.map { machine in
      let file = try JoinedFile(path: machine.path)
      let identity = SyncedObject.Identity(type: "TaskItem", key: object)
      var cells: [String: HybridClock] = [:]
      let known = try file?.known(identity)?.object
      for (number, cell) in known?.cells ?? [:] {
        cells[try file?.cellName(number, type: identity.type) ?? ""] = cell.clock
      }
      let held = try file?.heldValues(of: identity) ?? [:]
      let conflicts = try file?.conflicts().filter { $0.identity == identity } ?? []
      return "\(machine.name), replica \(file?.replica ?? 0): \(cells); life \(known?.life ?? -1), "
        + "deletion \(known?.deletion.map { "\($0)" } ?? "none"); held \(held); \(conflicts)"
    }
    return (accounts + ["deleted in this round: \(deletions)", "unknown: \(people.ledger.unknown.sorted())"])
      .joined(separator: "\n")
  }

  /// Whether a machine that joins now gets what the others have.
  func checkNewMachine() throws -> [String] {
    let new = try ChaosMachine(
      "new\(counts.rounds)", in: folder.url, port: cluster.port, database: database, skew: 0)
    let (own, others) = (try new.content(), try machines[0].content())
    return own == others ? [] : ["A new machine gets something else: \(own.difference(from: others))"]
  }
}

extension ChaosMachine {
  fileprivate func lastConflict() throws -> SQLiteValue {
    try rows("SELECT coalesce(max(number), 0) FROM _livesync_conflict")[0][0]
  }

  /// The objects of which people were told after a conflict.
  fileprivate func objectsTold(after number: SQLiteValue) throws -> Set<String> {
    guard case .integer(let number) = number else { return [] }
    return Set(try texts("SELECT key FROM _livesync_conflict WHERE number > \(number)"))
  }
}
