/// A key with its modifiers, as typed; the input of key maps.
///
/// A key has one spelling only: Shift on a character is the resulting character (`J`, never `S-j`), and
/// control keys that terminals cannot tell from others are those others (`C-i` is `Tab`, `C-m` is `Enter`,
/// `C-[` is `Esc`, `C-@` is `C-Space`, `C-/` is `C-_`, `C-D` is `C-d`).
package struct Key: Hashable, Sendable {
  package enum Symbol: Hashable, Sendable {
    case character(Character)
    case up, down, left, right, home, end, pageUp, pageDown, insert, delete, backspace, enter, escape, tab
    /// F1 is `function(1)`.
    case function(Int)
  }

  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let shift = Modifiers(rawValue: 1)
    package static let alt = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
  }

  let symbol: Symbol
  let modifiers: Modifiers

  package init(_ symbol: Symbol, _ modifiers: Modifiers = []) {
    var symbol = symbol
    var modifiers = modifiers
    if case .character(var character) = symbol {
      if modifiers.contains(.control) {
        modifiers.remove(.shift)
        if let lower = character.lowercased().first { character = lower }
        switch character {
        case "i": (symbol, modifiers) = (.tab, modifiers.subtracting(.control))
        case "m": (symbol, modifiers) = (.enter, modifiers.subtracting(.control))
        case "[": (symbol, modifiers) = (.escape, modifiers.subtracting(.control))
        case "@": symbol = .character(" ")
        case "/": symbol = .character("_")
        default: symbol = .character(character)
        }
      } else if modifiers.contains(.shift) {
        modifiers.remove(.shift)
        let upper = character.uppercased()
        symbol = .character(upper.count == 1 ? Character(upper) : character)
      }
    }
    self.symbol = symbol
    self.modifiers = modifiers
  }

  /// The character that this key types, or `nil` for other keys.
  package var typed: Character? {
    if case .character(let character) = symbol, modifiers.isEmpty { return character }
    return nil
  }
}

extension Key: CustomStringConvertible {
  private static let names: [(String, Symbol)] = [
    ("Up", .up), ("Down", .down), ("Left", .left), ("Right", .right), ("Home", .home), ("End", .end),
    ("PgUp", .pageUp), ("PgDn", .pageDown), ("Insert", .insert), ("Delete", .delete),
    ("Backspace", .backspace), ("Enter", .enter), ("Esc", .escape), ("Tab", .tab), ("Space", .character(" ")),
  ]

  /// Other accepted spellings, in lower case.
  private static let aliases: [String: Symbol] = [
    "pageup": .pageUp, "pagedown": .pageDown, "del": .delete, "ins": .insert, "bs": .backspace,
    "return": .enter, "ret": .enter, "escape": .escape,
  ]

  /// The key with this name: a character (`j`, `?`), or one of Up, Down, Left, Right, Home, End, PgUp, PgDn,
  /// Insert, Delete, Backspace, Enter, Esc, Tab, Space, F1 to F63 in any case, after any of `C-` or `Ctrl-`,
  /// `M-`, `A-` or `Alt-`, and `S-` or `Shift-`. `nil` for any other name.
  package init?(_ name: String) {
    var rest = name[...]
    var modifiers: Modifiers = []
    while let dash = rest.dropFirst().dropLast().firstIndex(of: "-") {
      switch rest[..<dash].lowercased() {
      case "c", "ctrl": modifiers.insert(.control)
      case "m", "a", "alt": modifiers.insert(.alt)
      case "s", "shift": modifiers.insert(.shift)
      default: return nil
      }
      rest = rest[dash...].dropFirst()
    }
    let lower = rest.lowercased()
    if rest.count == 1, let character = rest.first {
      guard !character.isWhitespace else { return nil }
      self.init(.character(character), modifiers)
    } else if let named = Key.names.first(where: { $0.0.lowercased() == lower }) {
      self.init(named.1, modifiers)
    } else if let symbol = Key.aliases[lower] {
      self.init(symbol, modifiers)
    } else if lower.first == "f", let number = Int(lower.dropFirst()), (1...63).contains(number) {
      self.init(.function(number), modifiers)
    } else {
      return nil
    }
  }

  /// The name that `init(_: String)` accepts.
  package var description: String {
    var prefix = ""
    if modifiers.contains(.control) { prefix += "C-" }
    if modifiers.contains(.alt) { prefix += "M-" }
    if modifiers.contains(.shift) { prefix += "S-" }
    if let named = Key.names.first(where: { $0.1 == symbol }) { return prefix + named.0 }
    switch symbol {
    case .character(let character): return prefix + String(character)
    case .function(let number): return prefix + "F\(number)"
    default: return prefix
    }
  }
}

extension Key {
  /// The common name of the key: `j`, `↓`, `Shift-↓`, `Ctrl-D`.
  package var label: String {
    var label = ""
    if modifiers.contains(.control) { label += "Ctrl-" }
    if modifiers.contains(.alt) { label += "Alt-" }
    if modifiers.contains(.shift) { label += "Shift-" }
    switch symbol {
    case .up: return label + "↑"
    case .down: return label + "↓"
    case .left: return label + "←"
    case .right: return label + "→"
    case .character(let character) where character.isLetter && !modifiers.isEmpty:
      return label + character.uppercased()
    default: return label + Key(symbol).description
    }
  }
}
