import LiveStore

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
