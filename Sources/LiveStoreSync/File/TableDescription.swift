import LiveStore

/// A table with a primary key, as SQLite describes it.
struct TableDescription {
  let name: String
  let primaryKey: String
  /// The columns besides the primary key.
  let columns: [String]
  /// The values of columns in new rows where a statement gives none; there is nothing in the others.
  let defaults: [String: SQLiteValue]
  /// The forms of the values of all columns.
  let forms: [String: ValueForm]
  /// The tables that columns lead to, by the columns.
  let references: [String: String]

  /// Whether it has the entries of a list property.
  var isOfEntries: Bool { primaryKey == "entry" && Set(columns) == ["owner", "position", "target"] }

  /// - Returns: `nil` if the table has no primary key of one column.
  init?(of table: String, _ connection: Connection) throws(StoreError) {
    name = table
    references = try Self.references(of: table, connection)
    let info = try Statement(
      connection,
      "SELECT name, pk, dflt_value, upper(type), \"notnull\" FROM pragma_table_info(\(literal(table)))")
    var primaryKey: String?
    var others: [String] = []
    var defaults: [String: SQLiteValue] = [:]
    var forms: [String: ValueForm] = [:]
    while try info.step() {
      guard case .text(let name) = info.value(0) else { continue }
      let isKey = info.integer(1) == 1
      if isKey { primaryKey = name } else { others.append(name) }
      let type = if case .text(let type) = info.value(3) { type } else { "" }
      if case .text(let sql) = info.value(2) {
        // As the column keeps it.
        let value = ValueForm.isOfClasses(type) ? "CAST(\(sql) AS \(type))" : sql
        defaults[name] = try connection.firstValue("SELECT \(value)")
      }
      forms[name] = ValueForm(
        type: type, isOptional: info.integer(4) == 0,
        isRequired: !isKey && info.integer(4) != 0 && info.isNull(2))
    }
    guard let primaryKey else { return nil }
    (self.primaryKey, columns, self.defaults, self.forms) = (primaryKey, others, defaults, forms)
  }

  private static func references(
    of table: String, _ connection: Connection
  ) throws(StoreError) -> [String: String] {
    let keys = try Statement(
      connection,
      // The name of the table may have been written in another case.
      "SELECT \"from\", coalesce((SELECT name FROM sqlite_schema WHERE type = 'table' AND name = f.\"table\" "
        + "COLLATE NOCASE), \"table\") FROM pragma_foreign_key_list(\(literal(table))) f"
    ).all { ($0.text(0), $0.text(1)) }
    return Dictionary(keys, uniquingKeysWith: { $1 })
  }
}

/// The form of the values of a column, as far as it matters whether a value from elsewhere is one of them.
///
/// SQLite would change many others while it stores them, so that they were sent on as changes made here.
struct ValueForm {
  /// The type in `CREATE TABLE`, in capital letters.
  let type: String
  let isOptional: Bool
  /// Whether a new row has to be given a value.
  let isRequired: Bool

  /// Whether the column takes a value as it is.
  func takes(_ value: SQLiteValue) -> Bool {
    switch (value, type) {
    case (.null, _): isOptional
    case (.integer, "INTEGER"), (.integer, "REAL"), (.real, "REAL"), (.text, "TEXT"),
      (.malformedText, "TEXT"):
      true
    // Other types are those of columns that another program has added.
    default: !Self.isOfClasses(type)
    }
  }

  /// Whether a type is one of those that the columns of classes have.
  static func isOfClasses(_ type: String) -> Bool { ["INTEGER", "REAL", "TEXT"].contains(type) }
}
