@testable import TasksTUI
@testable import TerminalUI

/// The meanings of keys.
extension SessionModel {
  mutating func press(_ key: Key, in window: Int) {
    switch self[window].mode {
    case .plain: pressPlainly(key, window)
    case .typing(let typing): type(key, typing, window)
    case .holding(let length): hold(key, length, window)
    case .prompt(let label, let text, let call): answer(key, label, text, call, window)
    case .search(let text, let everywhere, let cursor): search(key, text, everywhere, cursor, window)
    case .note(let task, let text): write(key, task, text, window)
    case .help:
      if ["Esc", "C-g", "q", "?", "h", "Enter"].contains(key.description) { self[window].mode = .plain }
    }
  }

  private static let commands: [String: String] = [
    "j": "down", "Down": "down", "k": "up", "Up": "up", "g": "first", "Home": "first", "G": "last",
    "End": "last",
    "a": "add", "A": "add-on-top", "o": "add-below", "O": "add-above", "Space": "complete", "x": "complete",
    "e": "edit", "i": "edit", "d": "delete", "Delete": "delete", "J": "move-down", "K": "move-up",
    "m": "hold",
    "S-Down": "move-down", "S-Up": "move-up", ">": "move-to-list", "C": "clear", "D": "due", "P": "priority",
    "+": "raise", "-": "lower",
    "u": "undo", "C-_": "undo", "C-r": "redo", ".": "repeat", "Tab": "mark", "v": "mark-range",
    "V": "mark-all",
    "/": "search", "n": "next-match", "N": "previous-match", "Enter": "enter", "l": "open", "Right": "open",
    "h": "lists", "Left": "lists", "c": "note", "T": "today", "#": "tag", "Esc": "escape", "C-g": "escape",
    ":": "command", "?": "keys",
  ]

  private mutating func pressPlainly(_ key: Key, _ window: Int) {
    if let digit = key.typed?.wholeNumberValue, digit > 0 || self[window].count != nil {
      self[window].count = (self[window].count ?? 0) * 10 + digit
      return
    }
    let count = self[window].count
    self[window].count = nil
    guard let name = Self.commands[key.description] else { return }
    perform(SessionCall(name: name, count: count), in: window)
  }

  /// A text with what a key adds to it or takes away; nil for keys that do something else.
  private mutating func edited(_ text: String, by key: Key, _ window: Int) -> String? {
    if let character = key.typed { return text + String(character) }
    switch key.description {
    case "Backspace": return String(text.dropLast())
    case "C-u":
      if !text.isEmpty { self[window].killed = text }
      return ""
    case "C-w":
      var kept = text[...]
      while kept.last == " " { kept.removeLast() }
      while let last = kept.last, last != " " { kept.removeLast() }
      if kept != text[...] { self[window].killed = String(text.dropFirst(kept.count)) }
      return String(kept)
    case "C-y": return text + self[window].killed
    default: return nil
    }
  }

  private mutating func type(_ key: Key, _ typing: SessionWindow.Typing, _ window: Int) {
    var typing = typing
    switch key.description {
    case "Enter": keep(typing, window)
    case "Esc", "C-g":
      self[window].mode = .plain
      if let before = typing.cursorBefore { self[window].cursor = before }
    default:
      guard let text = edited(typing.text, by: key, window) else { return }
      typing.text = text
      self[window].mode = .typing(typing)
    }
  }

  private mutating func keep(_ typing: SessionWindow.Typing, _ window: Int) {
    let text = typing.text.trimmingSpaces
    switch typing.target {
    case .row(let id):
      self[window].mode = .plain
      perform(SessionCall(name: "edit", argument: text), in: window)
      _ = id
    case .new(let name, let beside):
      self[window].mode = .plain
      if text.isEmpty {
        if let before = typing.cursorBefore { self[window].cursor = before }
      } else {
        add(SessionCall(name: name, argument: text), text, beside: beside, window)
      }
    }
  }

