import FoundationEssentials
import LiveStore

/// The primary key of a task or a list, compared byte for byte: another program may use any text, or even
/// bytes.
public struct Identifier: Hashable, Sendable {
  /// The greatest length in bytes of a key in the database in which machines meet, also of the name of a
  /// search.
  static let greatestLength = 1_000

  public let sqliteValue: SQLiteValue

  /// Creates a unique key: a random UUID, in upper case.
  public init() {
    self.init(UUID().uuidString)
  }

  public init(_ text: String) {
    sqliteValue = .text(text)
  }

  /// The key as a text; nil for one that is no text, or not UTF-8.
  public var text: String? {
    if case .text(let text) = sqliteValue { text } else { nil }
  }
}

/// The text; for bytes, their readable part.
extension Identifier: CustomStringConvertible {
  public var description: String { String(sqliteValue: sqliteValue) ?? "" }
}

extension Identifier: PrimaryKey {
  public static var _columnType: ColumnType { .text }
  public static var _default: Identifier { Identifier() }
  public static var _defaultExpression: String? { UUID._defaultExpression }

  /// Accepts every value.
  public init(sqliteValue: SQLiteValue) {
    self.sqliteValue = sqliteValue
  }
}

/// A text is coded as a string, other values as an object.
extension Identifier: Codable {
  private enum CodingKeys: String, CodingKey {
    case malformedText, blob
  }

  public func encode(to encoder: any Encoder) throws {
    func encode(_ bytes: [UInt8], forKey key: CodingKeys) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(Data(bytes), forKey: key)
    }
    switch sqliteValue {
    case .malformedText(let bytes): try encode(bytes, forKey: .malformedText)
    case .blob(let bytes): try encode(bytes, forKey: .blob)
    case .text, .null, .integer, .real:
      var container = encoder.singleValueContainer()
      try container.encode(description)
    }
  }

  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self.init(text)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let bytes = try container.decodeIfPresent(Data.self, forKey: .blob) {
      self = Identifier(sqliteValue: .blob(Array(bytes)))
    } else {
      let bytes = try container.decode(Data.self, forKey: .malformedText)
      self = Identifier(sqliteValue: .malformedText(Array(bytes)))
    }
  }
}

extension [Identifier] {
  /// The ids without those that stand further up already: another program may have put a row into a list
  /// several times.
  package var withoutRepetitions: [Identifier] {
    var seen: Set<Identifier> = []
    return filter { seen.insert($0).inserted }
  }
}
