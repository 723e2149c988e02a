import Foundation
import LiveStoreFixtures
import Synchronization
import Testing

@testable import LiveStore

private final class Room: Object {
  @Persisted(primaryKey: true) var name = ""
}

private final class Note: Object {
  @Persisted(primaryKey: true) var id = UUID()
  @Persisted var title = ""
  @Persisted var body: String?
  @Persisted var isRead = false
  @Persisted var room: Room?

  override class var rules: [ObjectRule] { [.searchable(\Note.title, \Note.body)] }

  convenience init(_ title: String, _ body: String? = nil) {
    self.init()
    (self.title, self.body) = (title, body)
  }
}

private enum Unsearchable {
  final class Note: Object {
    @Persisted(primaryKey: true) var id = UUID()
    @Persisted var title = ""
    @Persisted var body: String?
    @Persisted var isRead = false
  }
}

/// A class whose primary key is a searchable text, and whose texts have names that the index uses too.
private final class Page: Object {
  @Persisted(primaryKey: true) var key = ""
  @Persisted var number = ""
  @Persisted var fresh = ""

  override class var rules: [ObjectRule] { [.searchable(\Page.key, \Page.number, \Page.fresh)] }

  convenience init(_ key: String, _ number: String) {
    self.init()
    (self.key, self.number) = (key, number)
  }
}

private final class Ranked: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var rank = ""

  override class var rules: [ObjectRule] { [.searchable(\Ranked.rank)] }
}

/// One callback of a search, and a view that takes every change set.
private final class SearchObservation {
  private(set) var view: [UUID] = []
  private(set) var changes: [ChangeSet] = []
  private(set) var isReady = false
  private(set) var token: NotificationToken?

  init(_ results: SearchResults<Note>) {
    token = results.observe { [unowned self] change in
      switch change {
      case .initial(let matches): (view, isReady) = (matches.map(\.object.id), true)
      case .update(let matches, let changes):
        self.changes.append(changes)
        let now = matches.map(\.object.id)
        view.follow(changes) { now[$0] }
        #expect(!changes.isEmpty && view == now, "\(changes) does not lead to \(now)")
        view = now
      case .error(let error): Issue.record("\(error)")
      }
    }
  }
}

@Suite("Full-text search")
struct SearchTests {
  private let file = TestFile()
  private let test: TestStore
  private var store: Store { test.store }

  init() throws {
    test = try TestStore(file.path, types: [Note.self, Room.self], keeping: file)
    try store.write {
      store.add([
        Note("Swift on Linux", "Objects that live in an SQLite file"),
        Note("Kaffee", "Café und Crème brûlée"),
        Note("Nothing"), Note("SQLite", "SQLite, SQLite and once more SQLite"),
      ])
    }
  }

  private func titles(_ text: String, _ matching: SearchMatching = .words) throws -> [String] {
    try store.search(Note.self, for: text, matching: matching).map(\.object.title)
  }

  /// Whether the index has all of the log, and is sound by the check of FTS5.
  private var isIndexed: Bool {
    sqlite3(
      file.path,
      """
      INSERT INTO _livestore_search_Note (_livestore_search_Note) VALUES ('integrity-check');
      SELECT (SELECT value LIKE max(seq) || ' %' FROM _livestore_log) FROM _livestore_meta WHERE name = 'search Note';
      SELECT count(*) - (SELECT count(*) FROM Note) FROM _livestore_search_Note
      """) == "1\n0\n"
  }

