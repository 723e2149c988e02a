/// Tells Swift's Observation of changes to what was read: columns of rows, and what collections consist of.
///
/// An assignment is told of before it happens, and so is the arrival of a version. What a statement does to
/// other rows, such as setting links to nil, is known only when it has run, and told of then: inside SQLite's
/// hook nothing may be read.
struct ObservationState {
  /// Who reads which row; those who read one are told even if the object that they read it from is gone.
  var rows: [RowIdentity: RowReads] = [:]
  /// The collections whose members somebody reads, as long as they have not been told.
  var collections: [(live: LiveQuery, registrar: ReadRegistrar)] = []
  /// Rows that a statement has touched, with the columns, which those who read them have yet to be told of.
  var touchedRows: [(row: RowIdentity, columns: UInt64)] = []
  /// The tables that the statement has touched.
  var touchedTables = TouchedTables()
  /// The row whose change has been told of and is under way.
  var changing: RowIdentity?
}

/// Tables in which something changed.
struct TouchedTables {
  private(set) var all: Set<Int> = []
  /// Those with rows that came or went.
  private(set) var membership: Set<Int> = []

  var isEmpty: Bool { all.isEmpty }

  mutating func insert(_ table: Int, isMembership: Bool) {
    all.insert(table)
    if isMembership { membership.insert(table) }
  }
}

/// What is told of: before it happens with ``will()``, and afterwards with ``did()``.
struct ToldChanges {
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

  /// Whether somebody tracks reads on this thread.
  @inline(__always)
  var isTracked: Bool {
    guard let probeReference else { return false }
    return probeReference._withUnsafeGuaranteedRef { $0.isTracked() }
  }

  /// Notes a tracked read of columns of a row.
  func noteRead(_ row: RowIdentity, columns: UInt64) {
    probe = TrackingProbe()
    coordinator.track()
    recorder.keepImages()
    observation.rows[row, default: RowReads()].columns |= columns
    guard let registrar = observation.rows[row]?.registrar else { return }
    forEachNumber(in: columns) { registrar.access($0) }
  }

  /// Notes a tracked read of what a collection consists of.
  func noteRead(_ live: LiveQuery) {
    probe = TrackingProbe()
    coordinator.track()
    recorder.keepImages()
    if let known = observation.collections.first(where: { $0.live === live }) {
      return known.registrar.access(0)
    }
    let registrar = ReadRegistrar()
    observation.collections.append((live, registrar))
    registrar.access(0)
  }

  private func forEachNumber(in columns: UInt64, _ body: (Int) -> Void) {
    var rest = columns
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }

  /// Takes out who has to be told that columns of a row change.
  private func take(_ row: RowIdentity, columns: UInt64, into told: inout ToldChanges) {
    guard let reads = observation.rows[row] else { return }
    forEachNumber(in: columns & reads.columns) { told.add(reads.registrar, $0) }
    observation.rows[row]?.columns &= ~columns
    if reads.columns & ~columns == 0 { observation.rows[row] = nil }
  }

  // MARK: Writes of this instance

  /// Makes a change to columns of a row, and tells of it before and after.
  func changing(_ row: RowIdentity, columns: UInt64, _ change: () -> Void) {
    guard !observation.rows.isEmpty else { return change() }
    var told = ToldChanges()
    take(row, columns: columns, into: &told)
    told.will()
    let outer = observation.changing
    observation.changing = row
    change()
    observation.changing = outer
    told.did()
  }

  /// Called by SQLite, through the recorder, for each row that a statement is about to change.
  func didTouch(_ row: RowIdentity, columns: UInt64) {
    forget(row)
    if !observation.collections.isEmpty {
      observation.touchedTables.insert(row.table, isMembership: columns == .max)
    }
    if !observation.rows.isEmpty, observation.rows[row] != nil, row != observation.changing {
      observation.touchedRows.append((row, columns))
    }
  }

  /// Tells of what the statement that has just run did beyond what was told before it.
  func tellTouched() {
    guard !observation.touchedRows.isEmpty || !observation.touchedTables.isEmpty else { return }
    var told = ToldChanges()
    for (row, columns) in observation.touchedRows { take(row, columns: columns, into: &told) }
    observation.touchedRows = []
    let candidates = collections(affectedBy: observation.touchedTables)
    observation.touchedTables = TouchedTables()
    if !candidates.isEmpty {
      let before = candidates.map(\.tree)
      // What fails here fails again, and is reported, when the order is asked for.
      try? collect()
      for (live, tree) in zip(candidates, before) where !isSameOrder(tree, live.tree) {
        take(live, into: &told)
      }
    }
    told.will()
    told.did()
  }

