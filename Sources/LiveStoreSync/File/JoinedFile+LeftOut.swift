import LiveStore

/// Leaving out what has no form that this file, or the space, takes. A person is told of it, and everything
/// else goes on.
extension JoinedFile {
  /// The number of objects that are remembered as left out.
  static let mostLeftOut = 1000
  /// The number of names of cells of a class that are remembered, also of those that only others know.
  private static let mostNames = 10_000
  /// The latest stamp that can be followed by others.
  private static let latestStamp = Int64.max / 2

  /// The number of objects that are not carried, or not all of them.
  var leftOutCount: Int64 { Int64(state[lines: .leftOut].count) }

  /// Notes objects that are not carried, by class and key.
  func noteLeftOut(_ names: [String]) {
    guard !names.isEmpty else { return }
    var all = state[lines: .leftOut]
    for name in names where all.count < Self.mostLeftOut {
      // Any client may have chosen the name, and it is to be one line.
      all.insert(
        String(String.UnicodeScalarView(name.unicodeScalars.prefix(200).map { $0.value < 32 ? " " : $0 })))
    }
    state[lines: .leftOut] = all
  }

  /// Notes whether an object is carried as a whole.
  func note(_ identity: SyncedObject.Identity, isLeftOut: Bool) {
    let present = state[.leftOut]
    guard isLeftOut || present != .null && present != .text("") else { return }
    var key: [UInt8] = []
    JSONWriting.writeKey(identity.key, to: &key)
    let name = "\(identity.type) \(String(decoding: key, as: UTF8.self))"
    if isLeftOut {
      noteLeftOut([name])
    } else {
      state[lines: .leftOut].remove(String(String.UnicodeScalarView(name.unicodeScalars.prefix(200))))
    }
  }

  /// The part of an object from elsewhere that the tables can hold.
  ///
  /// - Returns: `nil` if it is nothing of it, or if the program does not know the class.
  func readable(_ remote: RemoteObject) throws(StoreError) -> RemoteObject? {
    let identity = remote.object.identity
    let isOfList = list(ofElement: identity) != nil
    guard isOfList || layout.classes[identity.type] != nil else { return nil }
    var readable = remote
    for (name, cell) in remote.object.cells where try !takes(cell.value, as: name, of: identity) {
      readable.object.cells[name] = nil
    }
    guard (remote.object.latest?.stamp ?? 0) <= Self.latestStamp, try canHold(readable.object) else {
      note(identity, isLeftOut: true)
      return nil
    }
    note(identity, isLeftOut: readable.object.cells.count < remote.object.cells.count)
    return readable
  }

  /// Whether the tables can hold an object of this key with these cells.
  private func canHold(_ object: SyncedObject) throws(StoreError) -> Bool {
    if let list = list(ofElement: object.identity) {
      guard let element = ListElement(object.identity), element.identity == object.identity,
        let owner = layout.classes[list.ownerClass], let target = layout.classes[list.targetClass]
      else { return false }
      return owner.takesKey(element.owner) && target.takesKey(element.target)
        && (object.deletion != nil || object.cells[SyncedObject.position] != nil)
    }
    guard let table = layout.classes[object.identity.type], table.takesKey(object.identity.key) else {
      return false
    }
    guard object.deletion == nil, !table.requiredColumns.allSatisfy({ object.cells[$0] != nil }) else {
      return true
    }
    // Cells that were sent before are merged with those of another machine on the server.
    return try exists(object.identity.key, in: table)
  }

  /// Whether a cell of an object can be kept.
  private func takes(
    _ value: SQLiteValue, as name: String, of identity: SyncedObject.Identity
  ) throws(StoreError) -> Bool {
    if list(ofElement: identity) != nil {
      guard name == SyncedObject.position, case .text = value else { return name != SyncedObject.position }
      return true
    }
    switch name {
    case SyncedObject.place, SyncedObject.position:
      switch value {
      case .null, .text: return true
      default: return false
      }
    default:
      if let form = layout.classes[identity.type]?.forms[name] { return form.takes(value) }
      // The clocks of cells that only others know are kept under numbers of their names, a line each.
      guard !name.isEmpty, !name.contains(where: \.isNewline) else { return false }
      return try countOfNames(ofType: identity.type) < Self.mostNames
    }
  }
}

extension SyncedLayout.ClassTable {
  /// Whether a key is one of the class.
  func takesKey(_ key: SQLiteValue) -> Bool {
    switch key {
    case .integer, .text: forms[primaryKey]?.takes(key) ?? true
    default: false
    }
  }

  /// The columns that a new row has to be given.
  var requiredColumns: [String] { columns.filter { forms[$0]?.isRequired == true } }
}
