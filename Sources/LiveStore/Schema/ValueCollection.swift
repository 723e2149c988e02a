import FoundationEssentials

/// An array, a set or a dictionary of values, which a column stores as a text of JSON.
protocol ValueCollection: PersistableValue {
  /// The kind of the elements in the text.
  static var elementForm: _JSONForm { get }
  /// The value of the column for elements of unknown types, such as an array that was read from JSON; `nil`
  /// if one of them is not of the type.
  static func column(convertingElementsOf value: Any) -> SQLiteValue?
}

extension Array: Persistable, OptionalPersistable, SQLiteValueConvertible where Element: PersistableValue {}
extension Set: Persistable, OptionalPersistable, SQLiteValueConvertible where Element: PersistableValue {}
extension Dictionary: Persistable, OptionalPersistable, SQLiteValueConvertible
where Key == String, Value: PersistableValue {}

/// Values in an order, stored as a text of JSON in one column: `["a","b"]`.
///
/// ```swift
/// final class Recipe: Object {
///   @Persisted(primaryKey: true) var id = 0
///   @Persisted var steps: [String] = []
///   @Persisted var tags: Set<String> = []
///   @Persisted var grams: [String: Int] = [:]
/// }
/// ```
///
/// Objects are kept in a ``List`` instead. Equal values have equal texts: an assignment of the value that is
/// there writes nothing, and predicates compare with a value from outside.
///
/// An element stands in the text as it would in a column of its own: a Date as its time, an enum as its raw
/// value. Data is in base 64. An element that has no form, such as a Double that is NaN, makes the whole
/// value NULL, which a required property refuses.
///
/// A text of another program may have spaces, and reads as its value. What is no array, or has an element
/// that its type cannot have, reads as the declared default, and stays in the file until the property is
/// assigned.
///
/// - Complexity: Each read of the property and each change of an element takes O(count). Take a ``List``
///   where that matters.
extension Array: PersistableValue where Element: PersistableValue {
  public static var _columnType: ColumnType { .text }
  public static var _jsonForm: _JSONForm { .nested }
  public static var _default: [Element] { [] }

  /// The text of JSON; NULL if an element has no form in it.
  public var sqliteValue: SQLiteValue { arrayText(of: map(\.sqliteValue), Element._jsonForm) }

  /// Reads a text of JSON; `nil` if it is no array of such elements.
  public init?(sqliteValue: SQLiteValue) {
    self = []
    guard readElements(of: sqliteValue, { append($0) }) else { return nil }
  }
}

extension Array: ValueCollection where Element: PersistableValue {
  static var elementForm: _JSONForm { Element._jsonForm }

  static func column(convertingElementsOf value: Any) -> SQLiteValue? {
    columns(convertingElementsOf: value, to: Element.self).map { arrayText(of: $0, Element._jsonForm) }
  }
}

/// Values without an order, stored as the text of an array in JSON.
///
/// The elements stand there in the order of SQL, numbers by size and texts by their bytes, so that equal sets
/// have equal texts. An element that another program has written twice is there once, but counted twice in a
/// predicate. All else is as with arrays.
extension Set: PersistableValue where Element: PersistableValue {
  public static var _columnType: ColumnType { .text }
  public static var _jsonForm: _JSONForm { .nested }
  public static var _default: Set<Element> { [] }

  /// The text of JSON; NULL if an element has no form in it.
  public var sqliteValue: SQLiteValue { setText(of: map(\.sqliteValue), Element._jsonForm) }

  /// Reads a text of JSON; `nil` if it is no array of such elements.
  public init?(sqliteValue: SQLiteValue) {
    self = []
    guard readElements(of: sqliteValue, { insert($0) }) else { return nil }
  }
}

extension Set: ValueCollection where Element: PersistableValue {
  static var elementForm: _JSONForm { Element._jsonForm }

  static func column(convertingElementsOf value: Any) -> SQLiteValue? {
    columns(convertingElementsOf: value, to: Element.self).map { setText(of: $0, Element._jsonForm) }
  }
}

/// Values by texts, stored as an object of JSON: `{"flour":500,"salt":10}`.
///
/// The keys stand there in the order of their bytes, so that equal dictionaries have equal texts. Of a key
/// that another program has written twice, the last counts. All else is as with arrays.
extension Dictionary: PersistableValue where Key == String, Value: PersistableValue {
  public static var _columnType: ColumnType { .text }
  public static var _jsonForm: _JSONForm { .nested }
  public static var _default: [String: Value] { [:] }

