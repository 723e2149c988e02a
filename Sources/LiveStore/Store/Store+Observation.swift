/// The reads that Swift's Observation tracks, columns of rows, the members of collections and results of
/// queries, and their invalidation.
///
/// Observation is notified of an assignment before it happens, and of a new version before it is shown. The
/// effects of a statement on other rows, such as links set to nil, are known only after it has run and are
/// reported then: inside SQLite's hook nothing may be read.
struct ObservationState {
  /// The readers of each row. They are notified even if the object that they read the row from was released.
  var rows: [RowIdentity: RowReads] = [:]
  /// The collections whose members are read, until their readers are notified.
  var collections = LiveReads<LiveQuery>()
  /// The results that are read, numbers about collections and selected rows, until their readers are
  /// notified.
  var results = LiveReads<MaintainedResult>()
  /// Rows and columns that a statement has touched and whose readers have yet to be notified.
  var touchedRows: [(row: RowIdentity, columns: UInt64)] = []
  /// The tables that the statement has touched.
  var touchedTables = TouchedTables()
  /// The row whose change has been announced and is in progress.
  var changing: RowIdentity?
  /// The number of reads at which those without readers are removed.
  private var limit = 64

  /// The number of rows, collections and results that are read.
  var count: Int { rows.count + collections.count + results.count }
  /// Whether nothing is read whose readers have yet to be notified.
  var isEmpty: Bool { count == 0 }

  /// Removes what has no readers any more, before something is added, so that no more is kept than twice what
  /// has readers: a view that is evaluated again may read other objects, and makes its collections anew.
  mutating func makeRoom() {
    guard count >= limit else { return }
    removeUnread(all: true)
    limit = max(64, 2 * count)
  }

  /// Removes what has no readers any more: all of it, or what is found before something that has readers.
  mutating func removeUnread(all: Bool) {
    rows.removeUnread(all: all, \.registrar)
    collections.removeUnread(all: all)
    results.removeUnread(all: all)
  }
}

/// The readers of live objects of one kind, until they are notified.
struct LiveReads<Live: AnyObject> {
  private var reads: [ObjectIdentifier: (live: Live, registrar: ReadRegistrar)] = [:]

  var count: Int { reads.count }
  var isEmpty: Bool { reads.isEmpty }
  /// The objects that are read, in no order.
  var all: [Live] { reads.values.map(\.live) }

  mutating func note(_ live: Live) {
    let id = ObjectIdentifier(live)
    let registrar = reads[id]?.registrar ?? ReadRegistrar()
    reads[id] = (live, registrar)
    registrar.accessMarked(0)
  }

  /// Removes the readers of an object and adds them to `notices`.
  mutating func take(_ live: Live, into notices: inout ObservationNotices) {
    guard let read = reads.removeValue(forKey: ObjectIdentifier(live)) else { return }
    notices.add(read.registrar, 0)
  }

  fileprivate mutating func removeUnread(all: Bool) { reads.removeUnread(all: all, \.registrar) }
}

extension Dictionary {
  /// Removes what has no readers any more: all of it, or what is found before something that has readers.
  fileprivate mutating func removeUnread(all: Bool, _ registrar: (Value) -> ReadRegistrar) {
    var unread: [Key] = []
    for (key, value) in self {
      if !registrar(value).hasReaders { unread.append(key) } else if !all { break }
    }
    for key in unread { self[key] = nil }
  }
}

/// Tables in which something changed.
struct TouchedTables {
  /// The columns that changed in some row, bit by bit; all where rows were inserted or deleted.
  private(set) var columns: [Int: UInt64] = [:]

  var isEmpty: Bool { columns.isEmpty }

  func contains(_ table: Int) -> Bool { columns[table] != nil }

  /// Whether rows of the table were inserted or deleted.
  func changesMembership(of table: Int) -> Bool { columns[table] == .max }

  mutating func insert(_ table: Int, columns: UInt64) {
    self.columns[table, default: 0] |= columns
  }
}

/// The tracked reads that a change invalidates: ``will()`` notifies before it, ``did()`` after it.
struct ObservationNotices {
  private var values: [(registrar: ReadRegistrar, number: Int)] = []

  var isEmpty: Bool { values.isEmpty }

  mutating func add(_ registrar: ReadRegistrar, _ number: Int) {
    values.append((registrar, number))
  }

  func will() {
    for (registrar, number) in values { registrar.willChange(number) }
  }

  func did() {
    for (registrar, number) in values { registrar.didChange(number) }
  }
}

extension Store {
  // MARK: Reads

  /// Whether reads are tracked on this thread.
  @inline(__always)
  var isTracked: Bool {
    guard let probeReference else { return false }
    return probeReference._withUnsafeGuaranteedRef { $0.isTracked() }
  }

  private func track() {
    probe = TrackingProbe()
    coordinator.track()
    recorder.keepImages()
    observation.makeRoom()
  }

