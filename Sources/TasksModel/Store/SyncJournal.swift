import FoundationEssentials
import LiveStore

/// The journal that `tasks-sync` keeps in a joined file: who has changed which row on another machine, and
/// which changes of this machine were lost.
///
/// It is read beside the store, in the newest version of the file. The program that only reads it needs
/// nothing of `LiveStoreSync`; the tables are those of its `SyncTables`.
public final class SyncJournal {
  private let connection: Connection

  /// Opens the journal of a file.
  ///
  /// - Returns: `nil` if the file is joined to no space, or cannot be read.
  public init?(path: String) {
    guard let connection = try? Connection(path: path, create: false, isReadOnly: true),
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

  /// Returns the person who has changed a row on another machine, if that has come within the last seconds.
  ///
  /// - Complexity: O(1000): that many changes are kept.
  public func recentActor(on row: Identifier, within seconds: Int64 = 10) throws(StoreError) -> RemoteActor? {
    let rows = try connection.instance.prepare(
      "SELECT author, machine, time FROM _livesync_author WHERE key = ? ORDER BY number DESC LIMIT 1")
    let oldest = Int64(Date().timeIntervalSince1970 * 1000) - seconds * 1000
    let last = try rows.first([row.sqliteValue]) {
      (actor: RemoteActor(person: $0.text(0), machine: $0.text(1)), time: $0.integer(2))
    }
    return last.flatMap { $0.time >= oldest ? $0.actor : nil }
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
      if change.text.isEmpty { change.text = try presentText(of: row, type: rows.text(2)) }
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
      kept.append(KeptRow(text: text, reason: rows.text(2)))
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

  /// The text of a row as it is now; of an overwritten change only the lost properties are kept.
  private func presentText(of row: Identifier, type: String) throws(StoreError) -> String {
    if type == "SavedSearch" { return row.description }
    guard let table = ["TaskItem", "TaskList"].first(where: { $0 == type }) else { return "" }
    return try connection.instance.prepare("SELECT text FROM \(table) WHERE id = ?")
      .first([row.sqliteValue]) { $0.text(0) } ?? ""
  }
}

extension TasksStore {
  /// Whether the person may only read the space of the file: what is changed here is taken back. It is read
  /// at the version that the store shows; in an open transaction it is what the agent has noted last.
  var mayOnlyRead: Bool {
    // Without a space there is no such table.
    let value = try? store.firstValue(sql: "SELECT value FROM _livesync_state WHERE name = 'mayOnlyRead'")
    return value == .integer(1)
  }
}
