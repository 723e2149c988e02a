import FoundationEssentials

/// A persisted property whose value type is not known here: found in an object by its address.
///
/// The address is that of the property's storage inside an instance, which the caller keeps alive.
protocol AnyPersisted: SendableMetatype {
  static var kind: PropertyKind { get }
  static var defaultExpression: String? { get }
  static func isPrimaryKey(at address: UnsafeMutableRawPointer) -> Bool
  static func isIndexed(at address: UnsafeMutableRawPointer) -> Bool
  /// The default as a column value, where it is a value.
  static func defaultColumn(at address: UnsafeMutableRawPointer) -> SQLiteValue
  /// The name of the property that linking objects lead here by.
  static func originProperty(at address: UnsafeMutableRawPointer) -> String?
  /// Whether two objects' defaults, made one after the other, say that every object has this default.
  static func isConstant(_ first: SQLiteValue, _ second: SQLiteValue) -> Bool
  /// A value from outside, such as JSON, as the column keeps it; `nil` when the property cannot have it.
  static func column(converting value: Any) -> SQLiteValue?
  /// The value that the column gets when the object is added.
  static func column(at address: UnsafeMutableRawPointer, addingTo store: any _AddingStore) -> SQLiteValue
  /// The value in a row; `nil` where it is optional and there is none.
  static func value(of row: _ManagedRow, _ property: Int) -> Any?
  /// Makes the property show a row: what it held itself is let go, or connected to the row.
  static func manage(at address: UnsafeMutableRawPointer, _ row: _ManagedRow, _ property: Int)
  /// Gives the property of a row the value that an object holds which belongs to no store.
  static func write(at address: UnsafeMutableRawPointer, to row: _ManagedRow, _ property: Int)
  /// Makes the elements of a row's list those with the given primary keys.
  static func setList(of row: _ManagedRow, _ property: Int, keys: [SQLiteValue])
  /// The value of an object's property, for people.
  static func description(at address: UnsafeMutableRawPointer, of row: _ManagedRow?) -> String
  /// The type of the property, for people.
  static var typeName: String { get }
  /// Makes a new object's property show a row without looking at its default.
  static func adopt(at address: UnsafeMutableRawPointer, _ property: Int)
  /// The objects that the property of an object in no store leads to.
  static func targets(at address: UnsafeMutableRawPointer) -> [Object]
  /// Makes the property, which shows a row, hold a value itself again.
  ///
  /// - Parameters:
  ///   - row: The row as it was added.
  ///   - list: The list that the property has been.
  ///   - kept: What a link or a list led to, where the row does not say.
  static func release(
    at address: UnsafeMutableRawPointer, _ row: _ManagedRow, _ property: Int, list: AnyObject?,
    kept: [Object]?)
}

/// A list whose class of elements is not known here.
protocol AnyList {
  var elementCount: Int { get }
  /// Makes it the list of an object that belongs to no store.
  func release(elements: [Object])
  /// Makes the elements of a row's list those with the given primary keys.
  static func setKeys(_ keys: [SQLiteValue], _ row: _ManagedRow, _ property: Int)
}

/// Linking objects of a class that is not known here.
protocol AnyLinkingObjects {
  var originProperty: String? { get }
}

extension Persisted: AnyPersisted {
  static var kind: PropertyKind { Value._kind }
  static var defaultExpression: String? { (Value.self as? any PersistableValue.Type)?._defaultExpression }

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
    guard !storage(at: address).pointee.isManaged else { return .null }
    return (storage(at: address).pointee.ownValue() as? any SQLiteValueConvertible)?.sqliteValue ?? .null
  }

  static func originProperty(at address: UnsafeMutableRawPointer) -> String? {
    guard case .linkingObjects = kind else { return nil }
    return (storage(at: address).pointee.ownValue() as? any AnyLinkingObjects)?.originProperty
  }

  static func isConstant(_ first: SQLiteValue, _ second: SQLiteValue) -> Bool {
    guard first == second else { return false }
    // Two dates made within a millisecond are equal, and stand for the time at which each object is made.
    guard Value.self is Date.Type, let date = Date(sqliteValue: first) else { return true }
    return abs(date.timeIntervalSinceNow) > 60
  }

  static func column(converting value: Any) -> SQLiteValue? {
    if let type = Value.self as? any PersistableValue.Type {
      return LiveStore.column(converting: value, to: type)
    }
    guard let type = (Value.self as? any OptionalStorable.Type)?.valueType else { return nil }
    return isNil(value) ? .null : LiveStore.column(converting: value, to: type)
  }

  static var typeName: String { "\(Value.self)" }

  static func description(at address: UnsafeMutableRawPointer, of row: _ManagedRow?) -> String {
    let value: Value
    let property = storage(at: address).pointee.slot
    if property >= 0, let row {
      value = Value._read(row, property)
    } else if storage(at: address).pointee.isManaged {
      return "nil"
    } else {
      value = storage(at: address).pointee.ownValue()
    }
    return LiveStore.description(of: value)
  }

  static func setList(of row: _ManagedRow, _ property: Int, keys: [SQLiteValue]) {
    (Value.self as? any AnyList.Type)?.setKeys(keys, row, property)
  }

  static func write(at address: UnsafeMutableRawPointer, to row: _ManagedRow, _ property: Int) {
    guard !storage(at: address).pointee.isManaged else { return }
    Value._write(storage(at: address).pointee.ownValue(), row, property)
  }

  // The type of the value has code of its own for these three.

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
    // The lists of an object that could not be added have not become those of a row.
    guard storage(at: address).pointee.isManaged else { return }
    let value: Value
    switch kind {
    case .value: value = Value._read(row, property)
    case .link:
      // Of no target at all, the cast would make a link to nothing.
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
    storage(at: address).pointee.storage = .value(value)
  }

  static func value(of row: _ManagedRow, _ property: Int) -> Any? {
    let value: Any = Value._read(row, property)
    // Looks through an optional, which is itself no value that an optional may hold.
    return value as? any OptionalPersistable
  }
}

/// A persisted value for people: of objects that it leads to, only which they are.
private func description(of value: Any) -> String {
  switch value {
  case let text as String: return text.debugDescription
  case let object as Object:
    guard let row = object._row else { return "\(type(of: object))" }
    return "\(type(of: object)) \(row.key.textReading ?? "")"
  case let list as any AnyList: return "\(list.elementCount) objects"
  default:
    // An optional describes itself as one.
    guard let child = Mirror(reflecting: value).children.first, value is any OptionalStorable else {
      return value is any OptionalStorable ? "nil" : "\(value)"
    }
    return description(of: child.value)
  }
}