  /// Records that nothing is tracked any more, if that is so: a store without readers need not examine what
  /// others commit.
  func endTracking() {
    guard coordinator.isTracked else { return }
    observation.removeUnread(all: false)
    if observation.isEmpty { coordinator.endTracking() }
  }

  func noteRead(_ row: RowIdentity, columns: UInt64) {
    track()
    observation.rows[row, default: RowReads()].columns |= columns
    guard let registrar = observation.rows[row]?.registrar else { return }
    forEachNumber(in: columns) { registrar.accessMarked($0) }
  }

  func noteRead(_ live: LiveQuery) {
    track()
    observation.collections.note(live)
  }

  func noteRead(_ live: MaintainedResult) {
    track()
    observation.results.note(live)
  }

  private func forEachNumber(in columns: UInt64, _ body: (Int) -> Void) {
    var rest = columns
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }

  /// Removes the readers of columns of a row and adds them to `told`.
  private func take(_ row: RowIdentity, columns: UInt64, into notices: inout ObservationNotices) {
    guard let reads = observation.rows[row] else { return }
    forEachNumber(in: columns & reads.columns) { notices.add(reads.registrar, $0) }
    observation.rows[row]?.columns &= ~columns
    if reads.columns & ~columns == 0 { observation.rows[row] = nil }
  }

  // MARK: Writes of this instance

  /// Makes a change to columns of a row, and notifies their readers before and after it.
  func changing(_ row: RowIdentity, columns: UInt64, _ change: () -> Void) {
    guard !observation.rows.isEmpty else { return change() }
    var notices = ObservationNotices()
    take(row, columns: columns, into: &notices)
    notices.will()
    let outer = observation.changing
    observation.changing = row
    change()
    observation.changing = outer
    notices.did()
  }

  /// Called by SQLite, through the recorder, for each row that a statement is about to change.
  func didTouch(_ row: RowIdentity, columns: UInt64) {
    forget(row)
    if case .integer(let entry) = row.key, schema.tables[row.table].isEntries {
      highestTouchedEntry[row.table] = max(entry, highestTouchedEntry[row.table] ?? 0)
    }
    if !observation.collections.isEmpty || !observation.results.isEmpty {
      observation.touchedTables.insert(row.table, columns: columns)
    }
    if !observation.rows.isEmpty, observation.rows[row] != nil, row != observation.changing {
      observation.touchedRows.append((row, columns))
    }
  }

  /// Notifies readers of the effects of the last statement that were not announced before it.
  func notifyTouched() {
    guard !observation.touchedRows.isEmpty || !observation.touchedTables.isEmpty else { return }
    var notices = ObservationNotices()
    for (row, columns) in observation.touchedRows { take(row, columns: columns, into: &notices) }
    observation.touchedRows = []
    let candidates = collections(affectedBy: observation.touchedTables)
    takeResults(affectedBy: observation.touchedTables, into: &notices)
    observation.touchedTables = TouchedTables()
    if !candidates.isEmpty {
      let before = candidates.map(\.tree)
      // A failure here occurs again, and is reported, when the order is read.
      try? collect()
      for (live, tree) in zip(candidates, before)
      where live.hasComputedSections || !isSameOrder(tree, live.tree) {
        observation.collections.take(live, into: &notices)
      }
    }
    notices.will()
    notices.did()
  }

  /// The tracked collections that changes in the tables may affect.
  private func collections(affectedBy tables: TouchedTables) -> [LiveQuery] {
    observation.collections.all.filter { live in
      live.hasComputedSections ? !tables.isEmpty : live.query.mayBeAffected(by: tables)
    }
  }

  /// Whether both trees are the same version of an order. False if there is no order.
  ///
  /// - Complexity: O(1): a tree that is shared gets another root with its first change.
  private func isSameOrder(_ a: CollectionTree?, _ b: CollectionTree?) -> Bool {
    guard let a, let b else { return false }
    return a.ranks.root === b.ranks.root
  }

  /// Removes the readers of the results that changes in the tables may affect, and adds them to `notices`.
  private func takeResults(affectedBy tables: TouchedTables, into notices: inout ObservationNotices) {
    for live in observation.results.all
    where tables.columns.contains(where: { live.query.depends(on: $0.value, of: $0.key) }) {
      observation.results.take(live, into: &notices)
    }
  }

