import CSQLite
import Glibc
import LiveStoreFixtures
import Synchronization
import Testing

@testable import LiveStore

/// Notes the statements that read people, by the thread that ran them.
private final class StatementLog: Sendable {
  struct Counts: Equatable {
    var here = 0
    var elsewhere = 0
  }

  private let counts = Mutex(Counts())
  private let thread = pthread_self()

  /// Begins to note what the connections of a store run.
  init(_ store: Store) {
    for snapshot in [store.coordinator.front, store.coordinator.openedBack].compactMap(\.self) {
      sqlite3_trace_v2(
        snapshot.connection.handle, UInt32(SQLITE_TRACE_STMT),
        { _, context, statement, _ in
          guard let context, let statement, let sql = sqlite3_sql(OpaquePointer(statement)),
            String(cString: sql).contains("\"Person\"")
          else { return 0 }
          Unmanaged<StatementLog>.fromOpaque(context).takeUnretainedValue().note()
          return 0
        }, Unmanaged.passUnretained(self).toOpaque())
    }
  }

  private func note() {
    let isHere = pthread_equal(thread, pthread_self()) != 0
    counts.withLock { if isHere { $0.here += 1 } else { $0.elsewhere += 1 } }
  }

  func take() -> Counts {
    counts.withLock { counts in
      defer { counts = Counts() }
      return counts
    }
  }

  func end(_ store: Store) {
    for snapshot in [store.coordinator.front, store.coordinator.openedBack].compactMap(\.self) {
      sqlite3_trace_v2(snapshot.connection.handle, 0, nil, nil)
    }
  }
}

@Suite("Where queries are computed")
struct WhereComputedTests {
  private let file = TestFile()

  init() throws { try file.addPeople(1...2_000) }

  @Test("R146: what is observed is computed by the worker alone, at first and after every change")
  func observed() throws {
    let test = try file.observer()
    let writer = try file.open()
    let log = StatementLog(test.store)
    defer { log.end(test.store) }
    var calls = 0
    var count = 0
    let token = test.people.sorted(by: \.age).observe { change in
      calls += 1
      // The number of elements is known: nothing has to be read for it.
      if case .update(let people, _) = change { count = people.count }
    }
    #expect(test.turns { calls == 1 })
    var counts = log.take()
    #expect(counts.here == 0 && counts.elsewhere > 0, "\(counts)")
    try writer.write { $0.add(Person(id: 3_000, age: 7)) }
    #expect(test.turns { calls == 2 })
    counts = log.take()
    #expect(counts.here == 0 && counts.elsewhere > 0, "\(counts)")
    #expect(count == 2_001)
    token.invalidate()
  }

  @Test("R146: asking for an element computes here and now, and only what is asked for")
  func asked() throws {
    let test = try file.observer()
    let log = StatementLog(test.store)
    defer { log.end(test.store) }
    let people = test.people.sorted(by: \.age, ascending: false)
    #expect(log.take() == StatementLog.Counts())
    // One for the first keys in order, one for the row.
    #expect(people.first?.id == 2_000)
    var counts = log.take()
    #expect(counts.here == 2 && counts.elsewhere == 0, "\(counts)")
    #expect(people[10].id == 1_990)
    counts = log.take()
    #expect(counts.here == 1 && counts.elsewhere == 0, "\(counts)")
    #expect(people.count == 2_000)
    counts = log.take()
    #expect(counts.here == 1 && counts.elsewhere == 0, "\(counts)")
    // None of it has read the whole order.
    #expect(people.ranked.live.tree == nil)
  }
}
