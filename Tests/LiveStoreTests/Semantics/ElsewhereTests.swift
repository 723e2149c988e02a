import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import LiveStore

/// A reference to a store that does not keep it, handed from the queue that the store belongs to.
private final class WeakStore: @unchecked Sendable {
  // Set on the queue, read after the queue has done all that it was given.
  weak var store: Store?
}

@Suite("A callback on another scheduler")
struct ElsewhereTests {
  private let fixture: KeeperFixture
  private let test: TestStore
  private let queue = DispatchQueue(label: "elsewhere")
  private let log = CallbackLog()

  init() throws {
    fixture = try KeeperFixture()
    test = try fixture.open()
  }

  @Test(
    "R132: it is called there, with a collection that has the same query, at the version delivered (R146)")
  func results() throws {
    let (queue, log) = (queue, log)
    let old = try test.keepers.filter(#Predicate { $0.age > 10 }).sorted(by: \.age, ascending: false)
    let token = old.observe(keyPaths: [\.name], on: .queue(queue)) { change in
      dispatchPrecondition(condition: .onQueue(queue))
      switch change {
      case .initial(let results):
        log.append("\(results.map(\.id)) \(results.ranked.live.tree?.count ?? -1)")
      case .update(let results, let changes):
        log.append("\(results.map(\.id)) \(changes.insertions) \(changes.modifications)")
        #expect(results.ranked.live.tree?.count == results.count)
        #expect(results.first.map { results.index(of: $0) } == 0)
      case .error(let error): log.append("\(error)")
      }
    }
    #expect(log.wait(for: 1) == ["[] 0"])
    try test.write { _ in
      try test.keeper(2).age = 20
      try test.keeper(3).age = 30
    }
    #expect(log.wait(for: 2).last == "[3, 2] [0, 1] []")
    try test.write { _ in try test.keeper(2).nickname = "off the path" }
    try test.write { _ in try test.keeper(2).name = "x" }
    #expect(log.wait(for: 3).last == "[3, 2] [] [1]")
    token.invalidate()
  }

  @Test("A table that another program removes before the store is opened there is not made anew")
  func removedTable() throws {
    let log = log
    queue.suspend()
    let token = test.keepers.observe(on: .queue(queue)) { change in
      if case .error(let error) = change { log.append("\(error)") } else { log.append("\(change)") }
    }
    let path = fixture.file.path
    sqlite3(path, "PRAGMA legacy_alter_table = ON; ALTER TABLE Keeper RENAME TO Away")
    queue.resume()
    #expect(log.wait(for: 1).first?.contains("Another program has removed the table Keeper") == true)
    #expect(sqlite3(path, "SELECT count(*) FROM sqlite_schema WHERE name = 'Keeper'") == "0\n")
    token.invalidate()
  }

  @Test("A list is that of the same owner")
  func list() throws {
    let log = log
    try test.write { _ in try test.keeper(2).hounds.append(try test.hound(4)) }
    let token = try test.keeper(2).hounds.observe(on: .queue(queue)) { change in
      switch change {
      case .initial(let list), .update(let list, _): log.append("\(list.map(\.id))")
      case .error(let error): log.append("\(error)")
      }
    }
    #expect(log.wait(for: 1) == ["[4]"])
    try test.write { _ in try test.keeper(2).hounds.insert(try test.hound(1), at: 0) }
    #expect(log.wait(for: 2).last == "[1, 4]")
    token.invalidate()
  }

  private static func text(_ change: ObjectChange<Keeper>) -> String {
    switch change {
    case .change(let keeper, let changes):
      "\(keeper.id) " + changes.map { "\($0.name) \($0.oldValue ?? "-") \($0.newValue ?? "-")" }.joined()
    case .deleted: "deleted"
    case .error(let error): "\(error)"
    }
  }

  @Test("L1: an object that changes before the store there is open is told of")
  func object() throws {
    let log = log
    queue.suspend()
    let token = try test.keeper(1).observe(keyPaths: ["age"], on: .queue(queue)) { log.append(Self.text($0)) }
    let deleted = try test.keeper(2).observe(on: .queue(queue)) { log.append(Self.text($0)) }
    try test.write {
      try test.keeper(1).age = 3
      try test.keeper(1).name = "off the path"
      $0.delete(try test.keeper(2))
    }
    queue.resume()
    #expect(Set(log.wait(for: 2)) == ["1 age 0 3", "deleted"])
    try test.write { _ in try test.keeper(1).age = 4 }
    #expect(log.wait(for: 3).last == "1 age 3 4")
    #expect(token.invalidate())
    #expect(!deleted.invalidate())
  }

  @Test("The token keeps the store there open; without it, it is closed there")
  func lifetime() throws {
    let log = log
    let there = WeakStore()
    var token: NotificationToken? = test.keepers.observe(on: .queue(queue)) { change in
      if case .initial(let results) = change { there.store = results.store }
      log.append("called")
    }
    #expect(log.wait(for: 1).count == 1)
    #expect(token != nil && queue.sync { there.store != nil && there.store?.isClosed == false })
    token = nil
    queue.sync {}
    #expect(queue.sync { there.store == nil })
    try test.write { $0.add(Keeper(9)) }
    try test.store.refresh()
    queue.sync {}
    #expect(log.wait(for: 1).count == 1)
  }

  @Test("A token that is gone before the store there is open: nothing is opened")
  func endedBefore() {
    let log = log
    queue.suspend()
    test.keepers.observe(on: .queue(queue)) { _ in log.append("called") }.invalidate()
    queue.resume()
    queue.sync {}
    #expect(log.wait(for: 0) == [])
  }

  @Test("L14: a store that cannot be opened there is an error")
  func failure() throws {
    let log = log
    sqlite3(fixture.file.path, "PRAGMA user_version = 99")
    let token = test.keepers.observe(on: .queue(queue)) { change in
      if case .error(let error) = change { log.append("\(error.code)") }
    }
    #expect(log.wait(for: 1) == ["newerVersion"])
    #expect(!token.invalidate())
  }

  @Test("L14: a program with a file descriptor has to open its store itself")
  func fileDescriptor() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let test = try KeeperFixture().open()
        _ = test.keepers.observe(on: .fileDescriptor(test.source)) { _ in }
      },
      says:
        "The scheduler of a file descriptor cannot open a store; open one in that program, and observe there."
    )
  }
}