  /// The reads that cancelling the transaction is about to invalidate.
  func changesTakenBack() -> ObservationNotices {
    var notices = ObservationNotices()
    guard !observation.isEmpty else { return notices }
    var tables = TouchedTables()
    defer { coordinator.closeBack() }
    if recorder.hasTouchedMany {
      for table in schema.tables { tables.insert(table.index, columns: .max) }
      for row in Array(observation.rows.keys) { take(row, columns: .max, into: &notices) }
    }
    for entry in recorder.touched.entries {
      let (row, touch) = (entry.row, entry.value)
      tables.insert(row.table, columns: touch.columns)
      guard observation.rows[row] != nil else { continue }
      var columns = UInt64.max
      // A row that cannot be read may have changed.
      if writeFailure == nil, let present = try? front.instance.row(schema.tables[row.table], row.key),
        let before = try? rowBeforeWrite(row, touch)
      {
        columns = differingColumns(present, before)
      }
      take(row, columns: columns, into: &notices)
    }
    takeResults(affectedBy: tables, into: &notices)
    try? collect()
    for live in collections(affectedBy: tables) {
      // The former order is kept only where the transaction has changed it.
      let isSame = live.tree != nil && live.treeBeforeWrite.map { isSameOrder($0, live.tree) } ?? true
      if isSame, !live.hasComputedSections { continue }
      observation.collections.take(live, into: &notices)
    }
    return notices
  }

  // MARK: Versions

  /// The reads that showing a delivery will invalidate.
  ///
  /// - Complexity: O(k) for k changed rows, and O(1) for each tracked collection and number, or O(n) for the
  ///   rows of a result that has been read anew; O(1) if nothing is tracked.
  func changes(in delivery: Delivery) -> ObservationNotices {
    var notices = ObservationNotices()
    guard !observation.isEmpty else { return notices }
    let unknown = takeResults(in: delivery, into: &notices)
    var tables = TouchedTables()
    delivery.changes.forEachTable { table, changes in
      var concerned = unknown.filter { $0.query.tables.contains(table) }
      for (key, change) in changes {
        tables.insert(table, columns: change.old == nil || change.new == nil ? .max : 0)
        if !concerned.isEmpty {
          let columns = differingColumns(change.old?.image, change.new?.image)
          concerned.removeAll { live in
            guard live.query.depends(on: columns, of: table) else { return false }
            observation.results.take(live, into: &notices)
            return true
          }
        }
        let row = RowIdentity(table: table, key: key)
        guard observation.rows[row] != nil else { continue }
        take(row, columns: differingColumns(change.old?.image, change.new?.image), into: &notices)
      }
    }
    let candidates = collections(affectedBy: tables)
    guard !candidates.isEmpty else { return notices }
    var trees: [ObjectIdentifier: CollectionTree] = [:]
    for (live, tree) in delivery.trees { trees[ObjectIdentifier(live)] = tree }
    for live in candidates {
      let id = ObjectIdentifier(live)
      let mayMove = live.hasComputedSections && delivery.members[id]?.isEmpty != true
      if mayMove || !isSameOrder(live.tree, trees[id]) {
        observation.collections.take(live, into: &notices)
      }
    }
    return notices
  }

  /// Removes the readers of the results that differ in a delivery, and adds them to `notices`; returns the
  /// results of which either value is unknown.
  private func takeResults(
    in delivery: Delivery, into notices: inout ObservationNotices
  ) -> [MaintainedResult] {
    if observation.results.isEmpty { return [] }
    var states: [ObjectIdentifier: any Sendable] = [:]
    for (live, state) in delivery.results { states[ObjectIdentifier(live)] = state }
    var unknown: [MaintainedResult] = []
    for live in observation.results.all {
      guard let old = live.state, let new = states[ObjectIdentifier(live)] else {
        unknown.append(live)
        continue
      }
      if !live.query.hasSameValue(erased: old, new) { observation.results.take(live, into: &notices) }
    }
    return unknown
  }

  /// Notifies the readers of everything that was read, because the former values are unknown.
  func notifyAllReads() {
    var notices = ObservationNotices()
    for (row, reads) in observation.rows { take(row, columns: reads.columns, into: &notices) }
    for live in observation.collections.all { observation.collections.take(live, into: &notices) }
    for live in observation.results.all { observation.results.take(live, into: &notices) }
    notices.will()
    notices.did()
  }

  private func differingColumns(_ a: RowImage?, _ b: RowImage?) -> UInt64 {
    guard let a, let b else { return a == nil && b == nil ? 0 : .max }
    var columns: UInt64 = 0
    for column in a.indices where a[column] != b[column] { columns |= columnBit(column) }
    return columns
  }
}

extension LiveQuery {
  /// Whether the sections of the elements do not follow from their order.
  fileprivate var hasComputedSections: Bool { sectionFilter.map { !$0.isEmpty } ?? false }
}

extension CollectionQuery {
  /// Whether changes in the tables may affect the members or their order. May be true in vain.
  fileprivate func mayBeAffected(by tables: TouchedTables) -> Bool {
    // A predicate or an order may depend on any table.
    guard predicate == nil, linking == nil, sort.isEmpty, distinct.isEmpty else { return !tables.isEmpty }
    if let list { return tables.contains(list.entries.index) }
    return tables.changesMembership(of: elements.index)
  }
}
