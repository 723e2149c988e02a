import Foundation
import LiveStoreFixtures
import Testing

@testable import LiveStore

private enum LetterKind: String, PersistableEnum {
  case work, home, unknown
}

private final class Correspondent: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var friend: Correspondent?

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

private final class Letter: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var kind = LetterKind.unknown
  @Persisted var formerKind: LetterKind?
  @Persisted var sender: Correspondent?
  @Persisted var receivers: List<Correspondent>

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }

  /// All that an observer of letters is told of.
  var content: String {
    "\(kind) \(formerKind?.rawValue ?? "-") \(sender?.id ?? -1) \(sender?.friend?.id ?? -1)"
      + " \(receivers.map(\.id))"
  }
}

extension Correspondent {
  /// References that are not the object's own.
  fileprivate var nearest: ObjectReference<Correspondent> { friend?.reference ?? reference }
}

extension Letter {
  fileprivate var writer: ObjectReference<Correspondent> { sender!.reference }
}

@Suite("Objects and enumerations in predicates")
struct ObjectPredicateTests {
  private let file = TestFile()
  private let test: TestStore
  private var store: Store { test.store }

  init() throws {
    test = try TestStore(file.path, types: [Letter.self, Correspondent.self], keeping: file)
    try test.store.write {
      for id in 0..<6 { test.store.add(Correspondent(id)) }
      for id in 0..<12 { test.store.add(Letter(id)) }
    }
  }

  private func correspondent(_ id: Int) throws -> Correspondent {
    try #require(store.object(ofType: Correspondent.self, forPrimaryKey: id))
  }

  private func sql(_ predicate: Predicate<Letter>) throws -> SQLPredicate? {
    try store.objects(Letter.self).filter(predicate).ranked.query.predicate
  }

