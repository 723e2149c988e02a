import Foundation
import LiveStoreFixtures
import Testing

@testable import LiveStore

private final class Writer: Object {
  @Persisted(primaryKey: true) var name = ""
}

private final class Article: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var words = 0
  @Persisted var isDraft = false
  @Persisted var writer: Writer?

  override class var rules: [ObjectRule] {
    [
      .searchable(\Article.title), .check("words > -1000000", "an article has so many words"),
      .references(\Article.writer, onDelete: .cascade), .index(\Article.words, where: "isDraft = 1"),
    ]
  }
}

/// Everything that a file holds, as a program without a database keeps it.
private struct ArticleModel: Equatable {
  struct Row: Equatable {
    var title: String
    var words: Int
    var isDraft: Bool
    var writer: String?
  }

  var writers: Set<String> = []
  var articles: [Int: Row] = [:]

  /// A change, as the model makes it and as SQL does.
  enum Change {
    case add(writer: String)
    case put(Int, Row)
    case addWords(Int, drafts: Bool)
    case rename(remainder: Int, title: String)
    case deleteLonger(than: Int)
    case delete(writer: String)
  }

  mutating func apply(_ change: Change) {
    switch change {
    case .add(let writer): writers.insert(writer)
    case .put(let id, let row): articles[id] = row
    case .addWords(let words, let drafts):
      for (id, row) in articles where row.isDraft == drafts { articles[id]?.words += words }
    case .rename(let remainder, let title):
      for id in articles.keys where id % 3 == remainder { articles[id]?.title = title }
    case .deleteLonger(let words): articles = articles.filter { $0.value.words <= words }
    case .delete(let writer):
      writers.remove(writer)
      articles = articles.filter { $0.value.writer != writer }
    }
  }

  /// The numbers of the drafts, by words and number.
  var drafts: [Int] {
    articles.filter(\.value.isDraft).sorted { ($0.value.words, $0.key) < ($1.value.words, $1.key) }.map(\.key)
  }

  /// The numbers of the articles with a word in their title.
  func found(_ word: String) -> Set<Int> {
    Set(articles.filter { $0.value.title.split(separator: " ").contains { $0 == word } }.keys)
  }

  /// The number of articles and words of each writer.
  var sums: [String: [Int]] {
    articles.values.reduce(into: [:]) { sums, row in
      let sum = sums[row.writer ?? "-", default: [0, 0]]
      sums[row.writer ?? "-"] = [sum[0] + 1, sum[1] + row.words]
    }
  }
}

/// One store with observers of every kind, each with a view that only takes what it is told.
private final class ArticleView {
  let test: TestStore
  let drafts: Observation
  let found: SearchResults<Article>
  let sums: SQLResults
  let words: LiveAggregate<Int>
  private var foundView: [Int] = []
  private var sumsView: [SQLRow] = []
  private var wordsView = 0
  private var tokens: [NotificationToken] = []

  init(_ file: TestFile) throws {
    test = try TestStore(file.path, types: [Article.self, Writer.self], keeping: file)
    let articles = test.store.objects(Article.self)
    drafts = test.observe(try articles.filter(#Predicate { $0.isDraft }).sorted(by: \.words))
    found = try test.store.search(Article.self, for: "oak")
    sums = try test.store.select(
      sql: "SELECT coalesce(writer, '-') AS writer, count(*), sum(words) FROM Article GROUP BY writer"
    ).keyed(by: "writer")
    words = articles.liveSum(of: \.words)
    tokens.append(
      words.observe { [unowned self] change in if let value = change.value { wordsView = value } })
    tokens.append(
      found.observe { [unowned self] change in
        if case .initial(let found) = change { foundView = found.map(\.object.id) }
        guard case .update(let found, let changes) = change else { return }
        foundView.follow(changes) { found[$0].object.id }
      })
    tokens.append(
      sums.observe { [unowned self] change in
        if case .initial(let sums) = change { sumsView = Array(sums) }
        guard case .update(let sums, let changes) = change else { return }
        sumsView.follow(changes) { sums[$0] }
      })
    try test.store.refresh()
  }

  func check(_ model: ArticleModel) throws {
    let store = test.store
    var articles: [Int: ArticleModel.Row] = [:]
    for article in store.objects(Article.self) {
      articles[article.id] = .init(
        title: article.title, words: article.words, isDraft: article.isDraft, writer: article.writer?.name)
    }
    try #require(
      ArticleModel(writers: Set(store.objects(Writer.self).map(\.name)), articles: articles) == model)
    try #require(Set(found.map(\.object.id)) == model.found("oak"))
    try #require(words.value == model.articles.values.reduce(0) { $0 + $1.words })
  }

  /// Checks what the observers have been told; the store must have delivered everything.
  func checkViews(_ model: ArticleModel) throws {
    try #require(drafts.rows == model.drafts.map(String.init))
    try #require(foundView == found.map(\.object.id) && Set(foundView) == model.found("oak"))
    var sums: [String: [Int]] = [:]
    for row in sumsView {
      sums[row["writer", as: String.self] ?? ""] = row.values.dropFirst().compactMap { Int(sqliteValue: $0) }
    }
    try #require(sums == model.sums && wordsView == words.value)
  }
}

@Suite("Everything together")
struct TogetherTests {
  private let file = TestFile()

