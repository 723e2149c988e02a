import FoundationEssentials

/// A row as objects show it: its values at the version of the store, read on demand and cached until the row
/// changes.
public final class _ManagedRow {
  private let managedBy: Store?
  // An unretained copy of the store, which the row retains. Every read of a property uses it, and counting a
  // reference would make that slower.
  fileprivate let storeReference: Unmanaged<Store>?
  let table: Table
  let key: SQLiteValue
  // Read at every access to a property, in the classes that declare it; by one thread at a time, as the
  // object is, and no code runs while it is changed.
  @exclusivity(unchecked) @usableFromInline private(set) var values: [SQLiteValue]? {
    didSet { if state != Self.unkeptState { state += 1 } }
  }
  /// A number that is another one whenever the values are, by which properties know whether the value that
  /// they keep is still that of the row. Never 0.
  @exclusivity(unchecked) @usableFromInline private(set) var state: UInt32 = 1
  /// The state of a row of which properties keep no values: one that is frozen, so that several threads read
  /// it, or that has changed so often that the numbers are used up.
  private static let unkeptState = UInt32.max
  /// Whether an order of the version shown contains the row, so that it must exist.
  private var isListed = false
  /// The object that shows the row, as long as it is referenced.
  ///
  /// Not a weak reference, which would make every use of the object slower: the object resets it when it is
  /// released.
  unowned(unsafe) var shown: Object?
  /// The object of a frozen row, which another thread may request while it is being released.
  private weak var shownFrozen: Object?
  /// The lists that show the row's entries, by slot, as long as they are referenced.
  private var lists: [Int: Weak<AnyObject>] = [:]
  /// The trace that records the reads, if the row represents any row of its class.
  weak var trace: KeyPathTrace?
  let tracing: ObjectSchema?

  init(store: Store, table: Table, key: SQLiteValue) {
    managedBy = store
    storeReference = Unmanaged.passUnretained(store)
    self.table = table
    self.key = key
    tracing = nil
  }

  /// A row that never changes.
  init(frozenIn store: Store, table: Table, key: SQLiteValue, values: RowImage?) {
    managedBy = store
    storeReference = Unmanaged.passUnretained(store)
    self.table = table
    self.key = key
    self.values = values
    state = Self.unkeptState
    tracing = nil
  }

  /// A row that only records which of its columns are read.
  init(tracing schema: ObjectSchema, _ trace: KeyPathTrace) {
    managedBy = nil
    storeReference = nil
    self.trace = trace
    table = Table(
      index: -1, name: schema.name, role: .objects(schema),
      columns: schema.columns.map { Table.Column(name: $0.name, type: .text, isOptional: true) },
      primaryKey: schema.primaryKey, isPrimaryKeyInteger: false, references: [], indexes: [])
    key = .null
    tracing = schema
  }

  /// A row with the values of some version, which never change, and no object.
  init(of row: _ManagedRow, values: RowImage) {
    managedBy = row.managedBy
    storeReference = row.storeReference
    table = row.table
    key = row.key
    tracing = nil
    self.values = values
  }

  deinit {
    managedBy?.removeRow(self)
  }

  var store: Store {
    guard let managedBy else { fatalError("A key path must lead to a persisted property of its class.") }
    return managedBy
  }

  var id: RowIdentity { RowIdentity(table: table.index, key: key) }

  /// Whether properties may keep the values that they read in the present state.
  @usableFromInline
  var isKeepingValues: Bool { values != nil && state != Self.unkeptState }

  /// Whether the row does not exist in the version that the store shows; false if that cannot be read.
  var isDeleted: Bool { values == nil && load() && values == nil }

  /// Whether the row exists in the version that the store shows; false if that cannot be read.
  var isThere: Bool { values != nil || load() && values != nil }

  /// Whether the row can no longer be read.
  var isInvalidated: Bool {
    guard let store = managedBy else { return false }
    if store.isTracked { store.noteRead(id, columns: RowReads.existence) }
    return store.isClosed || isDeleted
  }

  /// Reads the row; returns whether it, or its absence, could be read.
  private func load() -> Bool {
    // A frozen row was read when it was created.
    guard let store = managedBy, !store.isFrozen else { return true }
    store.requireOpen()
    do throws(StoreError) {
      try store.requireReadable()
      values = try store.front.instance.row(table, key)
      // A row without a key substitutes for one that could not be read.
      if values == nil, isListed || key == .null { throw store.missingRow(of: table) }
      return true
    } catch {
      store.note(error)
      return false
    }
  }

  /// Records that an order of the version shown contains the row.
  func setListed() {
    // A frozen row, which several threads use, was read when it was created.
    guard store.isFrozen else {
      isListed = true
      return
    }
    guard values == nil else { return }
    store.exclusively {
      values = table.defaults(key)
      store.note(store.missingRow(of: table))
    }
  }

