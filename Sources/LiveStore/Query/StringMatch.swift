/// A condition on a text, for comparisons that `#Predicate` does not know.
///
/// ```swift
/// try people.filter(\.name, .contains("ZOE", options: [.caseInsensitive, .diacriticInsensitive]))
/// ```
///
/// Without options, texts are compared by their Unicode scalars. A missing text matches nothing. In a text
/// that contains the character U+0000, `endsWith` and `like` see only the part before it.
public struct StringMatch: Hashable, Sendable {
  private enum Kind {
    case equals, contains, beginsWith, endsWith, like
  }

  private let kind: Kind
  private let text: String
  private let options: StringOptions

  /// Matches a text that is equal to another.
  public static func equals(_ text: String, options: StringOptions = []) -> StringMatch {
    StringMatch(kind: .equals, text: text, options: options)
  }

  /// Matches a text that contains another; every text contains the empty one.
  public static func contains(_ text: String, options: StringOptions = []) -> StringMatch {
    StringMatch(kind: .contains, text: text, options: options)
  }

  /// Matches a text that begins with another.
  public static func beginsWith(_ text: String, options: StringOptions = []) -> StringMatch {
    StringMatch(kind: .beginsWith, text: text, options: options)
  }

  /// Matches a text that ends with another.
  public static func endsWith(_ text: String, options: StringOptions = []) -> StringMatch {
    StringMatch(kind: .endsWith, text: text, options: options)
  }

  /// Matches a text that fits a pattern, in which `?` stands for any character and `*` for any number of
  /// them.
  public static func like(_ pattern: String, options: StringOptions = []) -> StringMatch {
    StringMatch(kind: .like, text: pattern, options: options)
  }

  /// The condition in SQL for a text; throws `QueryError` for a pattern that SQLite does not read.
  func condition(on text: SQLExpression) throws(QueryError) -> SQLExpression {
    let value = text.folded(options)
    let pattern = self.text.folded(options)
    func test(_ sql: String, _ parameter: String) -> SQLExpression {
      SQLExpression.strict(sql, .condition, .comparison, value, SQLExpression(constant: .text(parameter)))
    }
    func glob(_ pattern: String) throws(QueryError) -> SQLExpression {
      guard pattern.utf8.count <= Self.patternLimit else {
        throw QueryError(
          expression: "A pattern of \(pattern.utf8.count.grouped) bytes",
          advice: "SQLite reads \(Self.patternLimit.grouped) at most; use a shorter text")
      }
      return test("\(value.operand) GLOB ?", pattern)
    }
    switch kind {
    case .equals: return test("\(value.operand) = ?", pattern)
    case .contains: return test("instr(\(value.sql), ?) > 0", pattern)
    case .beginsWith: return test("instr(\(value.sql), ?) = 1", pattern)
    case .endsWith: return try glob("*" + pattern.escaping("*?["))
    case .like: return try glob(pattern.escaping("["))
    }
  }

  /// The greatest length of a pattern of `GLOB`, SQLite's `SQLITE_MAX_LIKE_PATTERN_LENGTH`.
  private static let patternLimit = 50_000
}

extension String {
  /// The text as a pattern of `GLOB` in which some characters lose their special meaning, including those
  /// that an accent combines with in Swift.
  fileprivate func escaping(_ special: String) -> String {
    unicodeScalars.map { special.unicodeScalars.contains($0) ? "[\($0)]" : "\($0)" }.joined()
  }
}

extension SQLExpression {
  /// This text without the differences that the options ignore.
  func folded(_ options: StringOptions) -> SQLExpression {
    if options.isEmpty { return self }
    if case .text(let text)? = constant { return SQLExpression(constant: .text(text.folded(options))) }
    return with(
      "\(Connection.fold)(\(sql), \(options.rawValue))", .value, .primary, canBeNull: canBeNull,
      nilSources: nilSources)
  }
}

extension CollectionQuery {
  mutating func filter(_ property: AnyKeyPath, _ match: StringMatch) throws(QueryError) {
    let row = ObjectRow(root: elements, schema: schema)
    try filter(SQLPredicate(row.text(property, match)), reading: row)
  }
}

extension ObjectRow {
  /// The condition that a text of the element, or of an object that it links to, matches.
  func text(_ property: AnyKeyPath, _ match: StringMatch) throws(QueryError) -> SQLExpression {
    guard let value = QueryValue(property, of: table, schema: context.schema) else {
      throw QueryError(
        expression: "\(property)", advice: "use a persisted property of \(table.name) or of what it links to")
    }
    read(value.path)
    let text = SQLExpression(
      column: QueryColumn(name: "", isOptional: true, sql: value.sql(row: name, schema: context.schema)),
      isBool: false)
    return try match.condition(on: text)
  }
}
