import LiveStore

/// The state of a joined file, each value in a row of its own: where it is joined, up to where its changes
/// are known, and up to which version it has the space's.
struct SyncState {
  /// A value's name in the table.
  enum Name: String, CaseIterable {
    case url, space, spaceName, replica, machine, token
    /// The version of the space that the file has, and the mark of it.
    case version, mark
    /// Whether everything is to be fetched again, and not only what has changed since that version.
    case fetchesAll
    /// The number of the last row of the change log that was looked at, and the mark of it.
    case cursor, cursorMark
    /// The latest stamp that this file has seen or given.
    case stamp
    /// The latest stamp that came from the space, or that the space is known to have.
    case sharedStamp
    /// The milliseconds by which the server's clock is ahead of this machine's.
    case clockOffset
    /// Whether the person may only read the space, as the server last said.
    case mayOnlyRead
    /// Whether the first exchange is still to be made.
    case isNew
    case excluded, places, flatPlaces, derived, readTexts
    /// The cells of the file when all of the space was last fetched.
    case layout
    case asideCount
    /// The times in succession that the server has had no memory for what was sent.
    case exhaustions
    /// The stamp up to which equal stamps do not mean one transaction: changes were found without the log.
    case undatedStamp
    /// The objects that are not carried, or not all of them, because they have no form that this file takes.
    case leftOut
    /// The milliseconds since 1970, by the server's clock, when it was last asked to forget old deletions.
    case pruned

    /// The names by the texts that rows have.
    static let byText = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
  }

  private var values = [Name: SQLiteValue](minimumCapacity: Name.allCases.count)
  private var changed: Set<Name> = []

  /// - Returns: `nil` if the file is not joined.
  init?(_ statements: StatementCache) throws(StoreError) {
    let table = "SELECT 1 FROM sqlite_schema WHERE name = \(literal(SyncTables.state))"
    guard try statements.prepare(table).hasRow() else { return nil }
    let rows = try statements.prepare("SELECT name, value FROM \(SyncTables.state)")
    defer { rows.reset() }
    while try rows.step() {
      guard case .text(let text) = rows.value(0), let name = Name.byText[text] else { continue }
      values[name] = rows.value(1)
    }
  }

  subscript(_ name: Name) -> SQLiteValue {
    get { values[name] ?? .null }
    set {
      guard values[name] != newValue else { return }
      values[name] = newValue
      changed.insert(name)
    }
  }

  /// A whole number; 0 where there is none.
  subscript(integer name: Name) -> Int64 {
    get { if case .integer(let value) = self[name] { value } else { 0 } }
    set { self[name] = .integer(newValue) }
  }

  /// A text; empty where there is none.
  subscript(text name: Name) -> String {
    get { if case .text(let value) = self[name] { value } else { "" } }
    set { self[name] = .text(newValue) }
  }

  /// Names, a line each.
  subscript(lines name: Name) -> Set<String> {
    get { Set(self[text: name].split(separator: "\n").map(String.init)) }
    set { self[text: name] = newValue.sorted().joined(separator: "\n") }
  }

  /// Writes the values that have changed, as part of a transaction.
  mutating func save(_ statements: StatementCache) throws(StoreError) {
    guard !changed.isEmpty else { return }
    let insertion = try statements.prepare("INSERT OR REPLACE INTO \(SyncTables.state) VALUES (?, ?)")
    for name in changed.sorted(by: { $0.rawValue < $1.rawValue }) {
      try insertion.run(.text(name.rawValue), self[name])
    }
    changed = []
  }
}