  /// The text of JSON; NULL if a value has no form in it.
  public var sqliteValue: SQLiteValue {
    objectText(of: map { ($0.key, $0.value.sqliteValue) }, Value._jsonForm)
  }

  /// Reads a text of JSON; `nil` if it is no object with such values.
  public init?(sqliteValue: SQLiteValue) {
    self = [:]
    let isRead = sqliteValue.withTextBytes { bytes in
      var scanner = JSONScanner(bytes)
      return scanner.members { key, value, text in
        guard let value = Value._jsonForm.value(value, text).flatMap({ Value(sqliteValue: $0) }) else {
          return false
        }
        self[key] = value
        return true
      }
    }
    guard isRead else { return nil }
  }
}

/// A dictionary whose type of values is unknown.
protocol KeyedValues {
  /// The values as columns have them, by their keys, which are compared by their bytes.
  var columnsByKey: [SQLiteValue: SQLiteValue] { get }
}

extension Dictionary: KeyedValues where Key == String, Value: PersistableValue {
  var columnsByKey: [SQLiteValue: SQLiteValue] {
    [SQLiteValue: SQLiteValue](uniqueKeysWithValues: map { (.text($0), $1.sqliteValue) })
  }
}

extension Dictionary: ValueCollection where Key == String, Value: PersistableValue {
  static var elementForm: _JSONForm { Value._jsonForm }

  static func column(convertingElementsOf value: Any) -> SQLiteValue? {
    guard let members = value as? [String: Any] else { return nil }
    var columns: [(String, SQLiteValue)] = []
    for (key, member) in members {
      guard let column = LiveStore.column(converting: member, to: Value.self) else { return nil }
      columns.append((key, column))
    }
    return objectText(of: columns, Value._jsonForm)
  }
}

private func arrayText(of elements: [SQLiteValue], _ form: _JSONForm) -> SQLiteValue {
  var text: [UInt8] = []
  text.reserveCapacity(2 + 8 * elements.count)
  text.append(UInt8(ascii: "["))
  for (index, element) in elements.enumerated() {
    if index > 0 { text.append(UInt8(ascii: ",")) }
    guard form.append(element, to: &text) else { return .null }
  }
  text.append(UInt8(ascii: "]"))
  return .text(String(decoding: text, as: UTF8.self))
}

private func setText(of elements: [SQLiteValue], _ form: _JSONForm) -> SQLiteValue {
  let ordered = elements.map { (key: RankKeyWriter.key(of: $0), value: $0) }.sorted { $0.key < $1.key }
  // Two values may have one form, such as dates within a millisecond.
  let distinct = ordered.indices.filter { $0 == 0 || ordered[$0].key != ordered[$0 - 1].key }
  return arrayText(of: distinct.map { ordered[$0].value }, form)
}

private func objectText(of members: [(key: String, value: SQLiteValue)], _ form: _JSONForm) -> SQLiteValue {
  var text: [UInt8] = [UInt8(ascii: "{")]
  let ordered = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  for (index, (key, value)) in ordered.enumerated() {
    if index > 0 { text.append(UInt8(ascii: ",")) }
    _JSONForm.append(key, to: &text)
    text.append(UInt8(ascii: ":"))
    guard form.append(value, to: &text) else { return .null }
  }
  text.append(UInt8(ascii: "}"))
  return .text(String(decoding: text, as: UTF8.self))
}

private func readElements<Element: PersistableValue>(
  of column: SQLiteValue, _ body: (Element) -> Void
) -> Bool {
  column.withTextBytes { bytes in
    var scanner = JSONScanner(bytes)
    return scanner.elements { value, text in
      guard let element = Element._jsonForm.value(value, text).flatMap({ Element(sqliteValue: $0) }) else {
        return false
      }
      body(element)
      return true
    }
  }
}

private func columns<Element: PersistableValue>(
  convertingElementsOf value: Any, to type: Element.Type
) -> [SQLiteValue]? {
  guard let elements = value as? [Any] else { return nil }
  var columns: [SQLiteValue] = []
  for element in elements {
    guard let column = column(converting: element, to: type) else { return nil }
    columns.append(column)
  }
  return columns
}
