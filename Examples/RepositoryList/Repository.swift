import Foundation
import LiveStore

final class Repository: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var stars = 0
  @Persisted var pushedAt = Date.distantPast

  var line: String { "\(name) \(stars)" }

  /// Updates the store to the repositories of a JSON file, and writes only the differences.
  static func load(_ path: String, into store: Store) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let repositories = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
    try store.write {
      let kept = try repositories.map { try store.create(Repository.self, value: $0, update: .modified).id }
      store.delete(try store.objects(Repository.self).filter(#Predicate { !kept.contains($0.id) }))
    }
  }
}