  /// The values of the row, which must exist, at the version of the store.
  var image: RowImage {
    table.columns.indices.map(value)
  }

  var hasValues: Bool { values != nil }

  /// Sets the values of a row that was just written or read.
  func adopt(_ values: RowImage) {
    self.values = values
  }

  /// Sets one value of a row that represents others; its other values are NULL.
  func adopt(_ value: SQLiteValue, at column: Int) {
    if values == nil { values = RowImage(repeating: .null, count: table.columns.count) }
    values?[column] = value
  }

  /// Discards the cached values; the row may have been deleted.
  func forget() {
    values = nil
    isListed = false
  }

  /// The value of a column, for reading a property.
  @inlinable
  public func value(_ column: Int) -> SQLiteValue {
    access(column)
    if let values { return values[column] }
    return loadedValue(column)
  }

  /// The value of a column of a row that has not been read.
  @usableFromInline
  func loadedValue(_ column: Int) -> SQLiteValue {
    if let tracing {
      trace?.note(tracing.columns[column], of: self)
      return .null
    }
    let isKnown = load()
    if let values { return values[column] }
    guard !isKnown || store.failsByTriggers() else {
      fatalError(
        "The \(table.name) has been deleted; look at isInvalidated before reading an object that may be gone."
      )
    }
    return table.defaults(key)[column]
  }

  /// The substitute for a value that the property's type cannot represent: the declared default or, for a
  /// UUID that differs for every object, one derived from the value. It is never a random one, as it would
  /// then change with each read.
  @usableFromInline
  func defaultInPlace<Value: PersistableValue>(of column: Int) -> Value {
    guard tracing == nil, case .objects(let schema) = table.role else { return Value._default }
    let values = values ?? table.defaults(key)
    let property = schema.columns[column]
    if property.defaultValue == .null, let uuid = UUID(standingFor: values[column]) as? Value { return uuid }
    return Value(sqliteValue: property.firstDefault) ?? Value._default
  }

  /// Assigns a column in the open write transaction; assigning the present value writes nothing.
  @usableFromInline
  func set(_ column: Int, _ value: SQLiteValue) {
    let store = store
    store.requireWrite()
    guard (values?[column] ?? loadedValue(column)) != value else { return }
    precondition(
      column != table.primaryKey, "The primary key of an object cannot be changed once it is added.")
    store.changing(id, columns: columnBit(column)) {
      var known = values
      if store.updateRow(key, of: table, column, to: value, before: known) {
        known?[column] = value
        // A trigger of another program may have assigned other columns.
        values = store.connection.firesTriggers ? nil : known
      }
    }
  }

  func object() -> Object {
    // Only the object of a row that is not frozen is kept here.
    if let shown { return shown }
    let store = store
    guard store.isFrozen else {
      let object = makeObject()
      shown = object
      return object
    }
    return store.exclusively {
      if let shownFrozen { return shownFrozen }
      let object = makeObject()
      shownFrozen = object
      return object
    }
  }

  private func makeObject() -> Object {
    guard case .objects(let schema) = table.role else { fatalError("Entries of lists have no objects.") }
    return schema.makeObject(showing: self)
  }

  func objectIsGone(_ object: Object) {
    if managedBy?.isFrozen == false, shown === object { shown = nil }
  }

  /// Records the key path of the property that is read next, if the row represents any row of its class.
  @usableFromInline
  func noteIfTraced(_ keyPath: AnyKeyPath) {
    trace?.note(keyPath)
  }

  /// The object that represents the targets of a link, if the row represents any row of its class.
  func traced(_ type: Object.Type) -> Object? {
    trace?.follow(to: type)
  }

  /// The list in a slot, if it is referenced.
  func shownList(_ slot: Int) -> AnyObject? { lists[slot]?.value }

  /// Detaches the list of a property from the row, if there is one.
  func takeList(_ property: Property) -> AnyObject? {
    property.isList ? lists.removeValue(forKey: property.slot)?.value : nil
  }

  func setList(_ list: AnyObject, _ slot: Int) {
    lists[slot] = Weak(value: list)
  }

  /// Records the read of a column if reads are tracked on this thread.
  @usableFromInline
  func access(_ column: Int) {
    guard let storeReference else { return }
    storeReference._withUnsafeGuaranteedRef { store in
      if store.isTracked { store.noteRead(id, columns: columnBit(column)) }
    }
  }
}

/// Whether reads of a row are tracked on this thread.
///
/// A function, and the row unretained: every read of a property calls it, and a method would need the class,
/// or another reference to the row.
///
/// - Parameter row: A row that the caller keeps alive.
@usableFromInline
func isTrackingReads(of row: Unmanaged<_ManagedRow>) -> Bool {
  row._withUnsafeGuaranteedRef { row in
    row.storeReference?._withUnsafeGuaranteedRef { $0.isTracked } ?? false
  }
}
