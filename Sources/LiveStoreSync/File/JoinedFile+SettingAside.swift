import LiveStore

/// A change that stays on this machine because the server does not take it.
public struct ChangeSetAside: Hashable, Sendable {
  /// The object that was changed.
  public var identity: SyncedObject.Identity
  /// The sentence that says why.
  public var reason: String
}

/// Setting aside changes that the server never takes, so that those that come later go on. They stay in the
/// file, and a person is told of them.
extension JoinedFile {
  /// Sets aside what of some changes the server refuses, and what goes with that; they are tried again when
  /// one of these objects is changed again. Throws the error again if the server takes each for itself.
  func setAside(
    after error: SyncError, among waiting: [SyncedObject], in space: some SpaceConnection
  ) throws {
    let refusals = try refusals(among: waiting[...], in: space)
    guard !refusals.isEmpty else { throw error }
    try setAside(refusals, among: waiting)
  }

  /// The times in succession that the server may have no memory for what is sent, before it is asked whether
  /// that is because of what is sent.
  private static let patienceWithExhaustion: Int64 = 5

  /// Sets aside those of some changes for which the server has had no memory again and again, and has none
  /// while it has some for others. Throws the error again if that is not so.
  func setAsideExcess(
    after error: SyncError, among waiting: [SyncedObject], in space: some SpaceConnection
  ) throws {
    try write { () throws(StoreError) in state[integer: .exhaustions] += 1 }
    guard state[integer: .exhaustions] >= Self.patienceWithExhaustion else { throw error }
    var refusals: [(SyncedObject.Identity, String)] = []
    for object in waiting.filter(\.hasLargeValues).sorted(by: { $0.size > $1.size }) {
      // The server takes smaller objects as well.
      guard let excess = try space.excess(of: object) else { break }
      refusals.append((object.identity, excess.description))
    }
    guard !refusals.isEmpty else { throw error }
    try setAside(refusals, among: waiting)
  }

  private func setAside(
    _ refusals: [(SyncedObject.Identity, String)], among waiting: [SyncedObject]
  ) throws(StoreError) {
    try write { () throws(StoreError) in
      try capture()
      // Rows that have been changed meanwhile may be taken now.
      for (identity, reason) in refusals where !changedAgain.contains(identity) {
        try setAside(identity, because: reason)
      }
      _ = try settingAsideDependents(among: waiting)
    }
  }

  /// The objects that the server refuses each for itself, with the sentences that say why.
  private func refusals(
    among objects: ArraySlice<SyncedObject>, in space: some SpaceConnection
  ) throws -> [(SyncedObject.Identity, String)] {
    guard let first = objects.first, let error = try space.refusal(of: Array(objects)) else { return [] }
    guard objects.count > 1 else { return [(first.identity, error.description)] }
    let middle = objects.startIndex + objects.count / 2
    return try refusals(among: objects[..<middle], in: space)
      + refusals(among: objects[middle...], in: space)
  }

  /// Sets aside those changes that go with what is set aside: of the same transaction, which stays whole, and
  /// those that lead to an object which other machines do not have. Returns the other changes.
  func settingAsideDependents(among waiting: [SyncedObject]) throws(StoreError) -> [SyncedObject] {
    var aside = try objectsSetAside()
    defer { state[integer: .asideCount] = Int64(aside.count) }
    guard !aside.isEmpty else { return waiting }
    var mates: [Int64: [Int]] = [:]
    var referring: [SyncedObject.Identity: [Int]] = [:]
    for (index, object) in waiting.enumerated() {
      for stamp in transactions(of: object) { mates[stamp, default: []].append(index) }
      for target in references(of: object) { referring[target, default: []].append(index) }
    }
    var seen = Set(aside.map(\.identity))
    var next = 0
    while next < aside.count {
      let object = aside[next]
      next += 1
      var dependents = transactions(of: object).flatMap { mates[$0] ?? [] }
      if try isNew(object.identity) { dependents += referring[object.identity] ?? [] }
      for index in dependents where seen.insert(waiting[index].identity).inserted {
        try setAside(waiting[index].identity, because: "")
        aside.append(waiting[index])
      }
    }
    return waiting.filter { !seen.contains($0.identity) }
  }

  private func setAside(_ identity: SyncedObject.Identity, because reason: String) throws(StoreError) {
    try statements.prepare(
      "UPDATE \(SyncTables.objects) SET refusal = ? WHERE type = ? AND key = ? AND waiting IS NOT NULL"
    ).run(.text(reason), .integer(try number(ofType: identity.type)), identity.key)
  }

  /// The changes that the server refuses for themselves.
  func refusals() throws(StoreError) -> [ChangeSetAside] {
    try statements.prepare(
      """
      SELECT t.name, o.key, o.refusal FROM \(SyncTables.objects) o JOIN \(SyncTables.types) t USING (type)
      WHERE o.waiting IS NOT NULL AND o.refusal <> '' ORDER BY o.waiting
      """
    ).all { .init(identity: .init(type: $0.text(0), key: $0.value(1)), reason: $0.text(2)) }
  }

  /// Has everything that was set aside tried again, if one of its objects has been changed since.
  func tryChangedAgain() throws(StoreError) {
    let count = state[integer: .asideCount]
    guard count > 0, try setAsideCount != count else { return }
    try tryAgain()
  }

  func tryAgain() throws(StoreError) {
    guard state[integer: .asideCount] > 0 else { return }
    try statements.prepare(
      "UPDATE \(SyncTables.objects) SET refusal = NULL WHERE waiting IS NOT NULL AND refusal IS NOT NULL"
    ).run()
    state[integer: .asideCount] = 0
  }

  /// The stamps of the transactions in which an object was changed on this machine. What was found without
  /// the log has one stamp, and is no transaction.
  ///
  /// Of a program that does not use LiveStore, each row has a stamp of its own: its triggers log rows, and no
  /// SQL tells them where a transaction begins. Rows of one follow one another in the log, but so do those of
  /// the next, and the time that each has is that of its statement.
  private func transactions(of object: SyncedObject) -> Set<Int64> {
    let clocks = object.cells.values.map(\.clock) + [object.deletion].compactMap(\.self)
    return Set(
      clocks.lazy.filter { [self] in $0.replica == replica && $0.stamp > state[integer: .undatedStamp] }
        .map(\.stamp))
  }

  /// The objects without which an object would be nowhere on other machines, or not whole.
  private func references(of object: SyncedObject) -> [SyncedObject.Identity] {
    if let list = list(ofElement: object.identity) {
      guard let element = ListElement(object.identity) else { return [] }
      return [
        .init(type: list.ownerClass, key: element.owner), .init(type: list.targetClass, key: element.target),
      ]
    }
    guard let table = layout.classes[object.identity.type] else { return [] }
    var targets = table.links.compactMap { column, type in
      object.cells[column].map { SyncedObject.Identity(type: type, key: $0.value) }
    }
    if let place = object.cells[SyncedObject.place].flatMap({ Placement($0.value) }),
      let list = table.places.first(where: { $0.name == place.list })
    {
      targets.append(.init(type: list.ownerClass, key: place.owner))
    }
    return targets
  }

  /// Whether the space has never had an object: everything of it waits.
  func isNew(_ identity: SyncedObject.Identity) throws(StoreError) -> Bool {
    guard let known = try known(identity) else { return false }
    return known.object.isNew(since: known.waiting)
  }
}
