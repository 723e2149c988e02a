/// Full-text search.
extension Store {
  /// Searches the texts of a class that its rule ``ObjectRule/searchable(_:)`` names; the best matches come
  /// first.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - text: The words to search for.
  ///   - matching: The way in which they have to be found.
  ///   - marks: The texts before and after a found word in a snippet.
  ///   - limit: The greatest number of matches; a negative one stops the program.
  /// - Throws: ``StoreError/Code/misuse`` when an expression has a mistake, and where SQLite has no FTS5.
  public func search<Element: Object>(
    _ type: Element.Type, for text: String, matching: SearchMatching = .words,
    marks: (start: String, end: String) = ("[", "]"), limit: Int? = nil
  ) throws(StoreError) -> SearchResults<Element> {
    try objects(type).search(for: text, matching: matching, marks: marks, limit: limit)
  }

  /// Takes over what has changed in the file into the full-text indexes; called in a write, when it has been
  /// logged.
  ///
  /// - Parameter number: The number of its log row.
  /// - Returns: Whether an index has changed.
  /// - Complexity: O(k log n) for k touched rows of searchable classes. O(n) where the log does not have all
  ///   of them, as after a write of more than 100,000 rows.
  func updateSearchIndexes(through number: Int64) throws(StoreError) -> Bool {
    var hasChanged = false
    for index in schema.searchIndexes {
      guard let statements = connection.instance else { continue }
      if let start = try index.end(on: statements),
        let touched = try ChangeLog.touched(after: start, through: number, schema: schema, on: statements)
      {
        let keys = touched.byTable[index.table.index].map(\.value)
        if keys.isEmpty, number - start < Self.searchLag { continue }
        try index.update(keys, on: statements)
        try connection.execute(index.reachingEnd)
        hasChanged = true
      } else if try index.isThere(on: connection) {
        for sql in index.refilling { try connection.execute(sql) }
        hasChanged = true
      }
    }
    return hasChanged
  }

  /// The number of log rows that every search reads, at most, because an index does not say that it has them.
  private static let searchLag: Int64 = 256
}

extension Results {
  /// Searches the texts of these results; see `store.search(_:for:)`.
  ///
  /// Their order does not matter: the best matches come first.
  public func search(
    for text: String, matching: SearchMatching = .words,
    marks: (start: String, end: String) = ("[", "]"), limit: Int? = nil
  ) throws(StoreError) -> SearchResults<Element> {
    guard let index = SearchIndex(of: ranked.query.elements) else {
      throw StoreError(
        .misuse,
        "\(ranked.query.elements.name) cannot be searched: give it the rule .searchable with its texts.")
    }
    if let limit { precondition(limit >= 0, "A search cannot be limited to \(limit) matches.") }
    let query = SearchQuery(
      index: index, expression: matching.expression(for: text), collection: ranked.query, marks: marks,
      limit: limit)
    try query.requireUnderstood()
    return SearchResults(store: store, query: query)
  }
}

/// The way in which a search finds words.
public enum SearchMatching: Sendable {
  /// Each of the words, anywhere.
  case words
  /// Words that begin with each of the words, anywhere: for searching while a person types.
  case prefixes
  /// The words one after the other.
  case phrase
  /// An expression of FTS5, such as `title: swift AND NOT (sql OR lite*)`; see
  /// <https://sqlite.org/fts5.html>.
  case expression

  func expression(for text: String) -> String {
    // FTS5 reads no further than U+0000.
    let text = text.split(separator: "\0", omittingEmptySubsequences: false).joined(separator: " ")
    let words = text.split(whereSeparator: \.isWhitespace).map { quoted(String($0)) }
    // FTS5 finds nothing for an empty phrase, and does not understand an empty expression.
    if words.isEmpty { return quoted("") }
    return switch self {
    case .words: words.joined(separator: " ")
    case .prefixes: words.map { $0 + "*" }.joined(separator: " ")
    case .phrase: quoted(text)
    case .expression: text
    }
  }
}
