extension LineEditor {
  /// The effect of a key, for the screen that has the editor.
  package enum Outcome: Equatable, Sendable {
    /// The key edited, or moved, or had nothing to do.
    case handled
    /// Store the text.
    case commit
    /// Restore the former text.
    case cancel
    /// The key has no meaning in a single line.
    case ignored
  }

  /// Performs the command of `key`, with readline's keys by default.
  package mutating func handle(_ key: Key, _ keys: EditingKeys = .usual) -> Outcome {
    if let character = key.typed {
      insert(String(character))
      return .handled
    }
    return keys[key].map { perform($0) } ?? .ignored
  }
}
