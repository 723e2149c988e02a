import FoundationEssentials

/// A persisted property of unknown value type, found in an object by its address.
///
/// The address is that of the property's storage inside an instance, which the caller keeps alive.
protocol AnyPersisted: SendableMetatype {
  static var kind: PropertyKind { get }
  static var defaultExpression: String? { get }
  static func isPrimaryKey(at address: UnsafeMutableRawPointer) -> Bool
  static func isIndexed(at address: UnsafeMutableRawPointer) -> Bool
  /// The default as a column value, if it is a value.
  static func defaultColumn(at address: UnsafeMutableRawPointer) -> SQLiteValue
  /// The name of the property through which linking objects lead here.
  static func originProperty(at address: UnsafeMutableRawPointer) -> String?
  /// Whether the defaults of two objects, created one after the other, show that every object has this
  /// default.
  static func isConstant(_ first: SQLiteValue, _ second: SQLiteValue) -> Bool
  /// An untyped value, such as one from JSON, as the column stores it; `nil` if the property cannot have it.
  static func column(converting value: Any) -> SQLiteValue?
  /// The value of the column when the object is added.
  static func column(at address: UnsafeMutableRawPointer, addingTo store: any _AddingStore) -> SQLiteValue
  /// The value in a row; `nil` if it is optional and NULL.
  static func value(of row: _ManagedRow, _ property: Int) -> Any?
  /// Makes the property show a row: its own value is released, or attached to the row.
  static func manage(at address: UnsafeMutableRawPointer, _ row: _ManagedRow, _ property: Int)
  /// Assigns the value of an object that belongs to no store to the property of a row.
  static func write(at address: UnsafeMutableRawPointer, to row: _ManagedRow, _ property: Int)
  /// Replaces the elements of a row's list by those with the given primary keys.
  static func setList(of row: _ManagedRow, _ property: Int, keys: [SQLiteValue])
  /// A readable description of the value of an object's property.
  static func description(at address: UnsafeMutableRawPointer, of row: _ManagedRow?) -> String
  /// Encodes the value of an object's property; nothing for linking objects.
  static func encode(
    at address: UnsafeMutableRawPointer, of row: _ManagedRow?,
    to container: inout KeyedEncodingContainer<PropertyKey>, _ key: PropertyKey) throws
  /// Whether the values are decimal numbers, whose texts do not sort as they do.
  static var isDecimal: Bool { get }
  /// A readable name of the property's type.
  static var typeName: String { get }
  /// Makes a new object's property show a row without reading its default.
  static func adopt(at address: UnsafeMutableRawPointer, _ property: Int)
  /// The objects that the property of an object in no store leads to.
  static func targets(at address: UnsafeMutableRawPointer) -> [Object]
  /// Makes the property, which shows a row, hold its own value again.
  ///
  /// - Parameters:
  ///   - row: The row as it was added.
  ///   - list: The list that the property has been.
  ///   - kept: The targets of a link or a list, if the row does not contain them.
  static func release(
    at address: UnsafeMutableRawPointer, _ row: _ManagedRow, _ property: Int, list: AnyObject?,
    kept: [Object]?)
}

/// A list whose element class is unknown.
protocol AnyList {
  var elementCount: Int { get }
  /// Makes it the list of an object that belongs to no store.
  func release(elements: [Object])
  /// Replaces the elements of a row's list by those with the given primary keys.
  static func setKeys(_ keys: [SQLiteValue], _ row: _ManagedRow, _ property: Int)
}

/// Linking objects whose class is unknown.
protocol AnyLinkingObjects {
  var originProperty: String? { get }
}

extension Persisted: AnyPersisted {
  static var kind: PropertyKind { Value._kind }
  static var defaultExpression: String? {
    // Before casting, for which the runtime searches all conformances of the program.
    guard case .value(_, isOptional: false) = kind else { return nil }
    return (Value.self as? any PersistableValue.Type)?._defaultExpression
  }

