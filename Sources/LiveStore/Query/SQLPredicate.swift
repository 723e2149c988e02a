import FoundationEssentials

/// A condition in SQL that says the same of a row as a `Predicate` says of the object.
///
/// Where it differs from `Predicate.evaluate`:
/// - A predicate that Swift cannot evaluate, because it unwraps nil by force, has a value here: the
///   comparison, test or Bool that nil comes to is false, and `!` makes it true.
/// - Texts are compared by their UTF-8 bytes. Swift also holds equal what Unicode does (`é` in one scalar or
///   two), and finds whole characters only (no `e` in a decomposed `é`).
/// - Dates are compared in whole milliseconds, as they are stored, and by their text: a date that another
///   program wrote in another form (a day alone, seconds since 1970) sorts as that text.
/// - Integers that overflow become reals instead of ending the program.
struct SQLPredicate: Hashable, Sendable {
  /// An expression for a WHERE clause, with a `?` for each parameter. NULL means false: to negate it, write
  /// `(…) IS NOT TRUE`, not `NOT (…)`.
  var sql: String

  /// In the order of the `?`s.
  var parameters: [SQLiteValue]

  /// The names of the columns that it reads.
  var columns: Set<String>

  /// - Parameters:
  ///   - resolve: What a property is, given its key path from the queried type. It may throw, with a
  ///     `QueryError` preferably.
  ///   - key: The primary key of the row, if objects can be compared.
  /// - Throws: `QueryError` for what has no form in SQL, and what `resolve` throws.
  init<Root>(
    _ predicate: Predicate<Root>, row resolve: @escaping (AnyKeyPath) throws -> QueryProperty,
    key: SQLExpression? = nil
  ) throws {
    let translation = PredicateTranslation(predicate.variable.key, .row(resolve, key: key))
    self.init(try translation.condition(predicate.expression))
  }

  /// A condition that has been translated already.
  init(_ condition: SQLExpression) {
    (sql, parameters, columns) = (condition.sql, condition.parameters, condition.columns)
  }

  private init(sql: String, parameters: [SQLiteValue], columns: Set<String>) {
    (self.sql, self.parameters, self.columns) = (sql, parameters, columns)
  }

  /// Both conditions.
  func and(_ other: SQLPredicate) -> SQLPredicate {
    SQLPredicate(
      sql: "(\(sql)) AND (\(other.sql))", parameters: parameters + other.parameters,
      columns: columns.union(other.columns))
  }
}
