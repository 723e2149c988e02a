import FoundationEssentials

struct SQLRowDecoder: Decoder {
  let row: SQLRow
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Columns(row: row))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw StoreError(.invalidValue, "A row has names, and cannot be decoded as an array.")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    guard let column = row.columns.first, let value = row.values.first else {
      throw StoreError(.invalidValue, "A row without columns cannot be decoded.")
    }
    return SQLValueDecoder(column: column, value: value)
  }

  static func mismatch(_ column: String, _ value: SQLiteValue, _ type: Any.Type) -> StoreError {
    let text = value.textReading.map { "“\($0.prefix(100))”" } ?? "NULL"
    return StoreError(.invalidValue, "The column “\(column)” has \(text), which is no \(type).")
  }

  private struct Columns<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let row: SQLRow
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { row.columns.compactMap { Key(stringValue: $0) } }

    private func value(_ key: Key) throws -> SQLiteValue {
      guard let index = row.columns.firstIndex(of: key.stringValue) else {
        throw StoreError(
          .invalidValue,
          "The row has no column “\(key.stringValue)”; it has \(row.columns.joined(separator: ", ")).")
      }
      return row.values[index]
    }

    func contains(_ key: Key) -> Bool { row.columns.contains(key.stringValue) }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key) == .null }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try SQLValueDecoder(column: key.stringValue, value: try value(key)).decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
      throw mismatch(key.stringValue, try value(key), type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      throw mismatch(key.stringValue, try value(key), [Any].self)
    }

    func superDecoder() throws -> any Decoder { SQLRowDecoder(row: row) }

    func superDecoder(forKey key: Key) throws -> any Decoder {
      SQLValueDecoder(column: key.stringValue, value: try value(key))
    }
  }
}

private struct SQLValueDecoder: Decoder, SingleValueDecodingContainer {
  let column: String
  let value: SQLiteValue
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw SQLRowDecoder.mismatch(column, value, type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw SQLRowDecoder.mismatch(column, value, [Any].self)
  }

  func decodeNil() -> Bool { value == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let convertible = type as? any SQLiteValueConvertible.Type {
      if let converted = convertible.init(sqliteValue: value) as? Value { return converted }
      // Elements of a collection may have another form in JSON than in a property.
      guard type is any ValueCollection.Type else { throw SQLRowDecoder.mismatch(column, value, type) }
    }
    do {
      return try Value(from: self)
    } catch {
      guard case .text(let text) = value else { throw error }
      return try JSONDecoder().decode(type, from: Data(text.utf8))
    }
  }
}
