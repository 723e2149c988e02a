import Foundation
import Testing

@testable import LiveStore

/// A class whose properties have the names of those that every object has.
private final class Article: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var store = "corner shop"
  @Persisted var description = "soap"
  @Persisted var isFrozen = false
  @Persisted var isInvalidated = 3
}

@Suite("Names of properties")
struct ObjectNameTests {
  @Test("Properties may be called store, description, isFrozen and isInvalidated")
  func names() throws {
    let file = TestFile()
    let test = try TestStore(file.path, types: [Article.self], keeping: file)
    let article = Article()
    #expect(
      "\(article)"
        == "Article(id: 0, store: \"corner shop\", description: \"soap\", isFrozen: false, isInvalidated: 3)")
    try test.store.write { test.store.add(article) }
    var changed: [String] = []
    let token = article.observe { change in
      if case .change(_, let properties) = change { changed += properties.map(\.name) }
    }
    try test.store.write {
      article.store = "market"
      article.description = "peas"
      article.isFrozen = true
      article.isInvalidated += 1
    }
    try test.store.refresh()
    #expect(Set(changed) == ["store", "description", "isFrozen", "isInvalidated"])
    #expect(sqlite3(file.path, "SELECT * FROM Article") == "0|market|peas|1|4\n")
    let frozen: [Article] = try test.store.objects(Article.self)
      .filter(#Predicate { $0.isFrozen && $0.store == "market" && $0.description == "peas" }).map {
        $0.freeze()
      }
    #expect(frozen.first?.description == "peas" && (frozen.first as Object?)?.isFrozen == true)
    let reference = ThreadSafeReference(to: article)
    #expect(test.store.resolve(reference) === article)
    try test.store.write { test.store.delete(article) }
    #expect((article as Object).isInvalidated && "\(article)" == "Article(deleted)")
    token.invalidate()
  }
}
