import Foundation
import TestSupport
import Testing

@testable import TasksTUI

@Suite("The start of the agent by a window")
struct AgentLauncherTests {
  /// The processes that this one has started under the program's name, ended ones with the letter Z.
  private func agents() throws -> [Int32: Character] {
    var agents: [Int32: Character] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
      guard let process = Int32(name),
        let text = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8)
      else { continue }
      // The name is between parentheses, and may have any characters.
      let words = text.drop { $0 != "(" }.dropFirst().split(separator: ") ", maxSplits: 1)
      let values = (words.last ?? "").split(separator: " ")
      guard words.first == "tasks-sync", values.count > 1, Int32(values[1]) == getpid() else { continue }
      agents[process] = values[0].first
    }
    return agents
  }

  @Test("Agents that have ended leave no entries in the table of processes, also of several starts in a row")
  func ended() throws {
    let folder = TemporaryFolder()
    let before = Set(try agents().keys)
    // It ends at once: there is no such file.
    let launcher = AgentLauncher(database: folder("none.db"))
    for _ in 0..<3 { try #require(launcher.start()) }
    func started() throws -> [Int32: Character] { try agents().filter { !before.contains($0.key) } }
    let deadline = ContinuousClock.now + Patience.duration
    while try started().values.contains(where: { $0 != "Z" }) {
      try #require(ContinuousClock.now < deadline)
      poll(nil, 0, 20)
    }
    let ended = Set(try started().keys)
    #expect(launcher.start())
    #expect(try ended.isDisjoint(with: started().keys))
  }
}
