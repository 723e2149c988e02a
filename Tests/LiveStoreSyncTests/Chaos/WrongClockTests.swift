import Foundation
import LiveStore
import PostgreSQLCluster
import TestSupport
import Testing

@testable import LiveStoreSync

@Suite("Clocks that are set", .enabled(if: TestCluster.isInstalled), .serialized)
final class WrongClockTests {
  private let folder = TemporaryFolder()

  @Test(
    "The later of two changes wins, also if a machine's clock was set while its agent ran, with a network or not",
    arguments: [-3600, 3600], [false, true])
  func laterWins(seconds: Int64, isApart: Bool) throws {
    let cluster = try #require(TestCluster.shared)
    let database = try cluster.createDatabase(roles: ["anna"])
    try ServerConnection(url: ServerURL(cluster.url(database))).install()
    let machines = try ["anna", "ben"].map { name in
      try ChaosMachine(name, in: folder.url, port: cluster.port, database: database, skew: 0) { tasks in
        if name == "anna" { try tasks(["add", "Milk"]) }
      }
    }
    let (anna, ben) = (machines[0], machines[1])
    for machine in machines {
      try machine.startAgent()
      try machine.waitForPhase(.inStep)
    }
    let task = try #require(try ben.texts("SELECT id FROM TaskItem").first)
    // The one that is set has perhaps a network, the other has none.
    for machine in isApart ? machines : [ben] {
      machine.network.change { $0.isCut = true }
      try machine.waitForPhase(.offline)
    }
    try anna.clock.set(seconds)
    for (machine, text) in [(ben, "Bread"), (anna, "Butter")] {
      try machine.tasks("edit", task, text)
      try machine.waitForStatus { $0.phase == .inStep || $0.waiting > 0 }
    }
    for machine in machines { machine.network.change { $0.isCut = false } }
    for machine in machines { try machine.waitForText("Butter") }
    // Nor does the leap stay: a later change of the other machine wins.
    ben.network.change { $0.isCut = true }
    try ben.waitForPhase(.offline)
    try anna.tasks("edit", task, "Cheese")
    try ben.tasks("edit", task, "Jam")
    ben.network.change { $0.isCut = false }
    for machine in machines { try machine.waitForText("Jam") }
  }
}

extension ChaosMachine {
  fileprivate func waitForStatus(_ condition: (SyncStatus) -> Bool) throws {
    let deadline = ContinuousClock.now + Patience.duration
    // The agent's file tells no one when it is written.
    while !condition(SyncStatus(text: status)) {
      guard ContinuousClock.now < deadline else { throw Failure(description: "\(name) stays \(status)") }
      poll(nil, 0, 20)
    }
  }

  fileprivate func waitForPhase(_ phase: SyncStatus.Phase) throws {
    try waitForStatus { $0.phase == phase }
  }

  /// Waits for a task with a text.
  fileprivate func waitForText(_ text: String) throws {
    let changed = DispatchSemaphore(value: 0)
    let watch = try CommitWatcher.shared.subscribe(path: path) { event in
      changed.signal()
      return event.isAnnouncedCommit ? .upToDate : .moreMayFollow
    }
    defer { watch.cancel() }
    while try texts("SELECT text FROM TaskItem") != [text] {
      guard changed.wait(timeout: .now() + .milliseconds(Int(Patience.milliseconds))) == .success else {
        throw Failure(
          description: "\(name) has \(try texts("SELECT text FROM TaskItem")) and not \(text): \(status)")
      }
    }
  }
}