  private static func storage(at address: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Self> {
    address.assumingMemoryBound(to: Self.self)
  }

  private var isManaged: Bool { slot >= 0 }

  static func isPrimaryKey(at address: UnsafeMutableRawPointer) -> Bool {
    storage(at: address).pointee.isPrimaryKey
  }

  static func isIndexed(at address: UnsafeMutableRawPointer) -> Bool {
    storage(at: address).pointee.isIndexed
  }

  static func defaultColumn(at address: UnsafeMutableRawPointer) -> SQLiteValue {
    // Not by casting the value, for which the runtime would search all conformances of the program.
    guard case .value = kind else { return .null }
    return Value._column(at: address, addingTo: NoStore())
  }

  static func originProperty(at address: UnsafeMutableRawPointer) -> String? {
    guard case .linkingObjects = kind else { return nil }
    return (storage(at: address).pointee.ownValue() as? any AnyLinkingObjects)?.originProperty
  }

  static func isConstant(_ first: SQLiteValue, _ second: SQLiteValue) -> Bool {
    guard first == second else { return false }
    // Two dates created within a millisecond are equal, and stand for the creation time of each object.
    guard Value.self is Date.Type, let date = Date(sqliteValue: first) else { return true }
    return abs(date.timeIntervalSinceNow) > 60
  }

  static func column(converting value: Any) -> SQLiteValue? {
    if let type = Value.self as? any PersistableValue.Type {
      return LiveStore.column(converting: value, to: type)
    }
    let wrapped = (Value.self as? any AnyOptional.Type)?.wrappedType
    guard let type = wrapped as? any PersistableValue.Type else { return nil }
    return isNil(value) ? .null : LiveStore.column(converting: value, to: type)
  }

  static var isDecimal: Bool { Value._isDecimal }

  static var typeName: String { "\(Value.self)" }

  static func description(at address: UnsafeMutableRawPointer, of row: _ManagedRow?) -> String {
    let value: Value
    let property = Int(storage(at: address).pointee.slot)
    if property >= 0, let row {
      value = Value._read(row, property)
    } else if storage(at: address).pointee.isManaged {
      return "nil"
    } else {
      value = storage(at: address).pointee.ownValue()
    }
    return LiveStore.description(of: value)
  }

  static func encode(
    at address: UnsafeMutableRawPointer, of row: _ManagedRow?,
    to container: inout KeyedEncodingContainer<PropertyKey>, _ key: PropertyKey
  ) throws {
    let property = Int(storage(at: address).pointee.slot)
    let value =
      property >= 0 ? row.map { Value._read($0, property) } : storage(at: address).pointee.ownValue()
    guard let value, let encodable = try LiveStore.encodable(value) else { return }
    try container.encode(encodable, forKey: key)
  }

  static func setList(of row: _ManagedRow, _ property: Int, keys: [SQLiteValue]) {
    (Value.self as? any AnyList.Type)?.setKeys(keys, row, property)
  }

  static func write(at address: UnsafeMutableRawPointer, to row: _ManagedRow, _ property: Int) {
    guard !storage(at: address).pointee.isManaged else { return }
    Value._write(storage(at: address).pointee.ownValue(), row, property)
  }

  // The type of the value has its own implementation of these three.

  static func column(at address: UnsafeMutableRawPointer, addingTo store: any _AddingStore) -> SQLiteValue {
    Value._column(at: address, addingTo: store)
  }

  static func manage(at address: UnsafeMutableRawPointer, _ row: _ManagedRow, _ property: Int) {
    Value._manage(at: address, row, property)
  }

  static func adopt(at address: UnsafeMutableRawPointer, _ property: Int) {
    Value._adopt(at: address, property)
  }

  static func targets(at address: UnsafeMutableRawPointer) -> [Object] {
    guard !storage(at: address).pointee.isManaged else { return [] }
    return Value._targets(storage(at: address).pointee.ownValue())
  }

  static func release(
    at address: UnsafeMutableRawPointer, _ row: _ManagedRow, _ property: Int, list: AnyObject?,
    kept: [Object]?
  ) {
    // The lists of an object that could not be added are not attached to a row.
    guard storage(at: address).pointee.isManaged else { return }
    let value: Value
    switch kind {
    case .value: value = Value._read(row, property)
    case .link:
      // Without a target, the cast would create a link to nothing.
      if let target = kept?.first, let link = target as? Value {
        value = link
      } else {
        value = Value._read(row, property)
      }
    case .list:
      let released = (list as? Value) ?? Value._default
      (released as? any AnyList)?.release(elements: kept ?? [])
      value = released
    case .linkingObjects: value = Value._default
    }
    storage(at: address).pointee.slot = -1
    storage(at: address).pointee.keptState = 0
    storage(at: address).pointee.storage = .value(value)
  }

  static func value(of row: _ManagedRow, _ property: Int) -> Any? {
    let value: Any = Value._read(row, property)
    // Unwraps an optional, which is itself no value that an optional may hold.
    return value as? any OptionalPersistable
  }
}

/// The store of a value that leads to no object.
private final class NoStore: _AddingStore {
  func _key(adding object: Object) -> SQLiteValue {
    preconditionFailure("A value leads to no object.")
  }
}

/// A readable description of a persisted value: objects that it leads to are only identified.
private func description(of value: Any) -> String {
  switch value {
  case let text as String: return text.debugDescription
  case let object as Object:
    guard let row = object._row else { return "\(type(of: object))" }
    return "\(type(of: object)) \(row.key.textReading ?? "")"
  case let list as any AnyList: return "\(list.elementCount) objects"
  // An optional describes itself as one.
  case let optional as any AnyOptional: return optional.wrappedValue.map(description) ?? "nil"
  default: return "\(value)"
  }
}
