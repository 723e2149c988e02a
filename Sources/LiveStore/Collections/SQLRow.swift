/// A row that SQL has selected: values by the names of the columns.
///
/// Values may be read as any type that a property can have, as leniently as properties are.
public struct SQLRow: Hashable, Sendable {
  /// The names of the columns, as SQLite gives them; `AS` in the statement names an expression.
  public let columns: [String]
  /// The values of the columns.
  public let values: [SQLiteValue]

  /// The value of the first column of a name. A name that no column has is a programmer's error, which stops
  /// the program.
  public subscript(column: String) -> SQLiteValue {
    guard let index = columns.firstIndex(of: column) else {
      fatalError("The row has no column “\(column)”, it has \(columns.joined(separator: ", ")).")
    }
    return values[index]
  }

  /// The value of the first column of a name; `nil` for NULL and for a value that the type cannot have.
  public subscript<Value: SQLiteValueConvertible>(column: String, as type: Value.Type = Value.self) -> Value?
  {
    Value(sqliteValue: self[column])
  }

  /// Decodes a value of a type, whose keys are the names of the columns. A type of a single value takes that
  /// of the first column.
  ///
  /// Values of types that a property can have are read as from a property; others, such as arrays, from JSON.
  ///
  /// - Throws: ``StoreError/Code/invalidValue``, with the name of the column, when a value is missing or the
  ///   type cannot have it.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws(StoreError) -> Value {
    do {
      // A dictionary is of all columns, by their names.
      if values.count == 1, let convertible = type as? any SQLiteValueConvertible.Type,
        !(type is any (ValueCollection & ExpressibleByDictionaryLiteral).Type)
      {
        guard let value = convertible.init(sqliteValue: values[0]) as? Value else {
          throw SQLRowDecoder.mismatch(columns[0], values[0], type)
        }
        return value
      }
      return try Value(from: SQLRowDecoder(row: self))
    } catch {
      throw error as? StoreError
        ?? StoreError(.invalidValue, "A row of \(columns.joined(separator: ", ")) is no \(type): \(error).")
    }
  }
}
