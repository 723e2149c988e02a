import FoundationEssentials
import Glibc
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("Programs that know nothing of LiveStore")
struct ForeignProgramTests {
  private let file = TestFile()

  @Test("Deleting objects with foreign keys off leaves no entry and no link that leads nowhere")
  func dangling() throws {
    try file.addOwner(of: ["a", "b", "c"])
    try file.addPeople([2, 3])
    let test = try file.observer()
    try test.write { _ in test.person(2).friend = test.person(3) }
    let dogs = test.observe(test.person(1).dogs)
    let people = test.observe(test.people)
    #expect(sqlite3(file.path, "pragma foreign_keys") == "0\n")
    sqlite3(file.path, "delete from Dog where name = 'b'")
    #expect(test.turns { dogs.rows.count == 2 && !people.changes.isEmpty })
    #expect(dogs.changes == [ChangeSet(del: [1])])
    #expect(people.changes == [ChangeSet(mod: [0])])
    sqlite3(file.path, "delete from Person where id = 3")
    #expect(test.turns { people.rows == ["1", "2"] })
    #expect(people.changes.last == ChangeSet(del: [2], mod: [1]))
    #expect(test.person(2).friend == nil)
    #expect(sqlite3(file.path, "select count(*) from Person where friend is not null") == "0\n")
    sqlite3(file.path, "delete from Dog")
    #expect(test.turns { dogs.rows.isEmpty })
    #expect(sqlite3(file.path, "select count(*) from Person_dogs; pragma foreign_key_check") == "0\n")
    sqlite3(
      file.path,
      "insert into Dog (id, name) values ('x', 'x'); insert into Person_dogs (owner, target) values (1, 'x')")
    sqlite3(file.path, "delete from Person")
    #expect(sqlite3(file.path, "select count(*) from Person_dogs; pragma foreign_key_check") == "0\n")
  }

  @Test("Deleting with foreign keys on does the same")
  func cascades() throws {
    try file.addOwner(of: ["a", "b", "c"])
    let test = try file.observer()
    let dogs = test.observe(test.person(1).dogs)
    sqlite3(file.path, "pragma foreign_keys = on; delete from Dog where name <> 'b'")
    #expect(test.turns { dogs.rows.count == 1 })
    #expect(dogs.changes == [ChangeSet(del: [0, 2])])
  }

  @Test("An entry inserted without a position goes to the end; several in their order")
  func insertedEntry() throws {
    try file.addOwner(of: ["a", "b"])
    let test = try file.observer()
    let dogs = test.observe(test.person(1).dogs)
    sqlite3(
      file.path,
      """
      begin;
      insert into Dog (id, name) values ('x', 'x'), ('y', 'y'), ('w', 'w');
      insert into Person_dogs (owner, target) values (1, 'x');
      insert into Person_dogs (owner, target) values (1, 'y'), (1, 'w');
      commit;
      """)
    #expect(test.turns { !dogs.changes.isEmpty })
    #expect(test.dogNames == ["a", "b", "x", "y", "w"])
    #expect(dogs.changes == [ChangeSet(ins: [2, 3, 4])])
    // And we go on behind it.
    try test.write { _ in
      test.person(1).dogs.append(Dog("c"))
      test.person(1).dogs.insert(Dog("between"), at: 3)
      test.person(1).dogs.move(from: 0, to: 4)
    }
    #expect(test.dogNames == ["b", "x", "between", "y", "a", "w", "c"])
  }

  @Test("A row inserted with its key alone has the defaults of the class")
  func defaults() throws {
    let test = try file.observer()
    let people = test.observe(test.people)
    sqlite3(file.path, "insert into Person (id) values (1)")
    #expect(test.turns { people.rows == ["1"] })
    let person = test.person(1)
    let fresh = Person()
    #expect(person.name == fresh.name && person.age == fresh.age && person.mood == fresh.mood)
    #expect(person.born == nil && person.friend == nil && person.dogs.isEmpty)
    sqlite3(file.path, "insert into Dog (name) values ('Rex')")
    try test.store.refresh()
    let dog = test.store.objects(Dog.self)[0]
    #expect(UUID(uuidString: sqlite3(file.path, "select id from Dog").trimmed) == dog.id)
  }

