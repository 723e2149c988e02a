extension LineEditor {
  /// What a key did, for the screen that has the editor.
  enum Outcome: Equatable, Sendable {
    /// It edited, or moved, or there was nothing to do in its way.
    case handled
    /// Enter: the text is to be kept.
    case commit
    /// Esc: the text is to be put back as it was.
    case cancel
    /// It means nothing here.
    case ignored
  }

  /// Does what readline does for `key`.
  mutating func handle(_ key: Key) -> Outcome {
    if let character = key.typed {
      insert(String(character))
      return .handled
    }
    switch key.description {
    case "Enter", "C-j": return .commit
    case "Esc", "C-g": return .cancel
    case "Left", "C-b": moveLeft()
    case "Right", "C-f": moveRight()
    case "Home", "C-a": moveToStart()
    case "End", "C-e": moveToEnd()
    case "M-b", "C-Left", "M-Left": moveWordLeft()
    case "M-f", "C-Right", "M-Right": moveWordRight()
    case "Backspace", "S-Backspace", "C-h": deleteBackward()
    case "Delete", "C-d": deleteForward()
    case "C-k": killToEnd()
    case "C-u": killToStart()
    case "C-w": killToBlank()
    case "M-d", "C-Delete", "M-Delete": killWordForward()
    case "M-Backspace", "C-Backspace", "C-M-h": killWordBackward()
    case "C-y": yank()
    case "M-y": yankPop()
    case "C-t": transpose()
    case "M-u": uppercaseWord()
    case "M-l": lowercaseWord()
    case "M-c": capitalizeWord()
    case "C-_": undo()
    default: return .ignored
    }
    return .handled
  }
}
