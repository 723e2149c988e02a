import LiveStore

/// Work of a person at this machine that lost against another's, and what it was.
public struct SyncConflict: Hashable, Sendable {
  /// A reason why work was lost.
  public enum Kind: String, Sendable {
    /// An object that was changed here was deleted elsewhere without knowledge of the change.
    case deleted
    /// A property that was changed here was changed elsewhere later without knowledge of that, or has a value
    /// that only one object may have and another one keeps, or a place from which it could not be reached.
    case overwritten
    /// An object was put into an owner here that was deleted elsewhere.
    case displaced
    /// The server does not let the person at this machine change it.
    case refused
    /// An object was deleted here while the file was in no space, and the space to which it has come back
    /// still has it.
    case kept
  }

  /// The number by which it is settled.
  public var number: Int64
  /// Milliseconds since 1970 by this machine's clock.
  public var time: Int64
  /// The reason why the work was lost.
  public var kind: Kind
  /// The object concerned.
  public var identity: SyncedObject.Identity
  /// The values here, by the names of the cells.
  public var mine: [String: SQLiteValue]
  /// The values that won; none for a deletion.
  public var theirs: [String: SQLiteValue]
  /// The role on the server of the person whose change won; empty for what the server refused.
  public var author: String
  /// The name of that person's machine; empty if it has left.
  public var machine: String
}

/// The place that an object may have lost, and the message by which it has: the deletion of the owner, or one
/// of the object.
struct Displacement {
  var place: Placement
  var remote: RemoteObject
}

extension JoinedFile {
  /// Notes what a person at this machine did and the merging takes back.
  func noteConflict(
    between own: SyncedObject, and remote: RemoteObject, merged: SyncedObject, waiting: Int64?
  ) throws(StoreError) {
    guard own.deletion == nil else { return }
    if merged.deletion != nil {
      guard own.cells.values.contains(where: { isLost($0, waiting, to: merged) }) else { return }
      // It comes back with the one that it was in.
      guard !unsettled.told.contents.contains(own.identity) else { return }
      let deleter = remote.changed(on: merged.deletion?.replica, of: participants)
      let number = try note(.deleted, deleter, mine: own.cells.mapValues(\.value))
      unsettled.told.conflicts[own.identity] = number
      try noteContents(of: own.identity, conflict: number)
      return
    }
    let changed = own.cells.filter { name, cell in
      guard cell.clock.replica == replica else { return false }
      // Of an object that was deleted and brought back elsewhere nothing of an earlier life stays.
      if merged.life != own.life { return isLost(cell, waiting, to: merged) }
      // Another machine settles what could not stay in the name of this one, in the same millisecond.
      let winner = merged.cells[name]
      if remote.hasReplacedUnseen(cell.clock, of: name) { return true }
      // Where everything is sent again, others may have known it.
      if waiting == 0, let basis = winner?.basis { return basis < cell.clock }
      // Two machines have made the object, not knowing of each other.
      if cell.basis == nil, let winner, winner.basis == nil, winner.clock.replica != replica { return true }
      // A change that waits and was replaced knowingly has been sent: only the answer to it was lost.
      return cell.clock.stamp >= waiting ?? .max && winner?.basis != cell.clock
        || winner?.clock.replica == replica && winner?.clock.milliseconds == cell.clock.milliseconds
        || winner?.basis.map { $0 < cell.clock } ?? false
    }
    let lost = changed.filter {
      $0.key != SyncedObject.position && merged.cells[$0.key]?.value != $0.value.value
    }
    let derived = state[lines: .derived]
    guard lost.keys.contains(where: { !derived.contains("\(own.identity.type).\($0)") }) else { return }
    let winner = lost.keys.compactMap { merged.cells[$0]?.clock }.max()?.replica
    // Of a value that was here when the file was joined nothing is known but that it is another one.
    let isOfJoining = lost.values.allSatisfy { $0.clock.stamp <= Self.earliestStamp }
    let winning =
      isOfJoining
      ? RemoteObject(ofUnknown: own.identity) : remote.changed(on: winner, of: participants)
    if winner == replica, lost.count == 1,
      let place = lost[SyncedObject.place].flatMap({ Placement($0.value) })
    {
      // Another machine has settled in the name of this one that it could not stay there.
      if unsettled.displaced[own.identity] == nil {
        unsettled.displaced[own.identity] = Displacement(place: place, remote: winning)
      }
      return
    }
    try note(
      .overwritten, winning, mine: lost.mapValues(\.value),
      theirs: merged.cells.mapValues(\.value))
  }

