import Foundation
import LiveStore
import TestSupport
import Testing

@testable import LiveStoreSync

@Suite("Clocks that are set")
struct SetClockTests {
  private let folder = TemporaryFolder()
  private let space = SpaceModel()
  private let anna: Machine
  private let ben: Machine

  init() throws {
    anna = try Machine("anna", in: folder.path) {
      try $0.execute("INSERT INTO Note (id, text) VALUES ('n', 'Milk')")
    }
    ben = try Machine("ben", in: folder.path)
    try Machine.settle([anna, ben], in: space)
  }

  /// Changes the text of the note, and dates that.
  private func change(_ machine: Machine, to text: String, ahead: Int64 = 0) throws {
    _ = try machine.file.write { () throws(StoreError) in
      machine.file.state[integer: .clockOffset] = ahead
      return try machine.file.capture()
    }
    try machine.program.execute("UPDATE Note SET text = '\(text)'")
    _ = try machine.file.write { () throws(StoreError) in try machine.file.capture() }
  }

  private func expect(text: String) throws {
    for machine in [anna, ben] {
      #expect(try machine.rows("SELECT text FROM Note") == [[.text(text)]], "\(machine.name)")
    }
  }

  @Test("A time in the change log that no clock can say ends nothing", arguments: [Int64.max, .min])
  func impossibleTime(time: Int64) throws {
    try anna.program.execute("UPDATE Note SET text = 'Bread'; UPDATE _livestore_log SET time = \(time)")
    _ = try anna.file.write { () throws(StoreError) in
      anna.file.state[integer: .clockOffset] = time.signum()
      return try anna.file.capture()
    }
    #expect(try anna.file.waitingCount == 1)
  }

  @Test("A change after one whose answer was lost wins over it, also when the clock is set back between")
  func clockAfterLostAnswer() throws {
    // Four minutes ahead of the server, which takes it.
    try anna.file.write { () throws(StoreError) in anna.file.state[integer: .clockOffset] += 240_000 }
    try anna.program.execute("UPDATE Note SET text = 'Bread'")
    space.losesAnswer = true
    #expect(throws: SpaceModel.Lost.self) { _ = try anna.file.exchange(with: space) }
    // A server refuses what is an hour ahead.
    try anna.file.write { () throws(StoreError) in anna.file.state[integer: .clockOffset] += 3_600_000 }
    try anna.program.execute("UPDATE Note SET count = 3")
    _ = try anna.file.write { () throws(StoreError) in try anna.file.capture() }
    try anna.file.setBackClocks(to: WallClock.milliseconds, offset: 0, with: space)
    try anna.program.execute("UPDATE Note SET text = 'Butter'")
    try Machine.settle([anna, ben], in: space)
    for machine in [anna, ben] {
      #expect(try machine.rows("SELECT text, count FROM Note") == [["Butter", 3]])
    }
  }

  @Test("Changes dated ahead are set back, also under a number that the machine had before")
  func formerNumber() throws {
    try change(anna, to: "Bread", ahead: 3_600_000)
    // The server takes the file for a copy.
    try anna.file.write { () throws(StoreError) in anna.file.state[integer: .replica] += 1_000_000 }
    try anna.exchange(with: space)
    try ben.exchange(with: space)
    try expect(text: "Bread")
  }

  @Test("A change that is set back still wins over one that it replaced with knowledge of it")
  func knownChange() throws {
    // The server takes what is four minutes ahead of it, and refuses an hour.
    try change(ben, to: "Bread", ahead: 240_000)
    try ben.exchange(with: space)
    try anna.exchange(with: space)
    try expect(text: "Bread")
    try change(anna, to: "Butter", ahead: 3_600_000)
    try anna.exchange(with: space)
    try ben.exchange(with: space)
    try expect(text: "Butter")
  }
}
