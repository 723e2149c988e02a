import LiveStore

/// The journal that `tasks-sync` keeps in a joined file: which changes of this machine were lost, and which
/// stay here.
///
/// It is read beside the store, in the newest version of the file. The program that only reads it needs
/// nothing of `LiveStoreSync`; the tables are those of its `SyncTables`.
public final class SyncJournal {
  private let connection: Connection

  /// Opens the journal of a file.
  ///
  /// - Returns: `nil` if the file is joined to no space, or cannot be read.
  public init?(path: String) {
    let file = FileIdentity(files: DatabaseFiles(databasePath: path))
    guard let connection = try? file.connect(isReadOnly: true),
      let table = try? connection.firstValue("SELECT 1 FROM sqlite_schema WHERE name = '_livesync_state'"),
      table == .integer(1)
    else { return nil }
    self.connection = connection
  }

  /// The place of the file: a space, a server and a machine.
  public struct Membership: Equatable, Sendable {
    /// The name of the space.
    public var space = ""
    /// The address of the server, without a password.
    public var server = ""
    /// The name of this machine.
    public var machine = ""

    public init() {}
  }

  /// The names under which the file is joined.
  public func membership() throws(StoreError) -> Membership {
    var membership = Membership()
    let rows = try connection.instance.prepare("SELECT name, value FROM _livesync_state")
    while try rows.step() {
      switch rows.text(0) {
      case "spaceName": membership.space = rows.text(1)
      case "url": membership.server = rows.text(1)
      case "machine": membership.machine = rows.text(1)
      default: break
      }
    }
    return membership
  }

  /// Whether the file has left its space since the journal was opened.
  public var hasLeft: Bool {
    get throws(StoreError) {
      try connection.firstValue("SELECT 1 FROM sqlite_schema WHERE name = '_livesync_state'") == nil
    }
  }

  private var mayOnlyRead: Bool {
    get throws(StoreError) {
      try connection.firstValue("SELECT value FROM _livesync_state WHERE name = 'mayOnlyRead'") == .integer(1)
    }
  }

  /// The changes of this machine that were lost and not yet settled, the oldest first.
  public func lostChanges() throws(StoreError) -> [LostChange] {
    let rows = try connection.instance.prepare(
      """
      SELECT number, kind, type, key, author, machine FROM _livesync_conflict WHERE NOT isSettled
      ORDER BY number
      """)
    let mayOnlyRead = try mayOnlyRead
    var changes: [LostChange] = []
    while try rows.step() {
      guard let reason = LostChange.Reason(rawValue: rows.text(1)) else { continue }
      let row = Identifier(sqliteValue: rows.value(3))
      var change = LostChange(
        number: rows.integer(0), reason: reason, row: row, text: "",
        actor: RemoteActor(person: rows.text(4), machine: rows.text(5)), properties: [], value: nil,
        canReturn: !mayOnlyRead)
      let place = try addValues(to: &change)
      if reason == .displaced, let refuge = try list(of: row) {
        change.refuge = refuge
        if try place.map(hasOwner) != true { change.canReturn = false }
      }
      let presentText = try presentText(of: row, type: rows.text(2))
      if reason == .overwritten, presentText == nil { (change.isDeleted, change.canReturn) = (true, false) }
      if change.text.isEmpty { change.text = presentText ?? "" }
      changes.append(change)
    }
    return changes
  }

  /// The rows that stay on this machine because the server does not take them, the oldest change first.
  public func keptRows() throws(StoreError) -> [KeptRow] {
    let rows = try connection.instance.prepare(
      """
      SELECT t.name, o.key, o.refusal FROM _livesync_object o JOIN _livesync_type t USING (type)
      WHERE o.waiting IS NOT NULL AND o.refusal <> '' ORDER BY o.waiting
      """)
    var kept: [KeptRow] = []
    while try rows.step() {
      let text = try presentText(of: Identifier(sqliteValue: rows.value(1)), type: rows.text(0))
      kept.append(KeptRow(text: text ?? "", reason: rows.text(2)))
    }
    return kept
  }

