/// The column that stores a property of a queried object.
struct QueryColumn: Hashable, Sendable {
  /// The column's name, unquoted, as in `SQLPredicate.columns`.
  let name: String

  let isOptional: Bool

  let sql: String

  /// - Parameter sql: The column's expression where its quoted name alone is not enough, such as `t."name"`.
  init(name: String, isOptional: Bool, sql: String? = nil) {
    self.name = name
    self.isOptional = isOptional
    self.sql = sql ?? quoted(name)
  }
}
