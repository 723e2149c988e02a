import FoundationEssentials
import Testing

@testable import LiveStore

private final class Word: Object {
  @Persisted(primaryKey: true) var text = ""
  @Persisted var meaning: String?
  @Persisted var uses = 0

  convenience init(_ text: String, meaning: String? = nil) {
    self.init()
    (self.text, self.meaning) = (text, meaning)
  }
}

@Suite("Texts that look the same")
struct TextIdentityTests {
  // Equal in Swift, two keys in the file.
  private static let composed = "\u{E9}"
  private static let decomposed = "e\u{301}"

  private let file = TestFile()
  private let test: TestStore

  init() throws {
    test = try TestStore(file.path, types: [Word.self])
    try test.store.write {
      test.store.add(Word(Self.composed))
      test.store.add(Word(Self.decomposed))
    }
  }

  private func word(_ text: String) throws -> Word {
    try #require(test.store.object(ofType: Word.self, forPrimaryKey: text))
  }

  @Test("Values are equal, and one element of a set, when their bytes are")
  func values() {
    let composed = SQLiteValue.text(Self.composed)
    let decomposed = SQLiteValue.text(Self.decomposed)
    #expect(composed != decomposed && Set([composed, decomposed]).count == 2)
    #expect(composed == .text(String(decoding: [0xC3, 0xA9], as: UTF8.self)))
    #expect(SQLiteValue.text("") == .text("") && SQLiteValue.text("") != .null)
    #expect(SQLiteValue.text("a") != .text("b") && SQLiteValue.text("a") != .blob([0x61]))
    let long = String(repeating: "x", count: 40)
    #expect(
      SQLiteValue.text(long + "y") == .text(long + "y") && SQLiteValue.text(long + "y") != .text(long + "z"))
  }

  @Test(
    "L3: one write to both of two keys that look the same is told as two modifications, deleting both as two deletions"
  )
  func keys() throws {
    let words = test.observe(test.store.objects(Word.self))
    try test.store.refresh()
    let other = try TestStore(file.path, types: [Word.self])
    try other.store.write { for word in other.store.objects(Word.self) { word.uses += 1 } }
    try test.store.refresh()
    #expect(words.events.last == .update(ChangeSet(mod: [0, 1])))
    #expect(try [word(Self.composed).uses, word(Self.decomposed).uses] == [1, 1])
    sqlite3(file.path, "UPDATE Word SET uses = 5")
    try test.store.refresh()
    #expect(words.events.last == .update(ChangeSet(mod: [0, 1])))
    try other.store.write { other.store.deleteAll() }
    try test.store.refresh()
    #expect(words.events.last == .update(ChangeSet(del: [0, 1])))
  }

  @Test("Assigning a text that looks like the present one writes it")
  func assigning() throws {
    let word = try word(Self.composed)
    try test.store.write { word.meaning = Self.composed }
    try test.store.write { word.meaning = Self.decomposed }
    let bytes = word.meaning.map { Array($0.utf8) }
    #expect(bytes == Array(Self.decomposed.utf8))
    #expect(sqlite3(file.path, "SELECT hex(meaning) FROM Word WHERE meaning NOT NULL") == "65CC81\n")
  }

  @Test(
    "Texts that look the same make two sections, by a property and by a closure, and are two when made distinct"
  )
  func sections() throws {
    try test.store.write {
      try word(Self.composed).meaning = Self.composed
      try word(Self.decomposed).meaning = Self.decomposed
      test.store.add(Word("f", meaning: "f"))
    }
    let words = test.store.objects(Word.self)
    #expect(words.sectioned(by: \.text).count == 3)
    #expect(words.sectioned(by: \.meaning).count == 3)
    #expect(words.sectioned(by: { $0.meaning }).count == 3)
    #expect(words.sectioned(by: \.meaning).map(\.count) == [1, 1, 1])
    #expect(words.distinct(by: [\.meaning]).count == 3)
    let text = Self.composed
    #expect(try words.filter(#Predicate { $0.meaning == text }).count == 1)
  }

  @Test("A quotation mark or a star that carries an accent is one to SQLite")
  func accentedMarks() throws {
    #expect(quoted("a\"\u{301}") == "\"a\"\"\u{301}\"")
    #expect(literal("a'\u{301}") == "'a''\u{301}'")
    try test.store.write { test.store.add(Word("ab*\u{301}")) }
    let words = test.store.objects(Word.self)
    #expect(try words.filter(\.text, .endsWith("*\u{301}")).map(\.text) == ["ab*\u{301}"])
    #expect(try words.filter(\.text, .endsWith("*\u{301}")).count == 1)
    #expect(try words.filter(\.text, .like("?[\u{301}*")).isEmpty)
  }
}