  @Test("Words, beginnings, phrases and expressions are found, the best first, with the words marked")
  func matching() throws {
    #expect(try titles("sqlite") == ["SQLite", "Swift on Linux"])
    #expect(try titles("creme CAFE") == ["Kaffee"] && titles("cre", .words).isEmpty)
    #expect(try titles("cre br", .prefixes) == ["Kaffee"])
    #expect(try titles("live in", .phrase) == ["Swift on Linux"] && titles("in live", .phrase).isEmpty)
    #expect(
      try titles("title: sqlite OR kaffee", .expression) == ["SQLite", "Kaffee"]
        || titles("title: sqlite OR kaffee", .expression) == ["Kaffee", "SQLite"])
    #expect(try titles("once\0more") == ["SQLite"] && titles("\0 cre\0br", .prefixes) == ["Kaffee"])
    #expect(try titles("live\0in", .phrase) == ["Swift on Linux"] && titles("\0") == [])
    #expect(try titles("title:\0kaffee\0", .expression) == ["Kaffee"])
    #expect(try titles("") == [] && titles("\" ' * -") == [] && titles("nichts") == [])
    let match = try #require(store.search(Note.self, for: "live", marks: ("<", ">")).first)
    #expect(match.snippet == "Objects that <live> in an SQLite file")
    #expect(try store.search(Note.self, for: "sqlite", limit: 1).count == 1)
    let error = #expect(throws: StoreError.self) { try titles("(", .expression) }
    #expect(error?.code == .misuse)
    #expect(throws: StoreError.self) { try store.search(Room.self, for: "x") }
    #expect(isIndexed)
  }

  @Test("Among results only they are found")
  func filtered() throws {
    try store.write { store.objects(Note.self).first { $0.title == "SQLite" }?.isRead = true }
    let unread = try store.objects(Note.self).filter(#Predicate { !$0.isRead })
    let found = try unread.search(for: "sqlite")
    let seen = SearchObservation(found)
    _ = test.turns { seen.isReady }
    #expect(found.map(\.object.title) == ["Swift on Linux"])
    sqlite3(file.path, "UPDATE Note SET isRead = 0, title = title || '!' WHERE title = 'SQLite'")
    try store.refresh()
    #expect(found.count == 2 && seen.view.count == 2)
  }

  @Test("Texts may be the primary key and have the names of the index's columns, in any results")
  func names() throws {
    let file = TestFile()
    var test = try TestStore(file.path, types: [Page.self], keeping: file)
    try test.store.write {
      test.store.add([Page("ash", "elm"), Page("birch", "elm"), Page("cedar", "ash")])
    }
    test.store.close()
    // Another program's row, so that the index is made anew.
    sqlite3(file.path, "INSERT INTO Page VALUES ('oak', 'elm', ''); DROP TABLE _livestore_search_Page")
    test = try TestStore(file.path, types: [Page.self], keeping: file)
    let pages = test.store.objects(Page.self)
    func found(_ results: Results<Page>, _ text: String) throws -> [String] {
      try results.search(for: text).map(\.object.key).sorted()
    }
    func check() throws {
      #expect(try found(pages, "elm") == ["ash", "birch", "oak"])
      #expect(try found(pages.sorted(by: \.key).limit(2), "elm") == ["ash", "birch"])
      #expect(try found(pages.sorted(by: \.key).distinct(by: [\.number]), "elm") == ["ash"])
      #expect(test.store.failure == nil)
    }
    try check()
    try test.store.write { test.store.add(Page("zelkova", "oak")) }
    try check()
    try test.store.write {
      #expect(pages.sorted(by: \.key).limit(2).update(.set(\.number, to: "yew")) == 2)
      let yews = try found(pages, "yew")
      #expect(yews == ["ash", "birch"])
      #expect(pages.sorted(by: \.key).limit(2).deleteAll() == 2)
    }
    #expect(try found(pages, "elm") == ["oak"])
  }

  @Test("A text with a name that FTS5 keeps for itself is refused, with the name to change")
  func reservedName() throws {
    let error = #expect(throws: StoreError.self) { try TestStore(TestFile().path, types: [Ranked.self]) }
    #expect(error?.code == .schema)
    #expect(
      error?.description
        == "Ranked.rank has a name that full-text indexes keep for themselves; rename the property.")
  }

  @Test(
    "What other programs write is found at once, before the index has it, and the next write takes it over")
  func foreign() throws {
    let found = try store.search(Note.self, for: "linux")
    let seen = SearchObservation(found)
    #expect(test.turns { seen.isReady } && seen.view.count == 1)
    #expect(
      sqlite3(file.path, "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%search%'")
        == "0\n")
    sqlite3(
      file.path,
      "INSERT INTO Note (title, body) VALUES ('Theirs', 'on Linux'); DELETE FROM Note WHERE title LIKE 'Swift%'"
    )
    #expect(!isIndexed)
    try store.refresh()
    #expect(found.map(\.object.title) == ["Theirs"] && seen.changes.count == 1)
    try store.write { store.add(Room()) }
    #expect(isIndexed && found.map(\.object.title) == ["Theirs"])
    #expect(try titles("sqlite") == ["SQLite"])
  }

  @Test(
    "L1: The order of the matches and the change sets do not depend on when the index was brought up to date")
  func catchingUp() throws {
    let found = try store.search(Note.self, for: "sqlite")
    let seen = SearchObservation(found)
    #expect(test.turns { seen.isReady })
    // Better than the others, but after them as long as the index does not have it.
    sqlite3(file.path, "INSERT INTO Note (title, body) VALUES ('SQLite', 'SQLite')")
    try store.refresh()
    let theirs = try #require(seen.view.last)
    func check() throws {
      let fresh = try store.search(Note.self, for: "sqlite").map(\.object.id)
      #expect(found.map(\.object.id) == fresh && seen.view == fresh)
    }
    try check()
    try store.write { store.add(Room()) }
    #expect(test.turns { seen.view.first == theirs })
    try check()
    // A row that is as it was before counts as new too.
    sqlite3(
      file.path,
      "UPDATE Note SET title = 'x' WHERE body = 'SQLite'; UPDATE Note SET title = 'SQLite' WHERE title = 'x'")
    try store.refresh()
    #expect(seen.view.last == theirs)
    try check()
    // Another store takes it over.
    let other = try TestStore(file.path, types: [Note.self, Room.self], keeping: file)
    try other.store.write { other.store.add([Note("unrelated", "text")]) }
    #expect(test.turns { seen.view.first == theirs })
    try check()
  }

  @Test("An open write finds what it has written, and a cancelled one leaves nothing")
  func writing() throws {
    let found = try store.search(Note.self, for: "new")
    try store.beginWrite()
    store.add(Note("new"))
    store.objects(Note.self).first { $0.title == "Kaffee" }?.body = "new"
    #expect(found.map(\.object.title).sorted() == ["Kaffee", "new"])
    store.cancelWrite()
    #expect(found.isEmpty && isIndexed)
    let (seen, skipping) = (SearchObservation(found), SearchObservation(found))
    #expect(test.turns { seen.isReady && skipping.isReady })
    try store.write(withoutNotifying: [skipping.token!]) { store.add(Note("new")) }
    #expect(test.turns { seen.changes == [ChangeSet(ins: [0])] })
    #expect(skipping.changes.isEmpty && found.count == 1)
  }

  @Test("The index follows its rule, is made anew when it is lost, and after a migration")
  func declarations() throws {
    store.close()
    let without = try Store(
      Store.Configuration(path: file.path, objectTypes: [Room.self]),
      scheduler: .fileDescriptor(NotificationSource()))
    try without.write { without.add(Room()) }
    without.close()
    #expect(sqlite3(file.path, "SELECT count(*) FROM _livestore_search_Note") == "4\n")
    sqlite3(
      file.path,
      "UPDATE Note SET body = 'lost words'; DELETE FROM _livestore_log WHERE seq < (SELECT max(seq) FROM _livestore_log)"
    )
    var again = try TestStore(file.path, types: [Note.self, Room.self], keeping: file)
    #expect(try again.store.search(Note.self, for: "lost").count == 4 && isIndexed)
    again.store.close()
    var configuration = Store.Configuration(
      path: file.path, schemaVersion: 2, objectTypes: [Unsearchable.Note.self])
    try Store(configuration, scheduler: .fileDescriptor(NotificationSource())).close()
    #expect(sqlite3(file.path, "SELECT count(*) FROM sqlite_schema WHERE name LIKE '%search%'") == "0\n")
    configuration.objectTypes = [Note.self, Room.self]
    configuration.schemaVersion = 3
    again = try TestStore(configuration)
    #expect(try again.store.search(Note.self, for: "lost").count == 4)
  }

  @Test("A search finds the rows of its matches without looking at others, and is not made for other changes")
  func cost() throws {
    var configuration = Store.Configuration(path: file.path, objectTypes: [Note.self, Room.self])
    let searches = Mutex<[String]>([])
    configuration.trace = { statement in
      if statement.sql.contains("MATCH") { searches.withLock { $0.append(statement.sql) } }
    }
    let traced = try TestStore(configuration)
    let observation = SearchObservation(try traced.store.search(Note.self, for: "sqlite"))
    #expect(traced.turns { observation.isReady })
    let first = searches.withLock { $0 }
    let sql = try #require(first.first { $0.contains("JOIN") })
    let plan = sqlite3(file.path, "EXPLAIN QUERY PLAN " + sql)
    #expect(!plan.contains("SCAN n"), "\(plan)")

    let notes = traced.store.objects(Note.self)
    var updates = -1
    let token = notes.observe { _ in updates += 1 }
    defer { token.invalidate() }
    for number in 0..<4 {
      #expect(traced.turns { updates == number })
      try traced.store.write { notes[0].isRead.toggle() }
    }
    #expect(traced.turns { updates == 4 })
    #expect(searches.withLock { $0.count } == first.count)
    let note = notes[0]
    try traced.store.write { note.body = "SQLite, too" }
    #expect(traced.turns { !observation.changes.isEmpty })
  }

  @Test("Where the log does not say what has been written, the next write makes the index anew")
  func refilled() throws {
    sqlite3(
      file.path,
      "UPDATE Note SET body = 'anew'; "
        + "DELETE FROM _livestore_log WHERE seq < (SELECT max(seq) FROM _livestore_log)")
    try store.refresh()
    #expect(try titles("anew").count == 4 && !isIndexed)
    try store.write { store.add(Room()) }
    #expect(try titles("anew").count == 4 && isIndexed)
    sqlite3(file.path, "DROP TABLE _livestore_search_Note")
    try store.write { store.add(Note("after")) }
    #expect(try titles("after") == ["after"])
  }

  @Test(
    "Whatever store or program writes, a search finds what a loop over the texts finds, and tells every change"
  )
  func random() throws {
    try withSeededGenerator { random in
      let words = ["ash", "birch", "cedar", "elm"]
      func text() -> String {
        (0..<Int.random(in: 0...4, using: &random)).map { _ in words.randomElement(using: &random)! }
          .joined(separator: " ")
      }
      let other = try TestStore(file.path, types: [Note.self, Room.self], keeping: file)
      let searches = ["ash", "birch cedar", "elm"]
      let results = try searches.map { try store.search(Note.self, for: $0) }
      let views = results.map { SearchObservation($0) }
      let elsewhere = SearchObservation(try other.store.search(Note.self, for: "ash"))
      func check(_ store: Store) throws {
        for search in searches {
          let wanted = Set(search.split(separator: " "))
          let expected = Array(store.objects(Note.self)).filter { note in
            wanted.isSubset(of: (note.title + " " + (note.body ?? "")).split(separator: " "))
          }
          let found = try store.search(Note.self, for: search)
          try #require(
            Set(found.map(\.object.id)) == Set(expected.map(\.id)) && found.count == expected.count)
        }
      }
      for _ in 0..<randomSteps(usually: 120) {
        let writer = [store, store, other.store].randomElement(using: &random)!
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
          try writer.write { for _ in 0..<2 { writer.add(Note(text(), text())) } }
        case 2:
          try writer.write {
            let note = writer.objects(Note.self).randomElement(using: &random)
            note?.body = text()
            note?.isRead.toggle()
          }
        case 3:
          try writer.write {
            writer.delete(try writer.objects(Note.self).filter(#Predicate { $0.title == "" }))
          }
        case 4:
          sqlite3(file.path, "INSERT INTO Note (title, body) VALUES ('\(text())', '\(text())')")
        case 5:
          sqlite3(
            file.path,
            "UPDATE Note SET body = '\(text())' WHERE id > hex(randomblob(1))")
        case 6:
          sqlite3(file.path, "DELETE FROM Note WHERE id IN (SELECT id FROM Note ORDER BY random() LIMIT 2)")
        default:
          try writer.beginWrite()
          writer.add(Note(text(), text()))
          writer.objects(Note.self).first?.title = text()
          try check(writer)
          writer.cancelWrite()
        }
        if Bool.random(using: &random) {
          try store.refresh()
          try other.store.refresh()
        }
        try check(store)
        try check(other.store)
      }
      try store.refresh()
      try other.store.refresh()
      for (result, view) in zip(results, views) { try #require(view.view == result.map(\.object.id)) }
      let there = try other.store.search(Note.self, for: "ash")
      try #require(elsewhere.view == there.map(\.object.id))
      try store.write { store.add(Note("end")) }
      #expect(isIndexed)
    }
  }

  @Test("A negative limit stops the program with a sentence")
  func negativeLimit() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let file = TestFile()
        let test = try TestStore(file.path, types: [Note.self, Room.self], keeping: file)
        _ = try test.store.search(Note.self, for: "sqlite", limit: -1).count
      }, says: "A search cannot be limited to -1 matches.")
  }
}
