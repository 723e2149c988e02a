import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore

private final class Note: Object {
  @Persisted(primaryKey: true) var title: String = ""
  @Persisted var size: Int = 0
  @Persisted var text: String?
  @Persisted var blob: Data?
}

@Suite("The rows that differ between two versions, found with few searches or many")
struct VersionDifferenceTests {
  /// Old and new values by key, as the model has them.
  private typealias Model = [SQLiteValue: RowImage]

  private func read(_ snapshot: Snapshot, _ table: Table) throws -> Model {
    let statement = try Statement(
      snapshot.connection, "SELECT \(table.columnList) FROM \(quoted(table.name))")
    let rows = try statement.all { $0.values(0..<table.columns.count) }
    return Dictionary(uniqueKeysWithValues: rows.map { ($0[table.primaryKey], $0) })
  }

  private func check(_ changes: TableChanges, _ old: Model, _ new: Model, _ table: Table, _ note: Comment) {
    var expected: Set<SQLiteValue> = []
    for key in Set(old.keys).union(new.keys) where old[key] != new[key] { expected.insert(key) }
    #expect(changes.count == expected.count, note)
    #expect(Set(changes.keys) == expected, note)
    var last: OrderedKey?
    for (key, change) in changes {
      let ordered = OrderedKey(key)
      expectInLoop(last.map { $0 < ordered } ?? true, "\(note): \(key) is out of order")
      last = ordered
      expectInLoop(change.old?.image == old[key], "\(note): \(key)")
      expectInLoop(change.new?.image == new[key], "\(note): \(key)")
      expectInLoop(changes.contains(key: key), "\(note): \(key)")
      if let before = change.old, let after = change.new {
        for column in table.columns.indices {
          expectInLoop(before[column] == old[key]?[column], "\(note): \(key)")
          expectInLoop(
            before.differs(from: after, in: column) == (before[column] != after[column]), "\(note): \(key)")
        }
      }
    }
    for key in old.keys where !expected.contains(key) {
      expectInLoop(changes[key] == nil, "\(note): \(key) did not change")
    }
  }

  @Test("Neighbours, single rows and rows that are not there are found alike, whatever the keys are")
  func between() throws {
    try withSeededGenerator { random in
      for round in 0..<12 {
        let file = TestFile()
        let types: [Object.Type] = [Person.self, Dog.self, Note.self]
        let test = try TestStore(file.path, types: types)
        let store = test.store
        func number() -> Int { Int.random(in: -3_000..<3_000, using: &random) }
        func title() -> String {
          // Some with a long common beginning, some short, some beyond ASCII.
          ["a note with number \(number())", "\(number() % 40)", "ä\(number())", "é\u{301}\(number() % 9)"]
            .randomElement(using: &random)!
        }
        func fill(_ count: Int) {
          for _ in 0..<count {
            let id = number()
            if store.object(ofType: Person.self, forPrimaryKey: id) == nil {
              store.add(Person(id: id, name: "n\(id)", age: id))
            }
            let dog = Dog("d\(id)")
            dog.id = UUID(
              uuid: (
                UInt8(truncatingIfNeeded: id), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
                UInt8(truncatingIfNeeded: id >> 8), 15
              ))
            if store.object(ofType: Dog.self, forPrimaryKey: dog.id) == nil { store.add(dog) }
            let key = title()
            if store.object(ofType: Note.self, forPrimaryKey: key) == nil {
              let note = Note()
              note.title = key
              note.size = id
              note.text = id % 3 == 0 ? nil : "text \(id)"
              note.blob = id % 4 == 0 ? Data([UInt8(truncatingIfNeeded: id), 0]) : nil
              store.add(note)
            }
          }
        }
        try store.write { fill([0, 10, 4_000][round % 3]) }

        let old = try Snapshot(Connection(path: file.path, create: false), schema: store.schema)
        let base = try old.open()
        try store.write {
          fill([3, 40, 2_000][round / 3 % 3])
          let run = number()..<3_000
          for person in Array(store.objects(Person.self)) {
            switch Int.random(in: 0..<(run.contains(person.id) ? 4 : 60), using: &random) {
            case 0: person.age += 1
            case 1: store.delete(person)
            case 2: person.age = person.age
            default: break
            }
          }
          for note in Array(store.objects(Note.self)) where Int.random(in: 0..<5, using: &random) == 0 {
            if Bool.random(using: &random) { store.delete(note) } else { note.text = "é" }
          }
          for dog in Array(store.objects(Dog.self)) where Int.random(in: 0..<9, using: &random) == 0 {
            dog.name += "x"
          }
        }
        let new = try Snapshot(Connection(path: file.path, create: false), schema: store.schema)
        let version = try new.open()
        let touched = try #require(
          try ChangeLog.touched(
            after: base, through: version, schema: store.schema, on: new.worker.statements))
        let found = try VersionDifference.between(old.worker, new.worker, touched, schema: store.schema)
        let compared = try VersionDifference.comparing(
          old.worker.statements, new.worker.statements, schema: store.schema)
        for table in store.schema.tables {
          let (before, after) = (try read(old, table), try read(new, table))
          check(found[table], before, after, table, "round \(round), \(table.name), from the log")
          check(compared[table], before, after, table, "round \(round), \(table.name), compared")
        }
      }
    }
  }

  @Test("Keys are in SQLite's order")
  func order() throws {
    let values: [SQLiteValue] = [
      .null, .real(-1e300), .integer(.min), .integer(-1 << 61), .integer(-1), .real(-0.5), .integer(0),
      .real(0.5),
      .integer(1), .integer(2), .integer(1 << 61), .integer(1 << 61 + 1), .integer(.max), .text(""),
      .text("a"), .text("aaaaaaaa"), .text("aaaaaaaaa"), .text("aaaaaaab"), .text("b"), .text("e\u{301}"),
      .text("\u{e9}"), .malformedText([0xff, 1]), .blob([]), .blob([0]), .blob([1, 2]),
    ]
    for (i, a) in values.enumerated() {
      for (j, b) in values.enumerated() {
        let (a, b) = (OrderedKey(a), OrderedKey(b))
        #expect((a < b) == (i < j) && (a == b) == (i == j), "\(a.value) and \(b.value)")
      }
    }
  }
}
