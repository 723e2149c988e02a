import Testing

@testable import LiveStore

private final class Pantry: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var grams: [String: Int]
  @Persisted var shelves: [String: [Set<String>]]
  @Persisted var notes: [String: String]?
  @Persisted var list: [[Int]]
}

@Suite("Changes inside dictionaries and other collections of values")
struct KeyChangeTests {
  private let file = TestFile()
  private let test: TestStore
  private let pantry: Pantry

  init() throws {
    test = try TestStore(file.path, types: [Pantry.self], keeping: file)
    let store = test.store
    pantry = try store.write { try store.create(Pantry.self, value: ["id": 1]) }
  }

  /// The properties that an observer of the pantry is told of after a write.
  private func changes(_ body: () throws -> Void) throws -> [PropertyChange] {
    var told: [PropertyChange] = []
    let token = pantry.observe { if case .change(_, let changes) = $0 { told += changes } }
    try body()
    try test.store.refresh()
    token.invalidate()
    return told
  }

  @Test("R121: a dictionary reports keys: deleted ones of the old value, others of the new one")
  func keys() throws {
    try test.store.write { pantry.grams = ["salt": 1, "flour": 2, "é": 3] }
    let changes = try changes {
      try test.store.write {
        pantry.grams["salt"] = nil
        pantry.grams["flour"] = 500
        for key in ["z", "a", ""] { pantry.grams[key] = 1 }
      }
    }
    #expect(changes.map(\.name) == ["grams"])
    let keys = changes[0].keyChanges
    #expect(keys == KeyChanges(deletions: ["salt"], insertions: ["", "a", "z"], modifications: ["flour"]))
    let foreign = try self.changes {
      sqlite3(file.path, #"UPDATE Pantry SET notes = '{"b": "1"}', list = '[[1]]' WHERE id = 1"#)
    }
    #expect(foreign.map(\.name) == ["notes", "list"])
    #expect(foreign[0].keyChanges == KeyChanges(deletions: [], insertions: ["b"], modifications: []))
    #expect(foreign[1].keyChanges == nil)
    let cleared = try self.changes { try test.store.write { pantry.notes = nil } }
    #expect(cleared[0].keyChanges == KeyChanges(deletions: ["b"], insertions: [], modifications: []))
  }

  @Test("R120: a change anywhere inside a nested collection is a modification of its key and of its object")
  func nested() throws {
    let all = test.observe(test.store.objects(Pantry.self))
    let changes = try changes {
      try test.store.write { pantry.shelves = ["top": [["jam"], []], "low": []] }
    }
    // Created and filled in one transaction, it is an insertion and no modification.
    #expect(
      changes[0].keyChanges
        == KeyChanges(deletions: [], insertions: ["low", "top"], modifications: []))
    all.clear()
    let inside = try self.changes {
      try test.store.write { _ = pantry.shelves["top"]?[1].insert("honey") }
    }
    #expect(inside[0].keyChanges == KeyChanges(deletions: [], insertions: [], modifications: ["top"]))
    #expect(all.change == ChangeSet(mod: [0], modInNew: [0]))
    all.clear()
    let list = try self.changes { try test.store.write { pantry.list = [[1, 2]] } }
    #expect(list.map(\.name) == ["list"] && all.change == ChangeSet(mod: [0], modInNew: [0]))
  }

  @Test("R121: random dictionaries report the keys in which two models differ")
  func random() throws {
    try withSeededGenerator { random in
      var model: [String: Int] = [:]
      for _ in 0..<randomSteps(usually: 200) {
        let old = bytewise(model)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let key = ["", "a", "é", "e\u{301}", "x\u{0}y", "\"'", "$.a"].randomElement(using: &random)!
          // Swift takes the same letter in one and in two scalars for one key, and keeps the one that it has.
          if Bool.random(using: &random) { model[key] = nil }
          if Bool.random(using: &random) { model[key] = Int.random(in: 0...2, using: &random) }
        }
        let new = bytewise(model)
        let told = try changes { try test.store.write { pantry.grams = model } }
        guard old != new else {
          expectInLoop(told.isEmpty)
          continue
        }
        let keys = told.first?.keyChanges
        expectInLoop(texts(keys?.deletions) == Set(old.keys).subtracting(new.keys))
        expectInLoop(texts(keys?.insertions) == Set(new.keys).subtracting(old.keys))
        expectInLoop(
          texts(keys?.modifications) == Set(old.keys.filter { new[$0] != nil && new[$0] != old[$0] }))
      }
    }
  }

  @Test("R121: the same letter in one and in two scalars makes two keys, as it makes two texts")
  func scalars() throws {
    try test.store.write { pantry.grams = ["é": 1, "a": 1] }
    let told = try changes { try test.store.write { pantry.grams = ["e\u{301}": 1, "a": 1] } }
    #expect(texts(told.first?.keyChanges?.deletions) == [.text("é")])
    #expect(texts(told.first?.keyChanges?.insertions) == [.text("e\u{301}")])
    #expect(told.first?.keyChanges?.modifications == [])
  }

  /// Keys as values of SQLite, which are equal where their bytes are.
  private func texts(_ keys: [String]?) -> Set<SQLiteValue> { Set((keys ?? []).map(SQLiteValue.text)) }

  private func bytewise(_ model: [String: Int]) -> [SQLiteValue: Int] {
    Dictionary(uniqueKeysWithValues: model.map { (.text($0), $1) })
  }
}