  /// The tracked collections on which changes in the tables may have an effect.
  private func collections(affectedBy tables: TouchedTables) -> [LiveQuery] {
    observation.collections.map(\.live).filter { $0.query.mayBeAffected(by: tables) }
  }

  /// Whether both are the same version of an order. Without an order nobody knows.
  ///
  /// - Complexity: O(1): a tree that is held elsewhere gets another root with its first change, and none
  ///   without.
  private func isSameOrder(_ a: CollectionTree?, _ b: CollectionTree?) -> Bool {
    guard let a, let b else { return false }
    return a.ranks.root === b.ranks.root
  }

  private func take(_ live: LiveQuery, into told: inout ToldChanges) {
    guard let index = observation.collections.firstIndex(where: { $0.live === live }) else { return }
    told.add(observation.collections.remove(at: index).registrar, 0)
  }

  /// What is about to go back to what it was because the transaction is cancelled.
  func changesTakenBack() -> ToldChanges {
    var told = ToldChanges()
    guard !observation.rows.isEmpty || !observation.collections.isEmpty else { return told }
    var tables = TouchedTables()
    defer { coordinator.back.close() }
    for entry in recorder.touched.entries {
      let (row, touch) = (entry.row, entry.value)
      tables.insert(row.table, isMembership: touch.columns == .max)
      guard observation.rows[row] != nil else { continue }
      var columns = UInt64.max
      // What cannot be read may be anything.
      if writeFailure == nil, let present = try? front.instance.row(schema.tables[row.table], row.key),
        let before = try? rowBeforeWrite(row, touch)
      {
        columns = differingColumns(present, before)
      }
      take(row, columns: columns, into: &told)
    }
    try? collect()
    for live in collections(affectedBy: tables) {
      // An order that the transaction has not changed is not kept from before it.
      if live.tree != nil, live.treeBeforeWrite.map({ isSameOrder($0, live.tree) }) ?? true { continue }
      take(live, into: &told)
    }
    return told
  }

  // MARK: Versions

  /// What will be another when a delivery is shown.
  ///
  /// - Complexity: O(k) for k changed rows, and O(1) for each collection that is tracked; O(1) where nothing
  ///   is.
  func changes(in delivery: Delivery) -> ToldChanges {
    var told = ToldChanges()
    guard !observation.rows.isEmpty || !observation.collections.isEmpty else { return told }
    var tables = TouchedTables()
    delivery.changes.forEachTable { table, changes in
      for (key, change) in changes {
        tables.insert(table, isMembership: change.old == nil || change.new == nil)
        let row = RowIdentity(table: table, key: key)
        guard observation.rows[row] != nil else { continue }
        take(row, columns: differingColumns(change.old?.image, change.new?.image), into: &told)
      }
    }
    let candidates = collections(affectedBy: tables)
    guard !candidates.isEmpty else { return told }
    var trees: [ObjectIdentifier: CollectionTree] = [:]
    for (live, tree) in delivery.trees { trees[ObjectIdentifier(live)] = tree }
    for live in candidates where !isSameOrder(live.tree, trees[ObjectIdentifier(live)]) {
      take(live, into: &told)
    }
    return told
  }

  /// Tells of everything that was read, when nobody knows any more what it was.
  func tellOfAllReads() {
    var told = ToldChanges()
    for (row, reads) in observation.rows { take(row, columns: reads.columns, into: &told) }
    for (live, _) in observation.collections { take(live, into: &told) }
    told.will()
    told.did()
  }

  private func differingColumns(_ a: RowImage?, _ b: RowImage?) -> UInt64 {
    guard let a, let b else { return a == nil && b == nil ? 0 : .max }
    var columns: UInt64 = 0
    for column in a.indices where a[column] != b[column] { columns |= columnBit(column) }
    return columns
  }
}

extension CollectionQuery {
  /// Whether changes in the tables may have an effect on the members or their order. It may say so in vain.
  fileprivate func mayBeAffected(by tables: TouchedTables) -> Bool {
    // A predicate or an order may lead anywhere.
    guard predicate == nil, linking == nil, sort.isEmpty, distinct.isEmpty else { return !tables.isEmpty }
    if let list { return tables.all.contains(list.entries.index) }
    return tables.membership.contains(elements.index)
  }
}