  @Test(
    "Links, the object itself and elements of lists are compared with objects, as random writes change them")
  func random() throws {
    let (ann, bob) = (try correspondent(1), try correspondent(2))
    let (a, b) = (ann.reference, bob.reference)
    let nobody: ObjectReference<Correspondent>? = nil
    let both = [a, b]
    let letter = try #require(store.object(ofType: Letter.self, forPrimaryKey: 3))
    let third = letter.reference
    let (work, home) = (LetterKind.work, LetterKind.home)
    let conditions: [(String, Predicate<Letter>, (Letter) -> Bool)] = [
      ("link", #Predicate { $0.sender?.reference == a }, { $0.sender == ann }),
      ("not", #Predicate { $0.sender?.reference != a }, { $0.sender != ann }),
      ("nil", #Predicate { $0.sender?.reference == nobody }, { $0.sender == nil }),
      ("not nil", #Predicate { $0.sender?.reference != nobody }, { $0.sender != nil }),
      ("further", #Predicate { $0.sender?.friend?.reference == b }, { $0.sender?.friend == bob }),
      ("itself", #Predicate { $0.reference != third }, { $0 != letter }),
      ("list", #Predicate { $0.receivers.contains { $0.reference == a } }, { $0.receivers.contains(ann) }),
      (
        "lists", #Predicate { $0.receivers.contains { both.contains($0.reference) } },
        { $0.receivers.contains { $0 == ann || $0 == bob } }
      ),
      ("enum", #Predicate { $0.kind == work }, { $0.kind == .work }),
      ("optional enum", #Predicate { $0.formerKind != home }, { $0.formerKind != .home }),
      ("raw", #Predicate { $0.kind.rawValue > "i" }, { $0.kind.rawValue > "i" }),
      ("raw or nil", #Predicate { $0.formerKind?.rawValue == "home" }, { $0.formerKind == .home }),
    ]
    let letters = store.objects(Letter.self)
    let mirrors = try conditions.map { name, predicate, holds in
      let results = try letters.filter(predicate)
      return CollectionMirror(
        name, keys: { Array(letters).filter(holds).map { "\($0.id)" } },
        contents: { Dictionary(uniqueKeysWithValues: letters.map { ("\($0.id)", $0.content) }) }
      ) { mirror in
        results.observe(keyPaths: ["kind", "formerKind", "sender.friend", "receivers"]) { change in
          mirror.receive(change)
          if case .update(let results, _) = change {
            #expect(results.map(\.id) == Array(letters).filter(holds).map(\.id), "\(name)")
          }
        }
      }
    }
    try store.refresh()
    try withSeededGenerator { random in
      func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
      for _ in 0..<randomSteps(usually: 150) {
        if number(0..<4) == 0 {
          sqlite3(
            file.path,
            """
            UPDATE Letter SET sender = nullif(\(number(0..<7)), 6), kind = 'home' WHERE id = \(number(0..<12));
            UPDATE Correspondent SET friend = \(number(0..<6)) WHERE id = \(number(0..<6));
            """)
        } else {
          try store.write {
            let chosen = letters[number(0..<letters.count)]
            let someone = try correspondent(number(0..<6))
            switch number(0..<6) {
            case 0: chosen.sender = number(0..<3) == 0 ? nil : someone
            case 1: chosen.kind = LetterKind.allCases[number(0..<3)]
            case 2: chosen.formerKind = number(0..<3) == 0 ? nil : LetterKind.allCases[number(0..<3)]
            case 3: chosen.receivers.append(someone)
            case 4: if !chosen.receivers.isEmpty { chosen.receivers.remove(at: 0) }
            default: someone.friend = try correspondent(number(0..<6))
            }
          }
        }
        try store.refresh()
        for mirror in mirrors { mirror.check("after a step") }
      }
    }
    for mirror in mirrors { mirror.token?.invalidate() }
  }

  @Test("A link is compared by its column, which has an index")
  func indexed() throws {
    let ann = try correspondent(1).reference
    #expect(try sql(#Predicate { $0.sender?.reference == ann })?.sql == "\"Letter\".\"sender\" = ?")
    #expect(try sql(#Predicate { $0.sender?.reference == ann })?.parameters == [.integer(1)])
    let work = LetterKind.work
    #expect(try sql(#Predicate { $0.kind == work })?.parameters == [.text("work")])
    let text = LetterKind.work.rawValue
    #expect(try sql(#Predicate { $0.kind.rawValue == text })?.sql == "\"Letter\".\"kind\" = ?")
  }

  @Test("An object that belongs to no store is refused with a sentence")
  func unmanaged() throws {
    let new = Correspondent(9).reference
    let error = #expect(throws: QueryError.self) {
      try store.objects(Letter.self).filter(#Predicate { $0.sender?.reference == new })
    }
    #expect(error?.description.contains("belongs to no store") == true)
  }

  @Test("The same predicate is true of the same objects in Swift, in any store of the file")
  func evaluating() throws {
    let ann = try correspondent(1)
    try store.write { store.objects(Letter.self)[4].sender = ann }
    let reference = ann.reference
    let predicate = #Predicate<Letter> { $0.sender?.reference == reference }
    #expect(try Array(store.objects(Letter.self)).filter { try predicate.evaluate($0) }.map(\.id) == [4])
    let other = try TestStore(file.path, types: [Correspondent.self, Letter.self]).store
    #expect(try other.objects(Letter.self).filter(predicate).map(\.id) == [4])
  }

  @Test("The reference of another object than the one that is asked for is refused")
  func referencesOfOthers() throws {
    let ann = try correspondent(1).reference
    for predicate: Predicate<Letter> in [
      #Predicate { $0.sender?.friend!.reference == ann }, #Predicate { $0.writer == ann },
      #Predicate { $0.sender?.nearest == ann }, #Predicate { $0.receivers.contains { $0.nearest == ann } },
    ] {
      #expect(throws: QueryError.self, "\(predicate)") { try store.objects(Letter.self).filter(predicate) }
    }
  }
}
