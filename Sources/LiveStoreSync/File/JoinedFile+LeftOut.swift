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
  var leftOutCount: Int64 { Int64(leftOut.names.count) }

  /// Notes objects that are not carried, by class and key.
  func noteLeftOut(_ names: [String]) {
    guard !names.isEmpty else { return }
    var all = leftOut.names
    for name in names where all.count < Self.mostLeftOut { all.insert(Self.line(name)) }
    state[lines: .leftOut] = all
  }

  /// Notes whether an object is carried as a whole.
  private func note(_ identity: SyncedObject.Identity, isLeftOut: Bool) {
    guard isLeftOut || !leftOut.names.isEmpty else { return }
    var key: [UInt8] = []
    JSONWriting.writeKey(identity.key, to: &key)
    let name = "\(identity.type) \(String(decoding: key, as: UTF8.self))"
    if isLeftOut {
      noteLeftOut([name])
    } else if leftOut.names.contains(Self.line(name)) {
      state[lines: .leftOut].remove(Self.line(name))
    }
  }

  /// A name, which any client may have chosen, as one line.
  private static func line(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.prefix(200).map { $0.value < 32 ? " " : $0 }))
  }

  /// The names that the state has, which are not read again for each object.
  private var leftOut: LeftOutNames {
    if leftOutNames.text != state[.leftOut] {
      leftOutNames = LeftOutNames(text: state[.leftOut], names: state[lines: .leftOut])
    }
    return leftOutNames
  }

  /// The part of an object from elsewhere that the tables can hold; `nil` if none, or if the class is
  /// unknown.
  func readable(_ remote: RemoteObject) throws(StoreError) -> RemoteObject? {
    var readable = remote
    let canHold: Bool
    if let list = list(ofElement: remote.object.identity) {
      if case .text? = remote.object.cells[SyncedObject.position]?.value {
      } else {
        readable.object.cells[SyncedObject.position] = nil
      }
      canHold = isElement(readable.object, of: list)
    } else if let table = layout.classes[remote.object.identity.type] {
      for (name, cell) in remote.object.cells where try !takes(cell.value, as: name, in: table) {
        readable.object.cells[name] = nil
      }
      canHold = try isObject(readable.object, of: table)
    } else {
      return nil
    }
    guard canHold, (remote.object.latest?.stamp ?? 0) <= Self.latestStamp else {
      note(remote.object.identity, isLeftOut: true)
      return nil
    }
    note(
      remote.object.identity, isLeftOut: readable.object.cells.count < remote.object.cells.count)
    return readable
  }

  /// Whether an object is an element that the list can have.
  private func isElement(_ object: SyncedObject, of list: SyncedLayout.ListTable) -> Bool {
    guard let element = ListElement(object.identity), element.identity == object.identity,
      let owner = layout.classes[list.ownerClass], let target = layout.classes[list.targetClass]
    else { return false }
    return owner.takesKey(element.owner) && target.takesKey(element.target)
      && (object.deletion != nil || object.cells[SyncedObject.position] != nil)
  }

  /// Whether an object is one that the table can have.
  private func isObject(
    _ object: SyncedObject, of table: SyncedLayout.ClassTable
  ) throws(StoreError) -> Bool {
    guard table.takesKey(object.identity.key) else { return false }
    guard object.deletion == nil, !table.requiredColumns.allSatisfy({ object.cells[$0] != nil }) else {
      return true
    }
    return try exists(object.identity.key, in: table)
  }

  /// Whether a cell of an object of a class can be kept.
  private func takes(
    _ value: SQLiteValue, as name: String, in table: SyncedLayout.ClassTable
  ) throws(StoreError) -> Bool {
    if let form = table.forms[name] { return form.takes(value) }
    if name == SyncedObject.place || name == SyncedObject.position {
      if case .text = value { return true }
      return value == .null
    }
    // The clocks of cells that only others know are kept under numbers of their names, a line each.
    guard !name.isEmpty, !name.contains(where: \.isNewline) else { return false }
    return try countOfNames(ofType: table.name) < Self.mostNames
  }

  /// Whether an object of this machine can be carried: another program may have given it a key that no class
  /// has.
  func isCarried(_ identity: SyncedObject.Identity) -> Bool {
    if identity.key.keyText != nil { return true }
    note(identity, isLeftOut: true)
    return false
  }
}

/// The names of objects that are left out, and the text from which they were read.
struct LeftOutNames {
  var text = SQLiteValue.null
  var names: Set<String> = []
}

extension SyncedLayout.ClassTable {
  /// Whether a key is one of the class.
  func takesKey(_ key: SQLiteValue) -> Bool {
    switch key {
    case .integer, .text: forms[primaryKey]?.takes(key) ?? true
    default: false
    }
  }
}
