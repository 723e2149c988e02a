import Foundation
import Testing

@testable import LiveStore

enum Genre: String, PersistableEnum {
  case novel, comic
}

final class Volume: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var genre = Genre.novel
}

final class Recipe: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var steps: [String] = []
  @Persisted var tags: Set<String> = []
  @Persisted var grams: [String: Int] = [:]
}

@Suite("Queries.md")
struct QueriesArticleTests {
  private let library: Library
  private let test: TestStore
  private var store: Store { test.store }

  init() throws {
    library = try Library()
    test = try library.open()
  }

  /// The SQL of the condition of some results, without that of the class.
  private func sql<Element: Object>(_ predicate: Predicate<Element>) throws -> String {
    try store.objects(Element.self).filter(predicate).ranked.query.predicate?.sql ?? ""
  }

  @Test("The table shows the SQL that each predicate becomes")
  func table() throws {
    let title = "Momo"
    let titles = ["Momo", "Atlas"]
    let ende = try #require(store.object(ofType: Author.self, forPrimaryKey: 1)).reference
    let momo = store.book(2).reference
    let made = [
      try sql(#Predicate<Book> { $0.readers > 2 }),
      try sql(#Predicate<Book> { $0.title == title }),
      try sql(#Predicate<Book> { $0.readers * 2 > $0.id && !$0.title.isEmpty }),
      try sql(#Predicate<Book> { (1...9).contains($0.readers) }),
      try sql(#Predicate<Book> { titles.contains($0.title) }),
      try sql(#Predicate<Book> { $0.title.contains("om") }),
      try sql(#Predicate<Book> { $0.title.starts(with: "M") }),
      try sql(#Predicate<Book> { $0.author?.reference == ende }),
      try sql(#Predicate<Book> { $0.author == nil }),
      try sql(#Predicate<Book> { $0.author?.name == "Ende" }),
      try sql(#Predicate<Book> { ($0.author?.name ?? "") < "F" }),
      try sql(#Predicate<Shelf> { $0.books.isEmpty }),
      try sql(#Predicate<Shelf> { $0.books.count > 2 }),
      try sql(#Predicate<Shelf> { $0.books.contains { $0.reference == momo } }),
      try sql(#Predicate<Shelf> { $0.books.contains { $0.readers > 2 } }),
      try sql(#Predicate<Shelf> { $0.books.allSatisfy { $0.readers > 2 } }),
      try sql(#Predicate<Shelf> { $0.books.first?.title == "Momo" }),
      try sql(#Predicate<Recipe> { $0.tags.contains("sweet") }),
      try sql(#Predicate<Recipe> { $0.steps.count > 2 }),
      try sql(#Predicate<Recipe> { $0.tags.isEmpty }),
      try sql(#Predicate<Recipe> { $0.grams["salt"] == 5 }),
    ]
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let written = source.split(separator: "\n").compactMap { line -> String? in
      guard line.hasPrefix("      try sql(#Predicate<"), let start = line.firstRange(of: "> { ") else {
        return nil
      }
      return String(line[start.upperBound...].dropLast(" }),".count))
    }
    let expected = zip(written, made).map { "| `\($0)` | `\($1)` |" }
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
    let article = try String(
      contentsOf: root.appendingPathComponent("Sources/LiveStore/LiveStore.docc/Queries.md"), encoding: .utf8)
    let shown = article.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
    #expect(written.count == made.count)
    #expect(shown == expected, "\(expected.joined(separator: "\n"))")
  }

  @Test("Collections are filtered, sorted, limited, put together and added up")
  func code() throws {
    let popular = try store.objects(Book.self)
      .filter(#Predicate { $0.readers > 2 && $0.author?.name == "Ende" })
      .sorted(by: [SortProperty(\.readers, ascending: false), SortProperty(\.title)])
      .limit(10)
    let author = try #require(store.object(ofType: Author.self, forPrimaryKey: 1))
    let momo = store.book(2).reference
    let words = "OM"
    try store.write { for id in [1, 2, 3] { store.book(id).readers = 2 + id } }
    #expect(popular.map(\.title) == ["Momo", "Atlas"])

    let ende = author.reference
    let byEnde = try store.objects(Book.self).filter(#Predicate { $0.author?.reference == ende })
    let shelves = try store.objects(Shelf.self)
      .filter(#Predicate { $0.books.contains { $0.reference == momo } })
    #expect(byEnde.map(\.id) == [1, 2] && shelves.map(\.name) == ["Children"])

    var conditions = [QueryCondition<Book>(#Predicate { $0.readers > 0 })]
    if !words.isEmpty {
      conditions.append(QueryCondition(\.title, .contains(words, options: .caseInsensitive)))
    }
    let found = try store.objects(Book.self).filter(.all(of: conditions))
    let rest = try store.objects(Book.self).filter(!.all(of: conditions))
    #expect(found.map(\.id) == [2] && rest.map(\.id) == [1, 3])

    var shown = 0
    let count = popular.count
    let readers = store.objects(Book.self).liveSum(of: \.readers)
    let token = readers.observe { change in
      if let sum = change.value { shown = sum }
    }
    try store.refresh()
    #expect(count == 2 && shown == 12)
    token.invalidate()
    let byAuthor = store.objects(Book.self).liveCount(by: \.author?.name)
    #expect(byAuthor.value == ["Ende": 2, nil: 1])
    var shownCounts = byAuthor.value
    let groups = byAuthor.observeGroups { change in
      if case .update(let counts, let changes) = change {
        for author in changes.insertions.union(changes.modifications) { shownCounts[author] = counts[author] }
        for author in changes.deletions { shownCounts[author] = nil }
      }
    }
    try store.refresh()
    try store.write { store.book(1).author = nil }
    try store.refresh()
    #expect(shownCounts == ["Ende": 1, nil: 2])
    try store.write { store.book(1).author = author }
    groups.invalidate()
  }

  @Test("Arrays, sets and dictionaries are changed, compared and searched")
  func collectionsOfValues() throws {
    try store.write {
      let recipe = try store.create(Recipe.self)
      recipe.steps.append("Stir.")
      recipe.tags.insert("sweet")
      recipe.grams["sugar", default: 0] += 500
    }
    let sweet = try store.objects(Recipe.self)
      .filter(#Predicate { $0.tags.contains("sweet") && ($0.grams["salt"] ?? 0) < 5 })
    let tags: Set = ["sweet"]
    let same = try store.objects(Recipe.self).filter(#Predicate { $0.tags == tags })
    #expect(sweet.map(\.steps) == [["Stir."]] && same.map(\.grams) == [["sugar": 500]])
    let file = "SELECT * FROM Recipe"
    #expect(sqlite3(library.file.path, file).hasSuffix(#"0|["Stir."]|["sweet"]|{"sugar":500}"# + "\n"))
  }

  @Test("A list is changed like an array")
  func lists() throws {
    let shelf = try #require(store.object(ofType: Shelf.self, forPrimaryKey: "Children"))
    let (atlas, zettel) = (store.book(1), store.book(3))
    try store.write {
      try shelf.books.removeAll(matching: #Predicate { $0.readers > 100 })
      shelf.books.removeAll { $0.readers > 1 }
      shelf.books.sort { $0.title > $1.title }
      shelf.books.replaceSubrange(1..<2, with: [zettel, atlas])
    }
    #expect(shelf.books.map(\.title) == ["Momo", "Zettel", "Atlas"])
  }

  @Test("Enumerations are compared with a value from outside, and by their raw values")
  func enumerations() throws {
    let file = TestFile()
    let store = try TestStore(file.path, types: [Volume.self], keeping: file).store
    try store.write {
      for id in 0..<4 {
        try store.create(Volume.self, value: ["id": id, "genre": id % 2 == 0 ? "comic" : "novel"])
      }
    }
    let comic = Genre.comic
    let comics = try store.objects(Volume.self).filter(#Predicate { $0.genre == comic })
    let others = try store.objects(Volume.self).filter(#Predicate { $0.genre.rawValue != "comic" })
    #expect(comics.map(\.id) == [0, 2] && others.map(\.id) == [1, 3])
  }
}
