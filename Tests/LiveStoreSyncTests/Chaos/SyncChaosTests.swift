import Foundation
import PostgreSQLCluster
import TestSupport
import Testing

/// `make chaos-sync` takes hundreds of rounds.
@Suite("Machines in bad networks", .enabled(if: TestCluster.isInstalled), .serialized)
struct SyncChaosTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["LIVESTORE_ROUNDS"].flatMap { Int($0) } ?? cases(20, sample: 2)

  @Test(
    "Whatever is killed, cut or late, and however wrong the clocks are: all files become equal, and nothing is lost silently"
  )
  func rounds() throws {
    let random = SeededGenerator()
    print(random.comment)
    let start = ContinuousClock.now
    let chaos = try SyncChaos(random)
    for round in 0..<Self.rounds {
      let faults = try chaos.runRound() + (round % 10 == 4 ? chaos.checkNewMachine() : [])
      for fault in faults { Issue.record("\(fault)\n\(random.comment), in round \(round)") }
      if !faults.isEmpty { return }
    }
    print("\(chaos.counts), \(ContinuousClock.now - start)")
  }
}
