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
/// Until the object is added to a store the property holds its value itself; afterwards it reads the row, at
/// the version that the store shows, and writing is allowed inside a write transaction only.
///
/// Reading it inside `withObservationTracking` is noted, and a change of its value told; see ``Object``.
///
/// - Complexity: A value of a row that has been read is kept with the row until the row changes: reading it
///   again costs some tens of nanoseconds. The first read of a row is a look-up by primary key, O(log n).
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

  /// The number of the property in the row that the object shows; less than zero while it shows none. Beside
  /// the storage, because a number is read without counting references.
  @usableFromInline var slot: Int
  @usableFromInline var storage: Storage
  @usableFromInline let isPrimaryKey: Bool
  @usableFromInline let isIndexed: Bool

  // What follows is inlined where the type of the value is known: code for any type asks the runtime for it
  // every time.

  /// A property with a default, which is made anew for each object.
  @inlinable
  public init(wrappedValue: @autoclosure @escaping () -> Value) {
    self.init(wrappedValue: wrappedValue(), primaryKey: false, indexed: false)
  }

  /// A property whose default is that of its type: zero, an empty text, no object, a new UUID, the present
  /// time.
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

  @available(*, unavailable, message: "@Persisted can only be used on properties of Object subclasses")
  public var wrappedValue: Value {
    get { fatalError() }
    set { fatalError() }
  }

  // Inlined into the getters and setters of the classes that declare properties: there the key paths are
  // constants, and the compiler turns them into loads.
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