  @Test("Rules, batches, SQL, searches and aggregates agree with a model, whatever store or program writes")
  func random() throws {
    try withSeededGenerator { random in
      let views = [try ArticleView(file), try ArticleView(file)]
      var model = ArticleModel()
      for _ in 0..<randomSteps(usually: 150) {
        let change = change(model, &random)
        var next = model
        next.apply(change)
        let view = views.randomElement(using: &random)!
        let store = view.test.store
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: sqlite3(file.path, sql(change))
        case 2:
          try store.beginWrite()
          try write(change, store, next)
          try view.check(next)
          store.cancelWrite()
          next = model
        case 3, 4: try store.write { try store.execute(sql: sql(change)) }
        default: try store.write { try write(change, store, next) }
        }
        model = next
        for view in views where Int.random(in: 0..<3, using: &random) > 0 {
          try view.test.store.refresh()
          try view.check(model)
          try view.checkViews(model)
        }
      }
      for view in views {
        try view.test.store.refresh()
        try view.check(model)
        try view.checkViews(model)
      }
    }
  }

  private func change(_ model: ArticleModel, _ random: inout SeededGenerator) -> ArticleModel.Change {
    let writer = ["ann", "bo", "cy"].randomElement(using: &random)!
    let number = Int.random(in: 0...40, using: &random)
    let title = ["oak", "elm", "oak elm", "ash"].randomElement(using: &random)!
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: return .add(writer: writer)
    case 2: return .addWords(number - 20, drafts: Bool.random(using: &random))
    case 3: return .rename(remainder: number % 3, title: title)
    case 4: return .deleteLonger(than: 60 + number)
    case 5: return .delete(writer: writer)
    default:
      let row = ArticleModel.Row(
        title: title, words: number, isDraft: Bool.random(using: &random),
        writer: model.writers.sorted().randomElement(using: &random))
      return .put(Int.random(in: 1...20, using: &random), row)
    }
  }

  private func sql(_ change: ArticleModel.Change) -> String {
    switch change {
    case .add(let writer): "INSERT OR IGNORE INTO Writer (name) VALUES ('\(writer)')"
    case .put(let id, let row):
      "INSERT OR REPLACE INTO Article (id, title, words, isDraft, writer) VALUES (\(id), '\(row.title)', "
        + "\(row.words), \(row.isDraft), \(row.writer.map { "'\($0)'" } ?? "NULL"))"
    case .addWords(let words, let drafts):
      "UPDATE Article SET words = words + \(words) WHERE isDraft = \(drafts)"
    case .rename(let remainder, let title):
      "UPDATE Article SET title = '\(title)' WHERE id % 3 = \(remainder)"
    case .deleteLonger(let words): "DELETE FROM Article WHERE words > \(words)"
    case .delete(let writer): "DELETE FROM Writer WHERE name = '\(writer)'"
    }
  }

  /// Makes a change with objects and batches.
  private func write(_ change: ArticleModel.Change, _ store: Store, _ next: ArticleModel) throws {
    let articles = store.objects(Article.self)
    switch change {
    case .add(let name): try store.create(Writer.self, value: ["name": name], update: .modified)
    case .put(let id, let row):
      let article = Article()
      (article.id, article.title, article.words, article.isDraft) = (id, row.title, row.words, row.isDraft)
      article.writer = row.writer.flatMap { store.object(ofType: Writer.self, forPrimaryKey: $0) }
      store.add(article, update: .modified)
    case .addWords(let words, let drafts):
      try articles.filter(#Predicate { $0.isDraft == drafts }).update(.add(words, to: \.words))
    case .rename(let remainder, let title):
      for article in articles where article.id % 3 == remainder { article.title = title }
    case .deleteLonger(let words): try articles.filter(#Predicate { $0.words > words }).deleteAll()
    case .delete(let name):
      if let writer = store.object(ofType: Writer.self, forPrimaryKey: name) { store.delete(writer) }
    }
  }
}