  @Test("A link or an entry that leads nowhere is read as none, and does no harm")
  func insertedDangling() throws {
    try file.addOwner(of: ["a"])
    let test = try file.observer()
    let people = test.observe(test.people)
    let sorted = test.observe(test.person(1).dogs.sorted(by: \.name))
    sqlite3(file.path, "insert into Person (id, friend) values (5, 77)")
    #expect(test.turns { people.rows == ["1", "5"] })
    #expect(test.person(5).friend == nil)
    sqlite3(file.path, "insert into Person (id) values (77)")
    #expect(test.turns { people.rows == ["1", "5", "77"] })
    #expect(test.person(5).friend?.id == 77)
    #expect(sorted.changes == [])
  }

  @Test("Preparing a damaged file removes no entry of a list: the row to which it leads may be saved yet")
  func keptEntries() throws {
    try file.addOwner(of: ["a", "b"])
    // The triggers and the notes of the classes are lost, and a row.
    sqlite3(
      file.path,
      """
      PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE type = 'trigger';
      DELETE FROM _livestore_meta
      """)
    sqlite3(file.path, "DELETE FROM Dog WHERE name = 'a'")
    let test = try file.open()
    #expect(sqlite3(file.path, "SELECT count(*) FROM Person_dogs") == "2\n")
    #expect(test.person(1).dogs.map(\.name).count == 2 && test.store.failure != nil)
  }

