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

  mutating func perform(_ command: EditingCommand) -> Outcome {
    switch command {
    case .keep: return .commit
    case .cancel: return .cancel
    case .keepAndAdd, .keepNote, .lineUp, .lineDown, .pageUp, .pageDown, .firstLine, .lastLine, .complete:
      return .ignored
    case .left: moveLeft()
    case .right: moveRight()
    case .start: moveToStart()
    case .end: moveToEnd()
    case .wordLeft: moveWordLeft()
    case .wordRight: moveWordRight()
    case .deleteLeft: deleteBackward()
    case .deleteRight: deleteForward()
    case .cutToEnd: killToEnd()
    case .cutToStart: killToStart()
    case .cutToBlank: killToBlank()
    case .cutWordRight: killWordForward()
    case .cutWordLeft: killWordBackward()
    case .paste: yank()
    case .pasteOlder: yankPop()
    case .exchange: transpose()
    case .uppercase: uppercaseWord()
    case .lowercase: lowercaseWord()
    case .capitalize: capitalizeWord()
    case .undo: undo()
    }
    return .handled
  }
}
