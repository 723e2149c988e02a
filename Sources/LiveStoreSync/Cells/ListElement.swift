import LiveStore

/// An element of a list that does not own its elements, as machines exchange it: an object of its own, whose
/// class is the table of the list, whose key says which object is in whose list, and whose one cell is
/// ``SyncedObject/position``.
///
/// Two machines that put one object into one list make the same element.
struct ListElement: Hashable {
  var list: String
  var owner: SQLiteValue
  var target: SQLiteValue
  /// A number that tells it from the other elements of the list that are the same object.
  var number: Int
}

extension ListElement {
  /// - Returns: `nil` if the object is no element of a list.
  init?(_ identity: SyncedObject.Identity) {
    guard case .text(let key) = identity.key else { return nil }
    let parts = key.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let number = Int(String(parts[0]) ?? ""), number >= 0,
      let length = Int(String(parts[1]) ?? ""), length > 0, length < parts[2].count,
      let owner = String(parts[2].prefix(length)).flatMap(SQLiteValue.init(keyText:)),
      let target = String(parts[2].dropFirst(length)).flatMap(SQLiteValue.init(keyText:))
    else { return nil }
    self.init(list: identity.type, owner: owner, target: target, number: number)
  }

  /// The object that machines exchange; `nil` for keys that no class has.
  var identity: SyncedObject.Identity? {
    guard let owner = owner.keyText, let target = target.keyText else { return nil }
    return SyncedObject.Identity(
      type: list, key: .text("\(number)/\(owner.utf8.count)/\(owner)\(target)"))
  }
}
