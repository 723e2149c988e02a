import LiveStore

/// A file that is joined to a space: what has changed in it since it was last looked at, and what other
/// machines have changed.
///
/// It is one more program that writes the file. To all others its writes are those of any program.
///
/// Not thread-safe.
final class JoinedFile {
  let path: String
  let connection: Connection
  var statements: StatementCache { connection.instance }
  var state: SyncState
  private(set) var layout: SyncedLayout
  /// The additions of other programs to the file.
  private var foreign: ForeignParts
  private var schemaVersion: Int64
  private var numbers: [String: Int64] = [:]
  private var names: [String: CellNames] = [:]
  /// Whether the connection's commits wait for the disk.
  private var waitsForDisk = true
  /// Whether any object has values that are held, as far as the transaction has looked.
  private var holdsValues: Bool?
  var unsettled = Unsettled()
  /// The objects that are left out, as they were last read.
  var leftOutNames = LeftOutNames()
  /// The columns of classes that were not there when all of the space was last fetched.
  private(set) var newColumns: [String: Set<String>] = [:]
  /// Objects whose changes were found while others are on their way to the server.
  var changedAgain: Set<SyncedObject.Identity> = []
  /// The people at the machines of the space, by the machines' numbers, as far as the server has told.
  var participants: [Int64: Participant] = [:]
  /// Called now and then during a long exchange.
  var onProgress: (ExchangeProgress) -> Void = { _ in }
  private let signal: CommitSignal
  /// The file that was opened: another one may come to have its name, or its content.
  let identity: FileIdentity
  private let index: WALIndex?

  /// Opens a file.
  ///
  /// - Returns: `nil` if it is not joined.
  convenience init?(path: String) throws(StoreError) {
    let (connection, identity) = try Self.open(path)
    guard let state = try SyncState(connection.instance) else { return nil }
    try self.init(path: path, connection: connection, identity: identity, state: state)
  }

  /// A connection to a file, and the identity of the file that it has opened.
  static func open(_ path: String) throws(StoreError) -> (Connection, FileIdentity) {
    let identity = FileIdentity(files: DatabaseFiles(databasePath: path))
    let connection = try identity.connect { $0.setBusyTimeout(milliseconds: 5000) }
    return (connection, identity)
  }

  /// Runs a closure on a file in the open write transaction of a store, whose connection logs by itself what
  /// is changed through it.
  ///
  /// - Returns: `nil` if the file is not joined.
  static func changing<R>(
    _ path: String, through connection: Connection, _ body: (JoinedFile) throws(StoreError) -> R
  ) throws(StoreError) -> R? {
    guard let state = try SyncState(connection.instance) else { return nil }
    defer {
      (connection.isLoggedByTriggers, connection.keepsParts) = (false, false)
      try? connection.execute("PRAGMA ignore_check_constraints = OFF")
    }
    let identity = FileIdentity(files: DatabaseFiles(databasePath: path))
    let file = try JoinedFile(path: path, connection: connection, identity: identity, state: state)
    // The connection would log each change twice.
    connection.isLoggedByTriggers = false
    let result = try body(file)
    try file.state.save(file.statements)
    return result
  }

  init(
    path: String, connection: Connection, identity: FileIdentity, state: SyncState
  ) throws(StoreError) {
    self.path = path
    self.identity = identity
    self.connection = connection
    self.state = state
    schemaVersion = try Self.schemaVersion(of: connection)
    layout = try Self.layout(of: connection, state)
    foreign = try ForeignParts(connection)
    signal = CommitSignal(databasePath: path)
    index = try? WALIndex(connection)
    identity.noteLog(index)
    // Each of two machines may have kept to a check, and the two changes together break it: they are shown as
    // they are.
    try connection.execute("PRAGMA ignore_check_constraints = ON")
  }

  /// Writes the log back into the file, so that a copy of the file alone has all changes, unless others use
  /// it at this moment.
  func writeLogBack() {
    // The check keeps content that another program has written over the file from being mixed with the log.
    guard index?.hasCommits == true, (try? identity.check()) != nil else { return }
    // Nothing is lost if it fails: the commits stay in the log.
    _ = try? connection.writeLogBackAtOnce()
  }

  // MARK: Transactions

  /// The open questions of a transaction that applies what other machines have changed.
  struct Unsettled {
    /// Objects that have to be given a place, because it, they or its owner have come.
    var unplaced: [SyncedObject.Identity] = []
    /// Objects that may have lost the places in which they were put.
    var displaced: [SyncedObject.Identity: Displacement] = [:]
    /// The deletions elsewhere that the transaction has noted.
    var told = ToldDeletions()
    /// Values of objects that others have, until the transaction decides who keeps them.
    var takenValues: [SyncedObject.Identity: [String: SQLiteValue]] = [:]
    /// The parts whose places the transaction changes.
    var movedParts = MovedParts()
    /// The texts that others have replaced, by the columns that keep texts as they were read.
    var replacedTexts: [SyncedObject.Identity: [String: SQLiteValue]] = [:]
  }

