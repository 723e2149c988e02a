import Foundation
import LiveStoreFixtures
import Testing

@testable import LiveStore

/// Queries that the file lets run until they come to a value.
@Suite("Queries that fail at a value")
struct FailingQueryTests {
  private let file = TestFile()
  private let test: TestStore
  private var store: Store { test.store }

  init() throws {
    try file.addPeople(1...4)
    test = try file.open()
  }

  private static let firstTags = "SELECT id, json_extract(nickname, '$[0]') AS tag FROM Person ORDER BY id"

  @Test(
    "L14: a statement that fails at a value ends its own observers only, and everything else goes on",
    arguments: [true, false])
  func failingAtValue(isObserved: Bool) throws {
    try store.write { test.person(1).nickname = "[1]" }
    let rows = try store.select(sql: Self.firstTags)
    #expect(rows.count == 4)
    let seen = isObserved ? SQLObservation(rows) : nil
    #expect(test.turns { seen?.isReady ?? true })
    let (people, events) = (test.observe(store.objects(Person.self)), StoreObservation(store))
    sqlite3(file.path, "UPDATE Person SET nickname = 'none' WHERE id = 1")
    #expect(test.turns { people.changes.count == 1 })
    #expect(people.change == ChangeSet(mod: [0]) && test.person(1).nickname == "none")
    if isObserved {
      #expect(
        seen?.error?.description.contains("A query of") == true
          && seen?.error?.report?.contains("JSON") == true)
    }
    #expect(store.failure == nil && events.events == [.didChange])
    try store.write { test.person(2).age = 21 }
    sqlite3(file.path, "UPDATE Person SET age = 31 WHERE id = 3")
    try store.refresh()
    #expect(people.changes.count == 2 && people.changes.last == ChangeSet(mod: [1, 2]))
    // Reading them fails, and is no more than that.
    #expect(rows.isEmpty)
    let error = try #require(store.failure)
    #expect(test.turns { events.events.contains(.failed(error)) }, "\(events.events)")
    #expect(!people.events.contains { if case .error = $0 { true } else { false } })
    // A write that has read them is not committed: it may have been misled.
    #expect(throws: error) { try store.write { if rows.isEmpty { store.deleteAll() } } }
    try store.write { test.person(1).nickname = "[2]" }
    #expect(store.failure == nil && rows.map { $0["tag"] } == [.integer(2), .null, .null, .null])
    #expect(people.rows == ["1", "2", "3", "4"])
  }

  /// The people whose nickname, read as JSON, is something.
  private func named() throws -> Results<Person> {
    let people = try store.objects(Person.self).filter(#Predicate { $0.nickname != nil })
    var readable = try #require(people.ranked.query.predicate)
    readable.sql = "json_extract(\"Person\".\"nickname\", '$') IS NOT NULL"
    return Results(
      try people.ranked.derived { (query) throws(QueryError) in
        try query.filter(readable, reading: ObjectRow(root: query.elements, schema: query.schema))
      })
  }

  @Test("L14: a collection whose condition fails at a value ends its own observers only, in writes too")
  func conditionFailingAtValue() throws {
    try store.write { for id in 1...3 { test.person(id).nickname = "1" } }
    let named = try named()
    let sections = named.sectioned { $0.age / 20 }
    #expect(named.count == 3 && sections.count == 2)
    let (seen, all) = (test.observe(named), test.observe(store.objects(Person.self)))
    var sectionsError: StoreError?
    let token = sections.observe { if case .error(let error) = $0 { sectionsError = error } }
    test.store.processNotifications()
    try store.write(withoutNotifying: [try #require(seen.token)]) { test.person(2).nickname = "none" }
    #expect(test.turns { seen.events.count == 2 && sectionsError != nil && all.changes.count == 1 })
    guard case .error(let error)? = seen.events.last else {
      Issue.record("\(seen.events)")
      return
    }
    #expect(error.description == sectionsError?.description && store.failure == nil)
    #expect(named.count == 0 && store.failure?.description == error.description)
    // One that has not been read fails when it is first needed.
    let late = Observation(try self.named())
    #expect(test.turns { late.isReady })
    guard case .error? = late.events.first else {
      Issue.record("\(late.events)")
      return
    }
    sqlite3(file.path, "UPDATE Person SET nickname = '2' WHERE id IN (2, 4)")
    try store.refresh()
    #expect(named.count == 4 && sections.map(\.count) == [1, 2, 1])
    // An order that a write has made fail is there again when the write is cancelled.
    try store.beginWrite()
    test.person(4).nickname = "none"
    #expect(store.objects(Person.self).count == 4)
    store.cancelWrite()
    #expect(named.map(\.id) == [1, 2, 3, 4] && sections.map(\.count) == [1, 2, 1])
    token.invalidate()
  }
}
