import Observation

/// A row of the file as a live object: its properties always show the version that its store shows.
///
/// Subclasses declare their stored properties with ``Persisted``, exactly one of them as primary key, and
/// must be constructible without arguments.
///
/// ## Observation
///
/// Persisted properties take part in Swift's Observation. A read of a property inside
/// `withObservationTracking` is invalidated when the value changes, and only then:
///
/// - before the value changes, where the property is assigned, and where a delivery contains another value;
/// - before the former value is restored, where a write is cancelled;
/// - right after the statement, where a write changes it without naming it, such as a link to an object that
///   is deleted;
/// - for all properties that were read, and ``ObjectMembers/isInvalidated``, when the object is deleted.
///
/// A delivery invalidates reads while the store still shows the old version. The closure that is called may
/// read that, but not begin a write or refresh.
///
/// Reads of an object that belonged to no store are invalidated once, when the object is added, so that they
/// are repeated. Frozen objects never change, and reads of them are not tracked.
open class Object: Observable {
  // Used by one thread at a time, as the object is, and set once: no access can overlap.
  @exclusivity(unchecked) @usableFromInline internal final var _row: _ManagedRow?
  /// The readers of the properties while the object belongs to no store.
  // Checked by every assignment to such an object; no code runs while it is changed.
  @exclusivity(unchecked) @usableFromInline internal final var _unmanagedReads: UnmanagedReads?

  /// The state of the object before it was added, while the write may still be cancelled.
  @exclusivity(unchecked) internal final var _before = BeforeAdding()

  /// An object with the defaults of its properties, which belongs to no store yet.
  public required init() {}

  /// The indexes over several properties, or over single ones that are not declared as indexed. Each is a
  /// list of key paths to persisted values of the class, such as `[[\TaskItem.completed, \TaskItem.text]]`.
  /// Subclasses may override it.
  ///
  /// They make filtering and sorting by those properties faster and every write a little slower. They may
  /// change without a higher schema version.
  open class var indexes: [[AnyKeyPath]] { [] }

  /// The rules that the file keeps for the objects of the class: what is unique, what is checked, and what
  /// goes with what. Subclasses may override it.
  open class var rules: [ObjectRule] { [] }

  deinit {
    _row?.objectIsGone(self)
  }

  /// Calls `body` with the row that the object shows.
  @inlinable
  internal func _withRow<R>(_ body: (_ManagedRow) -> R) -> R {
    guard let row = _row else { fatalError("A managed property of an object that shows no row.") }
    // The object retains its row; counting another reference would cost as much as the read.
    return Unmanaged.passUnretained(row)._withUnsafeGuaranteedRef(body)
  }

  /// The state of the row that the object shows, if it shows one.
  @inlinable
  @inline(__always)
  internal final var _rowState: UInt32? {
    guard let row = _row else { return nil }
    return Unmanaged.passUnretained(row)._withUnsafeGuaranteedRef { $0.state }
  }

  /// Whether reads of the row that the object shows are tracked on this thread.
  @inlinable
  @inline(__always)
  internal final var _isReadTracked: Bool {
    guard let row = _row else { return false }
    return isTrackingReads(of: Unmanaged.passUnretained(row))
  }

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

  /// Invalidates the reads that were made before the object showed a row.
  func notifyUnmanagedReads() {
    guard let reads = _unmanagedReads else { return }
    _unmanagedReads = nil
    reads.notifyAll()
  }
}

/// The readers of the properties of an object that belongs to no store; a property is identified by its
/// offset.
@usableFromInline
final class UnmanagedReads {
  private let registrar = ReadRegistrar()
  /// The offsets of the properties that were read, each at its number in the registrar.
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

  func notifyAll() {
    for number in offsets.indices { registrar.willChange(number) }
    for number in offsets.indices { registrar.didChange(number) }
  }
}

extension Object: OptionalPersistable {
  @inlinable public static var _isKept: Bool { false }
  public static var _isDecimal: Bool { false }
  public class var _optionalKind: PropertyKind { .link(self) }

  public class func _optionalRead(_ row: _ManagedRow, _ property: Int) -> Self? {
    let key = row.value(property)
    if let standIn = row.traced(self) { return unsafeDowncast(standIn, to: self) }
    return key == .null ? nil : row.store.object(self, key: key)
  }

  public func _optionalColumn(addingTo store: any _AddingStore) -> SQLiteValue {
    store._key(adding: self)
  }

  public var _optionalTarget: Object? { self }
}
