extension LogTriggers {
  /// A column that leads to rows which are parts of others: a link, or the target of a list's entries.
  private struct EmbeddingPlace {
    let table: String
    let column: String

    init(_ ownership: LoggedTable.Ownership, of table: LoggedTable) {
      (self.table, column) = ownership.entries.map { ($0, "target") } ?? (table.name, ownership.property)
    }

    /// A query for the number of rows that lead to a row.
    func count(of key: String) -> String {
      "(SELECT count(*) FROM \(quoted(table)) WHERE \(quoted(column)) = \(key))"
    }
  }

  /// The triggers that delete what leaves a property which embeds it, and refuse what is in two such places.
  ///
  /// They see a statement's row after it has changed, so that the places are counted as they are then.
  func embeddings(of table: LoggedTable) -> [(name: String, sql: String)] {
    table.ownerships.filter(\.isEmbedding).flatMap { ownership -> [(name: String, sql: String)] in
      guard let target = tables.first(where: { $0.name == ownership.target }) else { return [] }
      let place = EmbeddingPlace(ownership, of: table)
      let column = quoted(place.column)
      let places = tables.flatMap { table in
        table.ownerships.filter { $0.isEmbedding && $0.target == target.name }
          .map { EmbeddingPlace($0, of: table) }
      }
      func number(of key: String) -> String { places.map { $0.count(of: key) }.joined(separator: " + ") }
      let deletion =
        "DELETE FROM \(quoted(target.name)) WHERE \(quoted(target.primaryKey)) = OLD.\(column) "
        + "AND \(number(of: "OLD.\(column)")) = 0;"
      let message = "each \(target.name) has one place, and this one is in another already"
      let refusal =
        "SELECT RAISE(ABORT, \(literal(message))) WHERE \(number(of: "NEW.\(column)")) > 1;"

      func trigger(_ suffix: String, _ event: String, _ action: String) -> (name: String, sql: String) {
        let name = Self.ownership(in: place.table) + "\(place.column).\(suffix)"
        return (name, "CREATE TRIGGER \(quoted(name)) AFTER \(event) BEGIN \(action) END")
      }
      let on = "ON \(quoted(place.table))"
      let update = "UPDATE OF \(column) \(on) WHEN OLD.\(column) IS NOT NEW.\(column)"
      return [
        trigger("insert", "INSERT \(on) WHEN NEW.\(column) IS NOT NULL", refusal),
        trigger("update", update, "\(refusal) \(deletion)"),
        trigger("delete", "DELETE \(on)", deletion),
      ]
    }
  }
}
