import Observation

/// A row of the file as a live object: its properties always show the version that its store shows.
///
/// Subclasses declare their stored properties with ``Persisted``, exactly one of them as primary key, and
/// must be constructible without arguments.
///
/// ## Observation
///
/// Persisted properties take part in Swift's Observation: what `withObservationTracking` reads of an object,
/// it is told of when the value changes, and only then. That is
///
/// - before the value changes where the property is assigned, and where a delivery brings another value from
///   elsewhere;
/// - before it goes back where a write is cancelled;
/// - right after the statement where a write changes it without naming it, as a link to an object that is
///   deleted;
/// - for all properties that were read, and ``isInvalidated``, when the object is deleted.
///
/// A delivery tells while the store still shows the old version. The closure that is told may read it, but
/// not begin a write or refresh.
///
/// What was read of an object that belonged to no store yet is told of once when the object is added, so that
/// the reader looks again. Frozen objects never change, and reading them is not noted.
open class Object: Observable {
  // Used by one thread at a time, as the object is, and set once: there is nothing to check.
  @exclusivity(unchecked) @usableFromInline internal final var _row: _ManagedRow?
  /// Who reads the properties while the object belongs to no store.
  // Looked at by every assignment to such an object; nothing is called while it is changed.
  @exclusivity(unchecked) @usableFromInline internal final var _unmanagedReads: UnmanagedReads?

  /// What the object was before it was added, as long as that may be taken back.
  @exclusivity(unchecked) internal final var _before = BeforeAdding()

  /// An object with the defaults of its properties, which belongs to no store yet.
  public required init() {}

  /// Indexes over several properties, or over single ones that are not declared as indexed, each a list of
  /// key paths to persisted values of the class, such as `[[\TaskItem.completed, \TaskItem.text]]`; a class
  /// may override it.
  ///
  /// They make filtering and sorting by those properties faster and every write a little slower. They may
  /// change without a higher schema version.
  open class var indexes: [[AnyKeyPath]] { [] }
  deinit {
    _row?.objectIsGone(self)
  }

  /// Whether the object's row has been deleted. Its properties must not be read any more.
  ///
  /// Also when its store has been closed.
  public var isInvalidated: Bool { _row?.isInvalidated ?? false }

  /// Calls `body` with the row that the object shows.
  @inlinable
  internal func _withRow<R>(_ body: (_ManagedRow) -> R) -> R {
    guard let row = _row else { fatalError("A managed property of an object that shows no row.") }
    // The object keeps its row; counting another reference would cost as much as the read.
    return Unmanaged.passUnretained(row)._withUnsafeGuaranteedRef(body)
  }

  // MARK: Before the object belongs to a store

  @usableFromInline
  internal func _accessUnmanaged(at address: UnsafeMutableRawPointer) {
    let reads: UnmanagedReads
    if let known = _unmanagedReads {
      reads = known
    } else {
      reads = UnmanagedReads()
      _unmanagedReads = reads
    }
    reads.access(offset(of: address))
  }

  @usableFromInline
  internal func _willChangeUnmanaged(at address: UnsafeMutableRawPointer) {
    _unmanagedReads?.willChange(offset(of: address))
  }

  @usableFromInline
  internal func _didChangeUnmanaged(at address: UnsafeMutableRawPointer) {
    _unmanagedReads?.didChange(offset(of: address))
  }

  private func offset(of address: UnsafeMutableRawPointer) -> Int {
    address - Unmanaged.passUnretained(self).toOpaque()
  }

  /// Has those who read the object before it showed a row read it again.
  func tellUnmanagedReads() {
    guard let reads = _unmanagedReads else { return }
    _unmanagedReads = nil
    reads.tellAll()
  }
}

/// Who reads the properties of an object that belongs to no store; a property is known by its place in the
/// object.
@usableFromInline
final class UnmanagedReads {
  private let registrar = ReadRegistrar()
  /// The places of the properties that were read, each at the number that the registrar knows it by.
  private var offsets: [Int] = []

  func access(_ offset: Int) {
    if let number = offsets.firstIndex(of: offset) { return registrar.access(number) }
    offsets.append(offset)
    registrar.access(offsets.count - 1)
  }

  func willChange(_ offset: Int) {
    if let number = offsets.firstIndex(of: offset) { registrar.willChange(number) }
  }

  func didChange(_ offset: Int) {
    if let number = offsets.firstIndex(of: offset) { registrar.didChange(number) }
  }

  func tellAll() {
    for number in offsets.indices { registrar.willChange(number) }
    for number in offsets.indices { registrar.didChange(number) }
  }
}

extension Object: OptionalPersistable {
  public class var _optionalKind: PropertyKind { .link(self) }

  public class func _optionalRead(_ row: _ManagedRow, _ property: Int) -> Self? {
    let key = row.value(property)
    if let standIn = row.traced(self) { return unsafeDowncast(standIn, to: self) }
    guard key != .null, let object = row.store.object(self, key: key) else { return nil }
    return unsafeDowncast(object, to: self)
  }

  public func _optionalColumn(addingTo store: any _AddingStore) -> SQLiteValue {
    store._key(adding: self)
  }

  public var _optionalTarget: Object? { self }
}