  /// Whether a cell was given here without knowledge of a deletion, or the deletion was made without
  /// knowledge of it.
  private func isLost(_ cell: SyncedObject.Cell, _ waiting: Int64?, to deleted: SyncedObject) -> Bool {
    guard cell.clock.replica == replica else { return false }
    if let deletion = deleted.deletion, deletion.replica != replica, !deleted.known.isEmpty {
      // Also of what waits: where everything is sent again, others may have known it.
      return deleted.known[replica] ?? .min < cell.clock.stamp
    }
    if let waiting, cell.clock.stamp >= waiting { return true }
    // Programs that do not say what was known.
    return deleted.deletion.map { deleted.known.isEmpty && $0.stamp < cell.clock.stamp } ?? false
  }

  /// Notes the objects that were put into an owner here, and have lost it to a deletion. The person who
  /// deleted the owner has not deleted them with it, and so did not know of them.
  func noteDisplacements() throws(StoreError) {
    for (identity, displacement) in unsettled.displaced.sorted(by: { $0.key.key.precedes($1.key.key) }) {
      let place = displacement.place
      guard let known = try known(identity)?.object, let object = try message(identity, known, from: .min),
        object.cells[SyncedObject.place]?.clock.replica == replica, let list = layout.lists[place.list],
        let owners = layout.classes[list.ownerClass]
      else { continue }
      let present = object.cells.mapValues(\.value)
      var remote = displacement.remote
      remote.object = object
      guard try !exists(place.owner, in: owners) else {
        if present[SyncedObject.place] != place.value {
          try note(.overwritten, remote, mine: [SyncedObject.place: place.value], theirs: present)
        }
        continue
      }
      let owner = SyncedObject.Identity(type: list.ownerClass, key: place.owner)
      if displacement.remote.object.identity != owner, let last = try lastAuthor(of: owner) {
        (remote.author, remote.machine) = last
      }
      try note(.displaced, remote, mine: present.merging([SyncedObject.place: place.value]) { $1 })
    }
  }

  @discardableResult
  private func note(
    _ kind: SyncConflict.Kind, _ remote: RemoteObject, mine: [String: SQLiteValue],
    theirs: [String: SQLiteValue] = [:]
  ) throws(StoreError) -> Int64 {
    try note(kind.rawValue, remote, mine: mine, theirs: theirs)
  }

  /// Returns the number. One that is settled is none that people are told of.
  @discardableResult
  func note(
    _ kind: String, _ remote: RemoteObject, mine: [String: SQLiteValue], theirs: [String: SQLiteValue] = [:],
    isSettled: Bool = false
  ) throws(StoreError) -> Int64 {
    try statements.prepare(
      "INSERT INTO \(SyncTables.conflicts) (time, kind, type, key, author, machine, isSettled) "
        + "VALUES (?, ?, ?, ?, ?, ?, ?)"
    ).run(
      .integer(WallClock.milliseconds), .text(kind), .text(remote.object.identity.type),
      remote.object.identity.key, .text(remote.author), .text(remote.machine), .integer(isSettled ? 1 : 0))
    let number = connection.lastInsertedRow
    let insertion = try statements.prepare("INSERT INTO \(SyncTables.conflictValues) VALUES (?, ?, ?, ?)")
    for (name, value) in mine.sorted(by: { $0.key < $1.key }) {
      try insertion.run(.integer(number), .text(name), value, theirs[name] ?? .null)
    }
    return number
  }

