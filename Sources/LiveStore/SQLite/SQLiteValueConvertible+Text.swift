import FoundationEssentials

extension String: SQLiteValueConvertible {
  public var sqliteValue: SQLiteValue { .text(self) }

  public init?(sqliteValue: SQLiteValue) {
    guard let text = sqliteValue.textReading else { return nil }
    self = text
  }
}

extension Data: SQLiteValueConvertible {
  public var sqliteValue: SQLiteValue { .blob(Array(self)) }

  public init?(sqliteValue: SQLiteValue) {
    guard let bytes = sqliteValue.blobReading else { return nil }
    self.init(bytes)
  }
}

/// Stored as text in upper case with hyphens. Read in either case, and from a blob of its 16 bytes.
extension UUID: SQLiteValueConvertible {
  public var sqliteValue: SQLiteValue { .text(uuidString) }

  public init?(sqliteValue: SQLiteValue) {
    switch sqliteValue {
    case .text(let text):
      self.init(uuidString: text)
    case .blob(let bytes) where bytes.count == 16:
      self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    case .null, .integer, .real, .malformedText, .blob:
      return nil
    }
  }
}
