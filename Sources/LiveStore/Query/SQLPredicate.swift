import FoundationEssentials

/// A condition in SQL that is true of a row if a `Predicate` is true of the object.
///
/// It differs from `Predicate.evaluate` in these cases:
/// - A predicate that Swift cannot evaluate, because it force-unwraps nil, has a value here: the comparison,
///   test or Bool that uses nil is false, and `!` makes it true.
/// - Texts are compared by their UTF-8 bytes. Swift compares by canonical equivalence (`é` in one scalar or
///   two), and finds only whole characters (no `e` in a decomposed `é`).
/// - Dates are compared in whole milliseconds, as they are stored, and by their text: a date that another
///   program wrote in another form (a day alone, seconds since 1970) sorts as that text.
/// - Integers that overflow become reals instead of stopping the program.
struct SQLPredicate: Hashable, Sendable {
  /// An expression for a WHERE clause, with a `?` for each parameter. NULL means false: to negate it, write
  /// `(…) IS NOT TRUE`, not `NOT (…)`.
  var sql: String

  /// The parameters in the order of the `?`s.
  var parameters: [SQLiteValue]

  /// The names of the columns that the condition reads.
  var columns: Set<String>

  /// Whether the outermost operator is AND.
  private var isConjunction = false

  /// - Parameters:
  ///   - resolve: Returns the property for its key path from the queried type. It may throw, preferably a
  ///     `QueryError`.
  ///   - key: The primary key of the row, if objects can be compared.
  /// - Throws: `QueryError` for parts without a form in SQL, and the errors of `resolve`.
  init<Root>(
    _ predicate: Predicate<Root>, row resolve: @escaping (AnyKeyPath) throws -> QueryProperty,
    key: SQLExpression? = nil
  ) throws {
    let translation = PredicateTranslation(predicate.variable.key, .row(resolve, key: key))
    self.init(try translation.condition(predicate.expression))
  }

  /// Wraps a condition that has been translated already.
  init(_ condition: SQLExpression) {
    (sql, parameters, columns) = (condition.sql, condition.parameters, condition.columns)
  }

  func and(_ other: SQLPredicate) -> SQLPredicate {
    var both = self
    // SQLite reads fewer parentheses within each other than there may be filters.
    both.sql = "\(isConjunction ? sql : "(\(sql))") AND (\(other.sql))"
    both.parameters += other.parameters
    both.columns.formUnion(other.columns)
    both.isConjunction = true
    return both
  }

  /// Throws if the condition has more parts than SQLite reads.
  func requireReadable() throws(QueryError) {
    // A short one has few enough.
    guard sql.utf8.count > 1_000, let memory = try? Connection(path: ":memory:", create: true) else { return }
    // Within a statement like those in which it will be, with as many parameters of their own. SQLite counts
    // the parts before it looks for the tables, which are not here.
    let result = memory.executeResult(
      "SELECT ? FROM (SELECT ? FROM (SELECT ? WHERE ? AND (1 AND (\(sql)))))")
    let message = memory.lastError.message
    guard result != 0, !message.hasPrefix("no such ") else { return }
    throw QueryError(
      expression: "A predicate of so many parts",
      advice: "SQLite does not read it (\(message)); use fewer, or put them together with .all(of:) or "
        + ".any(of:)")
  }
}