  /// Runs a closure as one transaction that no other program's write can come between.
  ///
  /// When it throws, the file is as it was, and so is the state.
  ///
  /// - Parameter isDurable: Whether to wait for the disk. Not needed for what can be fetched again: when the
  ///   power is lost, the file is in an earlier state as a whole, also of what it has fetched.
  func write<R>(isDurable: Bool = true, _ body: () throws(StoreError) -> R) throws(StoreError) -> R {
    let before = state
    if isDurable != waitsForDisk {
      try connection.execute("PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
      waitsForDisk = isDurable
    }
    holdsValues = nil
    let changesBefore = connection.changeCount
    do throws(StoreError) {
      let result = try connection.transaction { () throws(StoreError) in
        try readState()
        let result = try body()
        try state.save(statements)
        // Commits into a file that has lost its name would be in none.
        try identity.check()
        return result
      }
      // This process follows the file too: a signal without a change would wake it for ever.
      if connection.changeCount != changesBefore { signal.post() }
      return result
    } catch {
      state = before
      numbers = [:]
      names = [:]
      unsettled = Unsettled()
      throw error
    }
  }

  /// Whether any program has changed the file since it was last looked at, or changes wait to be sent.
  ///
  /// Takes no lock, and costs three lookups.
  var hasNews: Bool {
    get throws(StoreError) {
      guard try isLookedAt else { return true }
      return try statements.prepare(
        "SELECT 1 FROM \(SyncTables.objects) WHERE waiting IS NOT NULL AND refusal IS NULL LIMIT 1"
      ).hasRow()
    }
  }

  /// Whether no program has changed the file since it was last looked at.
  var isLookedAt: Bool {
    get throws(StoreError) {
      guard try Self.schemaVersion(of: connection) == schemaVersion,
        state[text: .layout] == layout.fingerprint, let (end, mark) = try endOfLog
      else { return false }
      return end == state[integer: .cursor] && mark == state[.cursorMark]
    }
  }

  /// The address of the server, which a command may have changed.
  var presentAddress: String {
    let sql = "SELECT value FROM \(SyncTables.state) WHERE name = 'url'"
    guard case .text(let address) = try? statements.prepare(sql).first(read: { $0.value(0) }) else {
      return state[text: .url]
    }
    return address
  }

  /// Reads the state, which a command may have changed, and the tables anew if any program has changed them.
  private func readState() throws(StoreError) {
    guard let state = try SyncState(statements) else {
      throw StoreError(.misuse, "“\(path)” is not joined any more.")
    }
    self.state = state
    let version = try Self.schemaVersion(of: connection)
    if version != schemaVersion {
      layout = try Self.layout(of: connection, state)
      foreign = try ForeignParts(connection)
      schemaVersion = version
    }
    let former = state[text: .layout]
    newColumns = former.isEmpty || former == layout.fingerprint ? [:] : layout.columns(missingIn: former)
  }

  /// Runs a statement that inserts, changes or deletes a row of a table.
  ///
  /// - Throws: An error, too, if a trigger of another program has skipped that, which SQLite reports as a
  ///   success: this file would be another than all others.
  func change(_ table: String, _ sql: String, _ values: [SQLiteValue]) throws(StoreError) {
    let statement = try statements.prepare(sql)
    statement.bind(values)
    try statement.run()
    if let error = foreign.skippingError(in: table), connection.lastChangeCount == 0 { throw error }
  }

  /// A number that another program's change of the tables changes.
  private static func schemaVersion(of connection: Connection) throws(StoreError) -> Int64 {
    try connection.instance.prepare("PRAGMA schema_version").first { $0.integer(0) } ?? 0
  }

  private static func layout(
    of connection: Connection, _ state: SyncState
  ) throws(StoreError) -> SyncedLayout {
    let layout = try SyncedLayout(
      connection, excluding: state[lines: .excluded], places: state[lines: .places],
      flatPlaces: state[lines: .flatPlaces], readTexts: state[lines: .readTexts])
    // A part that leaves one place may come into another with the next row.
    if layout.hasParts {
      connection.isLoggedByTriggers = true
      connection.keepsParts = true
    }
    return layout
  }

  // MARK: Clocks

  /// The stamp of a change that was made now, or at a time by this machine's clock.
  func nextStamp(at milliseconds: Int64? = nil) -> Int64 {
    let stamp = max(state[integer: .stamp] + 1, clockStamp(at: milliseconds ?? WallClock.milliseconds))
    state[integer: .stamp] = stamp
    return stamp
  }

  /// The stamp of a change that is made now, if this file has seen no later one.
  var presentStamp: Int64 { clockStamp(at: WallClock.milliseconds) }

  /// The stamp of a time. Any program may have written one that no stamp can have: it counts as the first or
  /// the last of these.
  private func clockStamp(at milliseconds: Int64) -> Int64 {
    let last = Int64.max >> (HybridClock.counterBits + 1)
    let (sum, _) = min(max(milliseconds, 0), last).addingReportingOverflow(state[integer: .clockOffset])
    return min(max(sum, 0), last) << HybridClock.counterBits
  }

  /// Takes in the latest clock of changes that the space has.
  func observeShared(_ clock: HybridClock?) {
    observe(clock)
    if let clock, clock.stamp > state[integer: .sharedStamp] { state[integer: .sharedStamp] = clock.stamp }
  }

  /// Takes in the clock of a change that is now known here: later changes have later ones.
  func observe(_ clock: HybridClock?) {
    if let clock, clock.stamp > state[integer: .stamp] { state[integer: .stamp] = clock.stamp }
  }

  var replica: Int64 { state[integer: .replica] }

  // MARK: Known objects

  /// The number of a class in the tables of joining.
  func number(ofType type: String) throws(StoreError) -> Int64 {
    if let number = numbers[type] { return number }
    let row = try statements.prepare("SELECT type, cells FROM \(SyncTables.types) WHERE name = ?")
    if let (number, cells) = try row.first([.text(type)], read: { ($0.integer(0), $0.value(1)) }) {
      if case .text(let text) = cells {
        names[type] = CellNames(text.split(separator: "\n").map(String.init))
      }
      numbers[type] = number
      return number
    }
    try statements.prepare("INSERT INTO \(SyncTables.types) (name) VALUES (?)").run(.text(type))
    let number = connection.lastInsertedRow
    numbers[type] = number
    return number
  }

  /// The number of a cell's name, which gets one if it has none.
  func number(ofCell name: String, type: String) throws(StoreError) -> Int {
    if let number = names[type]?.existingNumber(of: name) { return number }
    let typeNumber = try number(ofType: type)
    var known = names[type] ?? CellNames()
    let number = known.number(of: name)
    if names[type]?.names != known.names {
      try statements.prepare("UPDATE \(SyncTables.types) SET cells = ? WHERE type = ?").run(
        .text(known.names.joined(separator: "\n")), .integer(typeNumber))
      names[type] = known
    }
    return number
  }

  /// The number of names that cells of a class have had.
  func countOfNames(ofType type: String) throws(StoreError) -> Int {
    if names[type] == nil { _ = try number(ofType: type) }
    return names[type]?.names.count ?? 0
  }

  func cellName(_ number: Int, type: String) throws(StoreError) -> String? {
    if names[type] == nil { _ = try self.number(ofType: type) }
    return names[type]?[number]
  }

  func known(_ identity: SyncedObject.Identity) throws(StoreError) -> (object: KnownObject, waiting: Int64?)?
  {
    let row = try statements.prepare(
      "SELECT life, cells, waiting FROM \(SyncTables.objects) WHERE type = ? AND key = ?")
    return try row.first([.integer(try number(ofType: identity.type)), identity.key]) { row in
      guard case .blob(let bytes) = row.value(1),
        let object = KnownObject(life: row.integer(0), packed: bytes)
      else { return nil }
      return (object, row.isNull(2) ? nil : row.integer(2))
    } ?? nil
  }

  func keep(
    _ object: KnownObject, as identity: SyncedObject.Identity, waiting: Int64?
  ) throws(StoreError) {
    try statements.prepare(
      "INSERT OR REPLACE INTO \(SyncTables.objects) (type, key, life, isDeleted, cells, waiting) "
        + "VALUES (?, ?, ?, ?, ?, ?)"
    ).run(
      .integer(try number(ofType: identity.type)), identity.key, .integer(object.life),
      .integer(object.deletion == nil ? 0 : 1), .blob(object.packed), waiting.map { .integer($0) } ?? .null)
  }

  // MARK: Held values

  /// The values of an object that the tables cannot hold yet.
  func heldValues(of identity: SyncedObject.Identity) throws(StoreError) -> [String: SQLiteValue] {
    if holdsValues == nil {
      holdsValues = try statements.prepare("SELECT 1 FROM \(SyncTables.held) LIMIT 1").hasRow()
    }
    guard holdsValues == true else { return [:] }
    let rows = try statements.prepare("SELECT name, value FROM \(SyncTables.held) WHERE type = ? AND key = ?")
    let values = try rows.all([.integer(try number(ofType: identity.type)), identity.key]) {
      ($0.text(0), $0.value(1))
    }
    return Dictionary(uniqueKeysWithValues: values)
  }

  func hold(_ value: SQLiteValue, as name: String, of identity: SyncedObject.Identity) throws(StoreError) {
    holdsValues = true
    try statements.prepare("INSERT OR REPLACE INTO \(SyncTables.held) VALUES (?, ?, ?, ?)").run(
      .integer(try number(ofType: identity.type)), identity.key, .text(name), value)
  }

  func releaseHeld(_ name: String, of identity: SyncedObject.Identity) throws(StoreError) {
    try statements.prepare("DELETE FROM \(SyncTables.held) WHERE type = ? AND key = ? AND name = ?").run(
      .integer(try number(ofType: identity.type)), identity.key, .text(name))
  }
}

extension Connection {
  /// Runs a closure as one transaction, which is taken back where it throws.
  func transaction<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
    try execute("BEGIN IMMEDIATE")
    do throws(StoreError) {
      let result = try body()
      try commit()
      return result
    } catch {
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }
}
