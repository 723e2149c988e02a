import FoundationEssentials

/// A type of a program's own that a persisted property may have: it is stored as a value of another type.
///
/// ```swift
/// struct Money: CustomPersistable {
///   var cents: Int
///
///   static var initialValue: Money { Money(cents: 0) }
///   var persistedValue: Int { cents }
///
///   init(cents: Int) { self.cents = cents }
///   init?(persistedValue: Int) { cents = persistedValue }
/// }
/// ```
///
/// Collections are sorted by the stored value. Predicates compare a property with a value from outside if the
/// type is also `Equatable`, `Codable` and `Sendable`.
public protocol CustomPersistable: PersistableValue {
  /// The type of the stored values: Bool, a number, String, Date, Data, UUID, or another type of its own.
  associatedtype PersistedValue: PersistableValue

  /// The value of a property that is declared without one.
  static var initialValue: Self { get }

  /// The value that is stored.
  var persistedValue: PersistedValue { get }

  /// The value for a stored one, which any other program may have written; `nil` if there is none: the
  /// property then has its declared default.
  init?(persistedValue: PersistedValue)
}

extension CustomPersistable {
  public static var _columnType: ColumnType { PersistedValue._columnType }
  public static var _jsonForm: _JSONForm { PersistedValue._jsonForm }
  public static var _isDecimal: Bool { PersistedValue._isDecimal }
  public static var _default: Self { initialValue }

  /// The stored value in SQL.
  public var sqliteValue: SQLiteValue { persistedValue.sqliteValue }

  /// Converts a stored value by way of ``PersistedValue``.
  public init?(sqliteValue: SQLiteValue) {
    guard let stored = PersistedValue(sqliteValue: sqliteValue) else { return nil }
    self.init(persistedValue: stored)
  }
}

/// A type of a program's own that is stored as a text of JSON: a structure, or an enum with associated
/// values.
///
/// ```swift
/// struct Address: PersistableJSON {
///   var street = ""
///   var town = ""
/// }
///
/// final class Person: Object {
///   @Persisted(primaryKey: true) var id = 0
///   @Persisted var address = Address()
/// }
/// ```
///
/// The keys are in order and there are no spaces, so that equal values have equal texts: an assignment of the
/// value that is there writes nothing, and predicates compare with a value from outside if the type is also
/// `Equatable` and `Sendable`. A text that another program has written in another form reads as its value,
/// but is not equal to it in predicates.
///
/// A change of the type is no change of the class. Decode former texts too: a text that cannot be decoded
/// reads as the declared default of the property, and stays in the file until the property is assigned.
///
/// - Complexity: Each read decodes the text, in some microseconds; keep the value where it is used often.
public protocol PersistableJSON: PersistableValue, Codable {
  /// The value of a property that is declared without one.
  init()
}

extension PersistableJSON {
  public static var _columnType: ColumnType { .text }
  public static var _jsonForm: _JSONForm { .nested }
  public static var _default: Self { Self() }

  /// The text of JSON; NULL if the type's own encoding throws, which a required property refuses.
  public var sqliteValue: SQLiteValue {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    guard let data = try? encoder.encode(self) else { return .null }
    return SQLiteValue(utf8: data)
  }

  /// Decodes a text of JSON; `nil` if it is none, or not one of this type.
  public init?(sqliteValue: SQLiteValue) {
    guard let bytes = sqliteValue.blobReading else { return nil }
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    guard let value = try? decoder.decode(Self.self, from: Data(bytes)) else { return nil }
    self = value
  }
}