  @Test("An entry for an object or an owner that does not exist is refused, with its name")
  func insertedDanglingEntry() throws {
    try file.addOwner(of: ["a"])
    let test = try file.observer()
    let dogs = test.observe(test.person(1).dogs)
    let foreign = try Connection(path: file.path, create: false)
    for (owner, target, column) in [("1", "'nobody'", "target"), ("99", "(SELECT id FROM Dog)", "owner")] {
      let error = #expect(throws: StoreError.self) {
        try foreign.execute("INSERT INTO Person_dogs (owner, target) VALUES (\(owner), \(target))")
      }
      #expect(error?.description.contains("Person_dogs.\(column) names no") == true)
      let updated = #expect(throws: StoreError.self) {
        try foreign.execute("UPDATE Person_dogs SET \(column) = \(owner == "1" ? target : owner)")
      }
      #expect(updated?.description.contains("Person_dogs.\(column) names no") == true)
    }
    try test.store.refresh()
    #expect(dogs.changes == [])
    #expect(test.dogNames == ["a"])
  }

  @Test("Values of other types than the class says are read as something, never a crash")
  func wrongTypes() throws {
    try file.addPeople([1])
    let test = try file.observer()
    let people = test.observe(test.people)
    let byAge = test.observe(test.people.sorted(by: \.age))
    let old = test.observe(try test.people.filter(#Predicate { $0.age > 50 }))
    sqlite3(
      file.path,
      """
      begin;
      update Person set age = 'many', name = x'00ff', weight = 'heavy', isAdmin = 'yes', born = 'never', photo = 7,
        badge = 'none', mood = 'furious', nickname = 3.5, friend = 'nobody' where id = 1;
      insert into Person (id, age, weight, isAdmin, mood, badge) values (2, 1e300, x'', 17, 5, x'0011');
      insert into Person (id, age, weight) values (3, x'00', 9e999);
      insert into Person (id, age) values (-9223372036854775808, 3.75);
      commit;
      """)
    #expect(test.turns { people.rows.count == 4 && byAge.rows.count == 4 })
    for person in test.people {
      _ = (person.id, person.name, person.age, person.weight, person.isAdmin, person.born, person.photo)
      _ = (person.badge, person.mood, person.nickname, person.friend?.id, person.dogs.count)
    }
    try test.store.refresh()
    #expect(old.rows.count >= 0)
    try test.write { _ in
      for person in test.people { person.age = 60 }
    }
    try test.store.refresh()
    #expect(old.rows.count == 4)
  }

  @Test("Text that is not UTF-8, or has NULs and control characters, does no harm as a value")
  func badText() throws {
    try badText(
      keys: ["'one'", "'two'", "'three'"],
      names: ["cast(x'61ff62' as text)", "cast(x'1b5b324a00' as text)", "cast(x'c0af' as text)"])
  }

  @Test("Keys with NULs and control characters do no harm")
  func oddKeys() throws {
    try badText(
      keys: ["cast(x'610062' as text)", "cast(x'00' as text)", "cast(x'1b5b324a' as text)"],
      names: ["'a'", "'b'", "'c'"])
  }

  @Test("Keys that are not UTF-8 do no harm")
  func badKeyText() throws {
    try badText(
      keys: ["cast(x'ff' as text)", "cast(x'61ff62' as text)", "cast(x'c0af' as text)"],
      names: ["'a'", "'b'", "'c'"])
  }

  /// Has another program add three dogs to a list, edit and delete them, and an observer follow.
  private func badText(keys: [String], names: [String]) throws {
    try file.addOwner(of: ["a"])
    let test = try file.observer()
    let all = test.observe(test.store.objects(Dog.self))
    let byName = test.observe(test.store.objects(Dog.self).sorted(by: \.name))
    let dogs = test.observe(test.person(1).dogs)
    for (key, name) in zip(keys, names) {
      sqlite3(
        file.path,
        "insert into Dog (id, name) values (\(key), \(name)); insert into Person_dogs (owner, target) "
          + "values (1, \(key))"
      )
    }
    #expect(test.turns { all.rows.count == 4 && byName.rows.count == 4 && dogs.rows.count == 4 })
    for dog in test.store.objects(Dog.self) { _ = (dog.id, dog.name) }
    for dog in test.person(1).dogs { _ = (dog.id, dog.name) }
    sqlite3(file.path, "update Dog set name = 'renamed'")
    try test.store.refresh()
    #expect(test.store.objects(Dog.self).allSatisfy { $0.name == "renamed" })
    try test.write { store in
      for dog in Array(store.objects(Dog.self)) { dog.name = "ours" }
    }
    #expect(sqlite3(file.path, "select count(*) from Dog where name = 'ours'") == "4\n")
    try test.write { store in
      for dog in Array(store.objects(Dog.self)) { store.delete(dog) }
    }
    try test.store.refresh()
    #expect(sqlite3(file.path, "select count(*) from Dog") == "0\n")
    #expect(all.rows == [] && dogs.rows == [])
  }

  @Test("Keys of another type than the class says do no harm")
  func badKeys() throws {
    try file.addPeople([1])
    let test = try file.observer()
    let all = test.observe(test.store.objects(Dog.self))
    sqlite3(
      file.path,
      "insert into Dog (id, name) values (17, 'number'), (1.5, 'real'), (x'00ff', 'blob'), ('', 'empty'), "
        + "('text', 't')"
    )
    #expect(test.turns { all.rows.count == 5 })
    for dog in test.store.objects(Dog.self) { _ = (dog.id, dog.name) }
    sqlite3(file.path, "update Dog set name = name || '!'; delete from Dog where name = 'empty!'")
    #expect(test.turns { all.rows.count == 4 })
    try test.write { store in
      for dog in Array(store.objects(Dog.self)) { store.delete(dog) }
    }
    try test.store.refresh()
    #expect(all.rows.isEmpty)
    #expect(sqlite3(file.path, "select count(*) from Dog") == "0\n")
  }

  @Test("A foreign VACUUM, ANALYZE, REINDEX, new index or checkpoint changes nothing that is shown")
  func maintenance() throws {
    try file.addOwner(of: ["a", "b"])
    try file.addPeople(2...5)
    let test = try file.observer()
    let people = test.observe(test.people)
    let dogs = test.observe(test.person(1).dogs)
    sqlite3(
      file.path,
      "analyze; reindex; vacuum; create index if not exists mine on Person (name); pragma "
        + "wal_checkpoint(truncate)",
      // The log cannot be cut while the observer reads.
      waiting: 100)
    try test.write { _ in test.person(3).name = "x" }
    sqlite3(
      file.path, "alter table Person add column remark text; update Person set remark = 'r' where id = 4")
    sqlite3(file.path, "update Person set name = 'y', remark = 's' where id = 5")
    try test.store.refresh()
    #expect(people.rows == ["1", "2", "3", "4", "5"])
    #expect(Set(people.changes.flatMap(\.modifications)) == [2, 4])
    #expect(people.changes.allSatisfy { $0.deletions.isEmpty && $0.insertions.isEmpty })
    #expect(dogs.changes == [])
    try test.write { $0.delete(test.person(2)) }
    #expect(test.people.map(\.name) == ["owner", "x", "p4", "y"])
  }
}

extension String {
  fileprivate var trimmed: String { String(prefix { $0 != "\n" }) }
}
