import Foundation
import Testing

@testable import LiveStore

@Suite("Texts in queries")
struct TextQueryTests {
  private static let texts = [
    "", "Zoe", "ZOË", "Zoe\u{308}", "zo", "Straße", "STRASSE", "ﬁn", "FIN", "Σίσυφος", "ΣΊΣΥΦΟΣ", "İstanbul",
    "ılık", "a*b?",
    "a[b", "日本", "x\u{301}\u{302}y",
  ]
  private let test: TestStore

  init() throws {
    test = try TestFile().openLibrary()
    try test.write { store in
      for (id, text) in Self.texts.enumerated() {
        let author = LibraryAuthor(id: id, name: text)
        author.alias = id % 2 == 0 ? text : nil
        store.add(author)
      }
    }
  }

  private func names(_ match: StringMatch) throws -> [String] {
    try test.authors.filter(\.name, match).map(\.name)
  }

  @Test("Case and accents are overlooked where that is asked for")
  func options() throws {
    let both: StringOptions = [.caseInsensitive, .diacriticInsensitive]
    #expect(try names(.equals("zoe", options: both)).count == 3)
    #expect(try names(.equals("zoë", options: .caseInsensitive)).count == 2)
    #expect(try names(.equals("ZOE", options: .diacriticInsensitive)) == ["ZOË"])
    #expect(try names(.equals("Zoe")) == ["Zoe"])
    #expect(try names(.contains("ss", options: .caseInsensitive)) == ["Straße", "STRASSE"])
    #expect(try names(.beginsWith("FI", options: .caseInsensitive)) == ["ﬁn", "FIN"])
    #expect(try names(.endsWith("σ", options: both)).count == 2)
    #expect(try names(.beginsWith("i", options: both)) == ["İstanbul"])
  }

  @Test("Without options, texts are compared by their scalars: composed and decomposed ones differ")
  func composition() throws {
    for make in [StringMatch.equals, StringMatch.contains, StringMatch.beginsWith, StringMatch.endsWith] {
      #expect(try test.authors.filter(\.name, make("Zoe\u{308}", [])).map(\.id) == [3])
      #expect(try test.authors.filter(\.name, make("Zo\u{EB}", [])).isEmpty)
    }
    #expect(try test.authors.filter(\.name, .like("Zoe\u{308}*")).map(\.id) == [3])
  }

  @Test("The ends of texts and patterns, with characters that mean something to SQL")
  func patterns() throws {
    #expect(try names(.endsWith("*b?")) == ["a*b?"])
    #expect(try names(.endsWith("[b")) == ["a[b"])
    #expect(try names(.like("a[?")) == ["a[b"])
    #expect(try names(.like("a*b*")) == ["a*b?", "a[b"])
    let twoCharacters = try names(.like("??"))
    #expect(twoCharacters == ["zo", "ﬁn", "日本"])
    #expect(try names(.contains("")).count == Self.texts.count)
    #expect(try test.authors.filter(\.alias, .contains("")).count == (Self.texts.count + 1) / 2)
  }

  @Test(
    "localizedStandardContains in a predicate is what Foundation makes of it",
    arguments: ["ZOE", "ë", "strasse", "fin", "本", "ΣΙΣ"])
  func standardContains(_ text: String) throws {
    let predicate = #Predicate<LibraryAuthor> { $0.name.localizedStandardContains(text) }
    let found = try test.authors.filter(predicate).map(\.name)
    #expect(found == Self.texts.filter { $0.localizedStandardContains(text) })
    #expect(try found == Array(test.authors).filter { try predicate.evaluate($0) }.map(\.name))
  }

  @Test("caseInsensitiveCompare in a predicate")
  func compare() throws {
    let same = ComparisonResult.orderedSame
    let text = "straSSE"
    let predicate = #Predicate<LibraryAuthor> { $0.name.caseInsensitiveCompare(text) == same }
    #expect(try test.authors.filter(predicate).map(\.name) == ["Straße", "STRASSE"])
    #expect(try Array(test.authors).filter { try predicate.evaluate($0) }.count == 2)
  }

  @Test("A text behind a link, kept up to date")
  func linked() throws {
    try test.write { store in
      let publisher = LibraryPublisher(id: 1, name: "Émile")
      store.add(publisher)
      test.existing(LibraryAuthor.self, 1)?.publisher = publisher
    }
    let results = try test.authors.filter(
      \.publisher!.name, .beginsWith("EM", options: [.caseInsensitive, .diacriticInsensitive]))
    let observation = test.observe(results)
    #expect(observation.rows == ["1"])
    try test.write { _ in test.existing(LibraryPublisher.self, 1)?.name = "x" }
    try test.store.refresh()
    #expect(observation.changes == [ChangeSet(del: [0])])
  }

  @Test("A pattern that SQLite does not read is refused when the query is made")
  func longPatterns() throws {
    let long = String(repeating: "*", count: 16_667)
    #expect(try names(.contains(long)).isEmpty && names(.endsWith(String(long.dropLast()))).isEmpty)
    for match in [StringMatch.endsWith(long), .like(String(repeating: long, count: 3))] {
      let error = #expect(throws: QueryError.self) { try names(match) }
      #expect(error?.description.hasPrefix("A pattern of 50,00") == true)
    }
  }
}