  /// - Returns: The place of the row, if it was noted.
  private func addValues(to change: inout LostChange) throws(StoreError) -> String? {
    var place: String?
    let values = try connection.instance.prepare(
      "SELECT name, mine FROM _livesync_conflict_value WHERE number = ? ORDER BY name")
    values.bind([.integer(change.number)])
    while try values.step() {
      let name = values.text(0)
      if change.reason == .overwritten {
        guard LostChange.words[name] != nil else { continue }
        change.properties.append(name)
        if ["text", "notes", "priority", "words"].contains(name) { change.value = values.text(1) }
      } else if name == "text" {
        change.text = values.text(1)
      } else if name == "@place" {
        place = values.text(1)
        change.isSubtask = values.text(1).hasPrefix("TaskItem_")
      }
    }
    if change.properties.count != 1 { change.value = nil }
    return place
  }

  /// Whether the owner of a place is there: the place is a list's table, `/t` and the owner's key.
  private func hasOwner(_ place: String) throws(StoreError) -> Bool {
    let parts = place.split(separator: "/", maxSplits: 1)
    guard let table = ["TaskItem", "TaskList"].first(where: { place.hasPrefix("\($0)_") }), parts.count == 2
    else { return false }
    return try connection.instance.prepare("SELECT 1 FROM \(table) WHERE id = ?")
      .hasRow([.text(String(parts[1].dropFirst()))])
  }

  /// The text of the list that has a task; `nil` if none has it.
  private func list(of task: Identifier) throws(StoreError) -> String? {
    try connection.instance.prepare(
      "SELECT l.text FROM TaskList_items i JOIN TaskList l ON l.id = i.owner WHERE i.target = ?"
    ).first([task.sqliteValue]) { $0.text(0) }
  }

  /// The text of a row as it is now, since of an overwritten change only the lost properties are kept; `nil`
  /// if the row is gone.
  private func presentText(of row: Identifier, type: String) throws(StoreError) -> String? {
    let columns = [
      "TaskItem": (key: "id", text: "text"), "TaskList": ("id", "text"), "SavedSearch": ("name", "name"),
    ]
    guard let (key, text) = columns[type] else { return "" }
    return try connection.instance.prepare("SELECT \(text) FROM \(type) WHERE \(key) = ?")
      .first([row.sqliteValue]) { $0.text(0) }
  }
}

extension TasksStore {
  /// The number of the last change that has come from another machine, in the version that the store shows;
  /// 0 if there is none.
  public var lastArrival: Int64 {
    // Without a space there is no such table.
    let number = try? store.firstValue(sql: "SELECT max(number) FROM _livesync_author")
    if case .integer(let number)? = number { return number }
    return 0
  }

  /// Returns the person whose change of a row has come from another machine after that of a number, in the
  /// version that the store shows.
  ///
  /// - Complexity: O(1000): that many changes are kept.
  public func remoteActor(on row: Identifier, after number: Int64) -> RemoteActor? {
    guard let key = row.text else { return nil }
    let words = try? store.firstValue(
      sql: """
        SELECT coalesce(author, '') || char(10) || coalesce(machine, '') FROM _livesync_author
        WHERE number > \(number) AND key = \(literal(key)) ORDER BY number DESC LIMIT 1
        """)
    guard case .text(let text)? = words else { return nil }
    let names = text.split(separator: "\n", omittingEmptySubsequences: false)
    return RemoteActor(person: String(names[0]), machine: String(names[names.count - 1]))
  }

  /// Whether the person may only read the space of the file: what is changed here is taken back. It is read
  /// at the version that the store shows; in an open transaction it is what the agent has noted last.
  var mayOnlyRead: Bool {
    // Without a space there is no such table.
    let value = try? store.firstValue(sql: "SELECT value FROM _livesync_state WHERE name = 'mayOnlyRead'")
    return value == .integer(1)
  }
}
