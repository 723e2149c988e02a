import LiveStore

/// The list in which an object is placed, as the value of its cell ``SyncedObject/place``: the list's table
/// and the key of the owner.
///
/// A move to another list changes this one cell, so that two machines that move one object end with it in one
/// place.
struct Placement: Hashable {
  var list: String
  var owner: SQLiteValue

  init(list: String, owner: SQLiteValue) {
    self.list = list
    self.owner = owner
  }

  /// - Returns: `nil` for a value that is none, as of an object that is in no list.
  init?(_ value: SQLiteValue) {
    guard case .text(let text) = value, let slash = text.firstIndex(of: "/") else { return nil }
    let key = text[text.index(after: slash)...]
    list = String(text[..<slash])
    switch key.first {
    case "t": owner = .text(String(key.dropFirst()))
    case "i":
      guard let number = Int64(key.dropFirst()) else { return nil }
      owner = .integer(number)
    default: return nil
    }
  }

  /// The value of the cell; NULL for an owner whose key is neither a number nor a text.
  var value: SQLiteValue {
    switch owner {
    case .integer(let number): .text("\(list)/i\(number)")
    case .text(let text): .text("\(list)/t\(text)")
    default: .null
    }
  }
}
