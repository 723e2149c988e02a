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
/// Until the object is added to a store the property holds its own value. Afterwards it reads the row, at the
/// version that the store shows, and may be assigned only inside a write transaction.
///
/// Reading it inside `withObservationTracking` is tracked; see ``Object``.
///
/// - Complexity: The values of a row that has been read are cached until the row changes: reading one again
///   costs some ten nanoseconds. The first read of a row is a lookup by primary key, O(log n).
@propertyWrapper
public struct Persisted<Value: Persistable> {
  @usableFromInline
  enum Storage {
    /// The default, not evaluated yet: objects that show a row never need it.
    case initial(() -> Value)
    /// The property's own value or, while it shows a row, the value that was last read from it.
    case value(Value)
    /// No value: it is that of the row.
    case row
  }

  /// The number of the property in the row that the object shows; negative while it shows none. Outside of
  /// the storage, because a number is read without counting references.
  @usableFromInline var slot: Int32
  /// The state of the row in which its value was read (``_ManagedRow/state``); 0 if none is kept.
  @usableFromInline var keptState: UInt32
  @usableFromInline var storage: Storage
  @usableFromInline let isPrimaryKey: Bool
  @usableFromInline let isIndexed: Bool

  // The following is inlined where the type of the value is known: generic code asks the runtime for the type
  // every time.

  /// Creates a property with a default, which is evaluated for each object.
  @inlinable
  public init(wrappedValue: @autoclosure @escaping () -> Value) {
    self.init(wrappedValue: wrappedValue(), primaryKey: false, indexed: false)
  }

  /// Creates a property with the default of its type: zero, an empty text, no object, a new UUID, the present
  /// time.
  @inlinable
  public init() {
    self.init(wrappedValue: Value._default, primaryKey: false, indexed: false)
  }

  /// Creates a primary key, by which other objects and other programs refer to the object: Int, String or
  /// UUID.
  @inlinable
  public init(wrappedValue: @autoclosure @escaping () -> Value, primaryKey: Bool) where Value: PrimaryKey {
    self.init(wrappedValue: wrappedValue(), primaryKey: primaryKey, indexed: false)
  }

  /// Creates a primary key with the default of its type: zero, an empty text or a new UUID.
  @inlinable
  public init(primaryKey: Bool) where Value: PrimaryKey {
    self.init(wrappedValue: Value._default, primaryKey: primaryKey, indexed: false)
  }

  /// Creates a property with an index, for collections that are often filtered or sorted by it.
  @inlinable
  public init(wrappedValue: @autoclosure @escaping () -> Value, indexed: Bool) {
    self.init(wrappedValue: wrappedValue(), primaryKey: false, indexed: indexed)
  }

  /// Creates a property with an index and the default of its type.
  @inlinable
  public init(indexed: Bool) {
    self.init(wrappedValue: Value._default, primaryKey: false, indexed: indexed)
  }

  @inlinable
  @inline(__always)
  internal init(wrappedValue: @autoclosure @escaping () -> Value, primaryKey: Bool, indexed: Bool) {
    slot = -1
    keptState = 0
    storage = .initial(wrappedValue)
    isPrimaryKey = primaryKey
    isIndexed = indexed
  }

  @available(*, unavailable, message: "@Persisted can only be used on properties of Object subclasses")
  public var wrappedValue: Value {
    get { fatalError() }
    set { fatalError() }
  }

  // Inlined into the getters and setters of the classes that declare properties: there the key paths are
  // constants, and the compiler turns them into loads. The key path of the property itself is rarely needed,
  // and Swift would create the object for it at every read: an autoclosure does so on demand.
  @inlinable
  public static subscript<Enclosing: Object>(
    _enclosingInstance object: Enclosing,
    wrapped wrappedKeyPath: @autoclosure () -> ReferenceWritableKeyPath<Enclosing, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<Enclosing, Self>
  ) -> Value {
    @inline(__always) get {
      if Value._isKept, let state = object._rowState,
        let value = object[keyPath: storageKeyPath].value(keptIn: state), !object._isReadTracked
      {
        return value
      }
      let property = Int(object[keyPath: storageKeyPath].slot)
      if property >= 0 {
        return object._withRow { row in
          // Only a row that represents any row of its class never has values.
          if row.values == nil { row.noteIfTraced(wrappedKeyPath()) }
          let value = Value._read(row, property)
          if Value._isKept, row.isKeepingValues { object[keyPath: storageKeyPath].keep(value, in: row.state) }
          return value
        }
      }
      // Without the key path of the property, which would be created even if it is not needed.
      return withUnsafeMutablePointer(to: &object[keyPath: storageKeyPath]) { storage in
        object._accessUnmanaged(at: storage)
        return storage.pointee.ownValue()
      }
    }
    @inline(__always) set {
      let property = Int(object[keyPath: storageKeyPath].slot)
      if property >= 0 {
        object._withRow { Value._write(newValue, $0, property) }
      } else if object._unmanagedReads == nil {
        object[keyPath: storageKeyPath].storage = .value(Value._own(newValue))
      } else {
        let address = withUnsafeMutablePointer(to: &object[keyPath: storageKeyPath]) {
          UnsafeMutableRawPointer($0)
        }
        object._willChangeUnmanaged(at: address)
        object[keyPath: storageKeyPath].storage = .value(Value._own(newValue))
        object._didChangeUnmanaged(at: address)
      }
    }
  }

  /// The value that was read from the row, if the row is still in the same state.
  @inlinable
  @inline(__always)
  func value(keptIn state: UInt32) -> Value? {
    guard state == keptState, case .value(let value) = storage else { return nil }
    return value
  }

  /// Keeps a value that was read from the row in one of its states.
  @inlinable
  mutating func keep(_ value: Value, in state: UInt32) {
    storage = .value(value)
    keptState = state
  }

  /// The property's own value, while it shows no row.
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

  /// Makes the property show a row; its own value is released.
  @inlinable
  mutating func show(_ property: Int) {
    slot = Int32(property)
    keptState = 0
    storage = .row
  }
}
