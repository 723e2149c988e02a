import FoundationEssentials

/// A predicate that can be put together with others: `&&`, `||` and `!` make one of one or two.
///
/// ```swift
/// let open = QueryCondition(#Predicate<TaskItem> { !$0.completed })
/// let urgent = QueryCondition(#Predicate<TaskItem> { $0.priority > 1 })
/// let called = QueryCondition(\TaskItem.text, .contains("call", options: .caseInsensitive))
/// let results = try store.objects(TaskItem.self).filter(open && (urgent || !called))
/// ```
///
/// A program makes them where it knows each, such as one for each field of a search, and combines those that
/// a person has filled in. ``all(of:)`` and ``any(of:)`` take any number.
public struct QueryCondition<Element: Object>: Sendable {
  private indirect enum Part: Sendable {
    case predicate(Predicate<Element>)
    // A key path is a constant; Swift does not mark the class of all as Sendable.
    case text(UncheckedKeyPath, StringMatch)
    // None of them of the same case: a long chain of && is no deep tree.
    case all([Part])
    case any([Part])
    case not(Part)
  }

  private struct UncheckedKeyPath: @unchecked Sendable {
    // Never changes after it has been made.
    let keyPath: AnyKeyPath
  }

  private let part: Part

  private init(part: Part) {
    self.part = part
  }

  /// The condition that a predicate is true.
  public init(_ predicate: Predicate<Element>) {
    part = .predicate(predicate)
  }

  /// The condition that a text, of the object or of one that it links to, matches.
  public init(_ property: KeyPath<Element, String>, _ match: StringMatch) {
    part = .text(UncheckedKeyPath(keyPath: property), match)
  }

  /// The condition that a text, of the object or of one that it links to, is not nil and matches.
  public init(_ property: KeyPath<Element, String?>, _ match: StringMatch) {
    part = .text(UncheckedKeyPath(keyPath: property), match)
  }

  /// The condition that all of some conditions are true; always, if there are none.
  public static func all(of conditions: some Sequence<QueryCondition>) -> QueryCondition {
    QueryCondition(
      part: .all(conditions.flatMap { if case .all(let parts) = $0.part { parts } else { [$0.part] } }))
  }

  /// The condition that one of some conditions is true; never, if there are none.
  public static func any(of conditions: some Sequence<QueryCondition>) -> QueryCondition {
    QueryCondition(
      part: .any(conditions.flatMap { if case .any(let parts) = $0.part { parts } else { [$0.part] } }))
  }

  /// The condition that both are true.
  public static func && (left: QueryCondition, right: QueryCondition) -> QueryCondition {
    all(of: [left, right])
  }

  /// The condition that one of both is true, or both are.
  public static func || (left: QueryCondition, right: QueryCondition) -> QueryCondition {
    any(of: [left, right])
  }

  /// The condition that another is not true.
  public static prefix func ! (condition: QueryCondition) -> QueryCondition {
    QueryCondition(part: .not(condition.part))
  }

  /// The condition for a row; throws a `QueryError`.
  func expression(_ row: ObjectRow) throws -> SQLExpression {
    try Self.expression(part, row)
  }

  private static func expression(_ part: Part, _ row: ObjectRow) throws -> SQLExpression {
    switch part {
    case .predicate(let predicate):
      let translation = PredicateTranslation(predicate.variable.key, .row(row.resolve, key: row.key))
      return try translation.condition(predicate.expression)
    case .text(let property, let match):
      return try row.text(property.keyPath, match)
    case .all(let parts):
      return try joined(parts, row, empty: true, SQLExpression.and)
    case .any(let parts):
      return try joined(parts, row, empty: false, SQLExpression.or)
    case .not(let part):
      return try expression(part, row).negated
    }
  }

  private static func joined(
    _ parts: [Part], _ row: ObjectRow, empty: Bool, _ join: (SQLExpression, SQLExpression) -> SQLExpression
  ) throws -> SQLExpression {
    if parts.isEmpty { return SQLExpression(always: empty) }
    return try parts.map { try expression($0, row) }[...].joined(join)
  }
}

extension ArraySlice<SQLExpression> {
  /// The conditions, of which there is at least one, joined in halves: SQLite reads no more than 1,000 within
  /// each other, and would take a long row of them for that.
  fileprivate func joined(_ join: (SQLExpression, SQLExpression) -> SQLExpression) -> SQLExpression {
    if count == 1 { return self[startIndex] }
    let middle = startIndex + (count + 1) / 2
    return join(self[..<middle].joined(join), self[middle...].joined(join))
  }
}

extension SQLExpression {
  static func and(_ left: SQLExpression, _ right: SQLExpression) -> SQLExpression {
    SQLExpression(
      "\(left.text(.and)) AND \(right.text(.not))", .condition, .and, of: left, right,
      canBeNull: left.canBeNull || right.canBeNull, nilSources: left.nilSources.intersection(right.nilSources)
    )
  }

  static func or(_ left: SQLExpression, _ right: SQLExpression) -> SQLExpression {
    SQLExpression(
      "\(left.text(.or)) OR \(right.text(.and))", .condition, .or, of: left, right,
      canBeNull: left.canBeNull || right.canBeNull, nilSources: left.nilSources.intersection(right.nilSources)
    )
  }
}
