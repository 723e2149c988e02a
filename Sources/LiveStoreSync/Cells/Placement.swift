import LiveStore

/// The list in which an object is placed, as the value of its cell ``SyncedObject/place``: the list's table
/// and the key of the owner.
///
/// A move to another list changes this one cell, so that two machines that move one object end with it in one
/// place.
struct Placement: Hashable {
  var list: String
  var owner: SQLiteValue
}

extension Placement {
  /// - Returns: `nil` for a value that is none, as of an object that is in no list.
  init?(_ value: SQLiteValue) {
    guard case .text(let text) = value, let slash = text.firstIndex(of: "/") else { return nil }
    guard let owner = SQLiteValue(keyText: text[text.index(after: slash)...]) else { return nil }
    self.init(list: String(text[..<slash]), owner: owner)
  }

  /// The value of the cell; NULL for an owner whose key is neither a number nor a text.
  var value: SQLiteValue { owner.keyText.map { .text("\(list)/\($0)") } ?? .null }
}

extension SQLiteValue {
  /// A primary key as a part of a text; `nil` if it is neither a number nor a text.
  var keyText: String? {
    switch self {
    case .integer(let number): "i\(number)"
    case .text(let text): "t\(text)"
    default: nil
    }
  }

  /// Creates the key from such a part.
  init?(keyText: some StringProtocol) {
    let rest = keyText.dropFirst()
    switch keyText.first {
    case "t": self = .text(String(rest))
    case "i":
      guard let number = Int64(rest) else { return nil }
      self = .integer(number)
    default: return nil
    }
  }
}