  mutating func add(_ call: SessionCall, _ text: String, beside: Int?, _ window: Int) {
    var row = makeRow(text)
    var place = SessionRows.Place.lists
    switch self[window].screen {
    case .rows(let shown): place = shown
    case .today:
      row.due = "today"
      place = .list(rows.lists[0].id)
    case .tag(let name):
      if !row.tags.contains(name) { row.text += " #\(name)" }
      place = .list(rows.lists[0].id)
    }
    if row.text.split(separator: " ").contains("tomorrow") { row.due = "tomorrow" }
    let index = beside.flatMap { id in rows[place].firstIndex { $0.id == id } }
    let target =
      switch call.name {
      case "add-on-top": 0
      case "add-below": index.map { $0 + 1 } ?? Int.max
      case "add-above": index ?? Int.max
      default: Int.max
      }
    change([row.id]) { $0.insert(row, in: place, at: target) }
    self[window].cursor = row.id
    self[window].lastCall = call
  }

  private mutating func hold(_ key: Key, _ length: Int, _ window: Int) {
    guard case .rows(let place) = self[window].screen, let id = self[window].cursor else { return }
    switch key.description {
    case "Enter", "m": self[window].mode = .plain
    case "Esc", "C-g", "h":
      if historyLength > length { takeBack() }
      self[window].mode = .plain
    default:
      let offsets = ["j": 1, "J": 1, "Down": 1, "k": -1, "K": -1, "Up": -1, "g": -1000, "G": 1000]
      guard let offset = offsets[key.description] else { return }
      if historyLength > length {
        continueChange { $0.move([id], in: place, by: offset) }
      } else {
        change([id]) { $0.move([id], in: place, by: offset) }
      }
    }
  }

  private mutating func answer(
    _ key: Key, _ label: String, _ text: String, _ call: SessionCall, _ window: Int
  ) {
    if call.isConfirmed {
      self[window].mode = .plain
      if key.description == "y" { perform(call, in: window) }
      return
    }
    switch key.description {
    case "Enter":
      self[window].mode = .plain
      if call.name == "command" { return run(text, window) }
      perform(SessionCall(name: call.name, count: call.count, argument: text), in: window)
    case "Esc", "C-g": self[window].mode = .plain
    default:
      guard let text = edited(text, by: key, window) else { return }
      self[window].mode = .prompt(label: label, text: text, call: call)
    }
  }

  /// A line after `:`.
  private mutating func run(_ line: String, _ window: Int) {
    let digits = line.prefix { $0.isNumber }
    let words = line.dropFirst(digits.count).split(separator: " ", maxSplits: 1).map(String.init)
    let name = words.first ?? "first"
    perform(
      SessionCall(name: name, count: Int(digits), argument: words.count > 1 ? words[1] : nil), in: window)
  }

  private mutating func search(
    _ key: Key, _ text: String, _ everywhere: Bool, _ cursor: Int, _ window: Int
  ) {
    let found = self[window].found(text, everywhere: everywhere, rows)
    switch key.description {
    case "Tab": self[window].mode = .search(text: text, everywhere: !everywhere, cursor: 0)
    case "Down", "C-n":
      self[window].mode = .search(
        text: text, everywhere: everywhere, cursor: min(cursor + 1, found.count - 1))
    case "Up", "C-p":
      self[window].mode = .search(text: text, everywhere: everywhere, cursor: max(cursor - 1, 0))
    case "Esc", "C-g": self[window].mode = .plain
    case "Enter":
      self[window].mode = .plain
      self[window].searched = text
      guard found.indices.contains(cursor) else { return }
      if case .list(let list)? = rows.place(of: found[cursor].id), self[window].list != list {
        open(list, window)
      }
      self[window].cursor = found[cursor].id
    default:
      guard let text = edited(text, by: key, window) else { return }
      self[window].mode = .search(text: text, everywhere: everywhere, cursor: 0)
    }
  }

  private mutating func write(_ key: Key, _ task: Int, _ text: String, _ window: Int) {
    switch key.description {
    case "C-s":
      self[window].mode = .plain
      change([task]) { $0.change(task) { $0.note = text } }
    case "Esc", "C-g": self[window].mode = .plain
    case "Enter": self[window].mode = .note(task: task, text: text + "\n")
    default:
      guard let text = edited(text, by: key, window) else { return }
      self[window].mode = .note(task: task, text: text)
    }
  }

  mutating func open(_ list: Int, _ window: Int) {
    self[window].screen = .rows(.list(list))
    self[window].lastList = list
    (self[window].marks, self[window].anchor) = ([], nil)
    self[window].cursor = rows[.list(list)].first?.id
  }
}
