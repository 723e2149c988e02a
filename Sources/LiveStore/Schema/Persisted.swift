import FoundationEssentials

/// A property of an ``Object`` that is stored in the file.
///
/// ```swift
/// final class TaskItem: Object {
///   @Persisted(primaryKey: true) var id = UUID()
///   @Persisted var text = ""
///   @Persisted var date: Date?
/// }
/// ```
///
/// Until the object is added to a store the property holds its value itself; afterwards it reads the row, at the
/// version that the store shows, and writing is allowed inside a write transaction only.
///
/// Reading it inside `withObservationTracking` is noted, and a change of its value told; see ``Object``.
///
/// - Complexity: A value of a row that has been read is kept with the row until the row changes: reading it again costs
///   some tens of nanoseconds. The first read of a row is a look-up by primary key, O(log n).
@propertyWrapper
public struct Persisted<Value: Persistable> {
  @usableFromInline
  enum Storage {
    /// The default, not asked for yet: objects that show a row never need it.
    case initial(() -> Value)
    case value(Value)
    /// Nothing: the value is that of the row.
    case row
  }

  /// The number of the property in the row that the object shows; less than zero while it shows none. Beside the storage,
  /// because a number is read without counting references.
  @usableFromInline var slot: Int
  @usableFromInline var storage: Storage
  @usableFromInline let isPrimaryKey: Bool
  @usableFromInline let isIndexed: Bool

  // What follows is inlined where the type of the value is known: code for any type asks the runtime for it every time.

  /// A property with a default, which is made anew for each object.
  @inlinable
  public init(wrappedValue: @autoclosure @escaping () -> Value) {
    self.init(wrappedValue: wrappedValue(), primaryKey: false, indexed: false)
  }

  /// A property whose default is that of its type: zero, an empty text, no object, a new UUID, the present time.
  @inlinable
  public init() {
    self.init(wrappedValue: Value._default, primaryKey: false, indexed: false)
  }

  /// A property that other objects and other programs know the object by: Int, String or UUID.
  @inlinable
  public init(wrappedValue: @autoclosure @escaping () -> Value, primaryKey: Bool) where Value: PrimaryKey {
    self.init(wrappedValue: wrappedValue(), primaryKey: primaryKey, indexed: false)
  }

  /// A primary key whose default is that of its type: zero, an empty text or a new UUID.
  @inlinable
  public init(primaryKey: Bool) where Value: PrimaryKey {
    self.init(wrappedValue: Value._default, primaryKey: primaryKey, indexed: false)
  }

  /// A property by which the collection is often filtered or sorted: it gets an index.
  @inlinable
  public init(wrappedValue: @autoclosure @escaping () -> Value, indexed: Bool) {
    self.init(wrappedValue: wrappedValue(), primaryKey: false, indexed: indexed)
  }

  /// A property with an index, whose default is that of its type.
  @inlinable
  public init(indexed: Bool) {
    self.init(wrappedValue: Value._default, primaryKey: false, indexed: indexed)
  }

  @inlinable
  @inline(__always)
  internal init(wrappedValue: @autoclosure @escaping () -> Value, primaryKey: Bool, indexed: Bool) {
    slot = -1
    storage = .initial(wrappedValue)
    isPrimaryKey = primaryKey
    isIndexed = indexed
  }

  /// The objects that lead here: those of a class of which a property, a link or a list, leads to the object.
  ///
  /// ```swift
  /// final class Dog: Object {
  ///   @Persisted(primaryKey: true) var id = UUID()
  ///   @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
  /// }
  /// ```
  ///
  /// - Parameter originProperty: The name of the property of the other class.
  public init<Origin: Object>(originProperty: String) where Value == LinkingObjects<Origin> {
    self.init(
      wrappedValue: LinkingObjects(originProperty: originProperty), primaryKey: false, indexed: false)
  }

  @available(*, unavailable, message: "@Persisted can only be used on properties of Object subclasses")
  public var wrappedValue: Value {
    get { fatalError() }
    set { fatalError() }
  }

  // Inlined into the getters and setters of the classes that declare properties: there the key paths are constants, and
  // the compiler turns them into loads.
  @inlinable
  public static subscript<Enclosing: Object>(
    _enclosingInstance object: Enclosing,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<Enclosing, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<Enclosing, Self>
  ) -> Value {
    @inline(__always) get {
      let property = object[keyPath: storageKeyPath].slot
      if property >= 0 {
        return object._withRow { row in
          // Only a row that stands in for any of its class never has values.
          if row.values == nil { row.noteIfTraced(wrappedKeyPath) }
          return Value._read(row, property)
        }
      }
      // Not by the key path of the property, which would be made before it is known whether it is needed.
      return withUnsafeMutablePointer(to: &object[keyPath: storageKeyPath]) { storage in
        object._accessUnmanaged(at: storage)
        return storage.pointee.ownValue()
      }
    }
    @inline(__always) set {
      let property = object[keyPath: storageKeyPath].slot
      if property >= 0 {
        object._withRow { Value._write(newValue, $0, property) }
      } else if object._unmanagedReads == nil {
        object[keyPath: storageKeyPath].storage = .value(newValue)
      } else {
        let address = withUnsafeMutablePointer(to: &object[keyPath: storageKeyPath]) {
          UnsafeMutableRawPointer($0)
        }
        object._willChangeUnmanaged(at: address)
        object[keyPath: storageKeyPath].storage = .value(newValue)
        object._didChangeUnmanaged(at: address)
      }
    }
  }

  /// The value that the property holds itself, as long as it shows no row.
  @inlinable
  mutating func ownValue() -> Value {
    switch storage {
    case .value(let value): return value
    case .initial(let makeDefault):
      let value = makeDefault()
      storage = .value(value)
      return value
    case .row: preconditionFailure("A property that shows a row holds no value.")
    }
  }

  /// Makes the property show a row; what it held itself is let go.
  @inlinable
  mutating func show(_ property: Int) {
    slot = property
    storage = .row
  }
}

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
  static func column(at address: UnsafeMutableRawPointer, addingTo store: Store) -> SQLiteValue
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

  static func column(at address: UnsafeMutableRawPointer, addingTo store: Store) -> SQLiteValue {
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