  /// Notes values of a person at this machine that an object could not keep beside another machine's.
  ///
  /// - Parameter cause: An object whose last change elsewhere was the reason.
  func noteLoss(
    of values: [String: SQLiteValue], to theirs: [String: SQLiteValue] = [:],
    of identity: SyncedObject.Identity, after cause: SyncedObject.Identity? = nil
  ) throws(StoreError) {
    var remote = RemoteObject(ofUnknown: identity)
    if let cause, let last = try lastAuthor(of: cause) { (remote.author, remote.machine) = last }
    try note(.overwritten, remote, mine: values, theirs: theirs)
  }

  /// Notes that an object that was changed here was deleted elsewhere, by a person who may be unknown by now.
  func noteDeletion(
    of identity: SyncedObject.Identity, by remote: RemoteObject? = nil, mine values: [String: SQLiteValue]
  ) throws(StoreError) {
    // An element of a list is nothing that a person would look for.
    guard layout.classes[identity.type] != nil else { return }
    try note(.deleted, remote ?? RemoteObject(ofUnknown: identity), mine: values)
  }

  /// The person and the machine whose change of an object came last.
  private func lastAuthor(
    of identity: SyncedObject.Identity
  ) throws(StoreError) -> (author: String, machine: String)? {
    try statements.prepare(
      "SELECT author, machine FROM \(SyncTables.authors) WHERE type = ? AND key = ? "
        + "ORDER BY number DESC LIMIT 1"
    ).first([.text(identity.type), identity.key]) { ($0.text(0), $0.text(1)) }
  }

  /// Notes a change that the server refuses because the person may only read.
  func noteRefusal(of identity: SyncedObject.Identity) throws(StoreError) {
    let values = try localValues(of: identity, known: known(identity)?.object) ?? [:]
    try note(.refused, RemoteObject(ofUnknown: identity), mine: values)
  }

  var conflictCount: Int64 {
    get throws(StoreError) {
      try statements.prepare("SELECT count(*) FROM \(SyncTables.conflicts) WHERE NOT isSettled")
        .first { $0.integer(0) } ?? 0
    }
  }

  /// The unsettled conflicts after a number, the oldest first.
  func conflicts(after number: Int64 = 0) throws(StoreError) -> [SyncConflict] {
    let rows = try statements.prepare(
      """
      SELECT number, time, kind, type, key, author, machine FROM \(SyncTables.conflicts)
      WHERE number > ? AND NOT isSettled ORDER BY number
      """)
    rows.bind(.integer(number), at: 1)
    defer { rows.reset() }
    var conflicts: [SyncConflict] = []
    while try rows.step() {
      guard case .text(let kind) = rows.value(2), let kind = SyncConflict.Kind(rawValue: kind),
        case .text(let type) = rows.value(3)
      else { continue }
      var conflict = SyncConflict(
        number: rows.integer(0), time: rows.integer(1), kind: kind,
        identity: .init(type: type, key: rows.value(4)), mine: [:], theirs: [:], author: rows.text(5),
        machine: rows.text(6))
      let values = try statements.prepare(
        "SELECT name, mine, theirs FROM \(SyncTables.conflictValues) WHERE number = ?")
      values.bind(.integer(conflict.number), at: 1)
      while try values.step() {
        conflict.mine[values.text(0)] = values.value(1)
        if kind == .overwritten { conflict.theirs[values.text(0)] = values.value(2) }
      }
      conflicts.append(conflict)
    }
    return conflicts
  }

  /// The values here that were noted with a conflict.
  func notedValues(ofConflict number: Int64) throws(StoreError) -> [String: SQLiteValue] {
    let values = try statements.prepare(
      "SELECT name, mine FROM \(SyncTables.conflictValues) WHERE number = ?"
    ).all([.integer(number)]) { ($0.text(0), $0.value(1)) }
    return Dictionary(uniqueKeysWithValues: values)
  }
}
