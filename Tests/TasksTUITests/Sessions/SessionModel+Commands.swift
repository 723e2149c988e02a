@testable import TasksTUI

/// The effects of commands.
extension SessionModel {
  mutating func perform(_ call: SessionCall, in window: Int) {
    let shown = self[window].shownRows(rows)
    let ids = shown.map(\.id)
    let index = self[window].cursor.flatMap(ids.firstIndex(of:)) ?? 0
    if moveCursor(call, index, ids, window) || show(call, window) { return }
    guard !["undo", "redo", "clear"].contains(call.name) else { return perform(call, window) }
    // Where a text goes that is to be typed.
    if call.name.hasPrefix("add") { return startAdding(call, index, ids, window) }
    if call.name == "repeat" {
      guard var last = self[window].lastCall else { return }
      if let count = call.count { last.count = count }
      return perform(last, in: window)
    }
    guard !ids.isEmpty else { return }
    switch call.name {
    case "mark":
      self[window].marks.formSymmetricDifference([ids[index]])
      self[window].cursor = ids[min(index + 1, ids.count - 1)]
    case "mark-range":
      if self[window].anchor == nil {
        self[window].anchor = ids[index]
      } else {
        self[window].marks = Set(self[window].markedRows(rows))
        self[window].anchor = nil
      }
    case "mark-all":
      self[window].marks = self[window].marks.count == ids.count ? [] : Set(ids)
      self[window].anchor = nil
    case "hold":
      if !shown[index].isCompleted { self[window].mode = .holding(historyLength: historyLength) }
    case "edit":
      guard !shown[index].isCompleted else { return }
      if let text = call.argument { return edit(ids[index], text, call, window) }
      self[window].marks = []
      self[window].mode = .typing(
        .init(target: .row(ids[index]), text: shown[index].text, cursorBefore: self[window].cursor))
    default:
      let marked = self[window].markedRows(rows)
      let meant = marked.isEmpty ? Array(ids[index..<min(ids.count, index + (call.count ?? 1))]) : marked
      perform(call, on: meant, isMarked: !marked.isEmpty, index, window)
    }
  }

  private mutating func moveCursor(_ call: SessionCall, _ index: Int, _ ids: [Int], _ window: Int) -> Bool {
    let times = call.count ?? 1
    let targets = [
      "down": index + times, "up": index - times, "first": (call.count ?? 1) - 1,
      "last": call.count.map { $0 - 1 } ?? ids.count - 1,
    ]
    if let target = targets[call.name] {
      if !ids.isEmpty { self[window].cursor = ids[min(max(0, target), ids.count - 1)] }
      return true
    }
    guard call.name == "next-match" || call.name == "previous-match" else { return false }
    let step = call.name == "next-match" ? 1 : -1
    let texts = self[window].shownRows(rows).map { $0.text.lowercased() }
    for distance in 1...max(1, ids.count) where !ids.isEmpty {
      let next = (index + step * distance + ids.count * 2) % ids.count
      if texts[next].contains(self[window].searched.lowercased()) {
        self[window].cursor = ids[next]
        break
      }
    }
    return true
  }

  /// Commands that lead to something else that is shown.
  private mutating func show(_ call: SessionCall, _ window: Int) -> Bool {
    switch call.name {
    case "keys": self[window].mode = .help
    case "command": self[window].mode = .prompt(label: ":", text: "", call: call)
    case "search":
      self[window].mode = .search(text: "", everywhere: self[window].list == nil, cursor: 0)
    case "today": collect(.today, window)
    case "tag":
      if let name = call.argument {
        collect(.tag(name), window)
      } else {
        self[window].mode = .prompt(label: "Tag: ", text: "", call: call)
      }
    case "enter", "open":
      guard let id = self[window].cursor, let place = rows.place(of: id) else { return true }
      switch (place, self[window].screen) {
      case (.lists, _): open(id, window)
      case (.list(let list), .today), (.list(let list), .tag):
        guard call.name == "open" else { return edits(window) }
        open(list, window)
        self[window].cursor = id
      case (.list, .rows): return call.name == "enter" ? edits(window) : true
      }
    case "lists", "escape": leave(call.name, window)
    case "note":
      if let id = self[window].cursor, let task = rows.row(id) {
        self[window].mode = .note(task: id, text: task.note)
      }
    case "set", "theme", "repaint": break
    default: return false
    }
    return true
  }

  private mutating func edits(_ window: Int) -> Bool {
    perform(SessionCall(name: "edit"), in: window)
    return true
  }

  private mutating func collect(_ screen: SessionWindow.Screen, _ window: Int) {
    if let list = self[window].list {
      self[window].origin = list
      self[window].originCursor = self[window].cursor
    }
    if case .rows(.lists) = self[window].screen { self[window].origin = nil }
    self[window].screen = screen
    (self[window].marks, self[window].anchor) = ([], nil)
    self[window].cursor = self[window].shownRows(rows).first?.id
  }

  private mutating func leave(_ name: String, _ window: Int) {
    if !self[window].marks.isEmpty || self[window].anchor != nil {
      (self[window].marks, self[window].anchor) = ([], nil)
    } else if name == "escape", !self[window].searched.isEmpty {
      self[window].searched = ""
    } else if name == "escape", case .rows = self[window].screen {
      // It ends what goes on, and nothing else.
    } else if let list = self[window].list {
      self[window].screen = .rows(.lists)
      self[window].cursor = list
    } else if self[window].screen != .rows(.lists) {
      if let origin = self[window].origin, rows.row(origin) != nil {
        let cursor = self[window].originCursor
        open(origin, window)
        if let cursor, rows[.list(origin)].contains(where: { $0.id == cursor }) {
          self[window].cursor = cursor
        }
        return
      }
      self[window].screen = .rows(.lists)
      self[window].cursor = rows.lists.first?.id
    }
  }

  private mutating func startAdding(_ call: SessionCall, _ index: Int, _ ids: [Int], _ window: Int) {
    (self[window].marks, self[window].anchor) = ([], nil)
    let beside = ids.isEmpty ? nil : ids[index]
    if let text = call.argument { return add(call, text, beside: beside, window) }
    let end = SessionRows.openEnd(self[window].shownRows(rows))
    let place =
      switch call.name {
      case "add-on-top": 0
      case "add-below": ids.isEmpty ? 0 : min(index + 1, end)
      case "add-above": min(index, end)
      default: end
      }
    self[window].mode = .typing(
      .init(target: .new(call.name, beside), text: "", place: place, cursorBefore: self[window].cursor))
  }

  private mutating func edit(_ id: Int, _ text: String, _ call: SessionCall, _ window: Int) {
    if rows.row(id)?.text == text { return }
    change([id]) {
      if text.isEmpty {
        $0.delete([id])
      } else {
        $0.change(id) { row in
          row.text = text
          if text.split(separator: " ").contains("tomorrow") { row.due = "tomorrow" }
        }
      }
    }
    self[window].lastCall = SessionCall(name: "edit", argument: text)
  }

  /// Undo, redo and clearing, which are not about the row under the cursor.
  private mutating func perform(_ call: SessionCall, _ window: Int) {
    (self[window].marks, self[window].anchor) = ([], nil)
    if call.name == "clear" {
      guard case .rows(let place) = self[window].screen else { return }
      let completed = rows[place].filter(\.isCompleted).map(\.id)
      return change(completed) { $0.delete(completed) }
    }
    for _ in 0..<(call.count ?? 1) {
      guard let ids = call.name == "undo" ? undo() : redo() else { return }
      // The topmost of the rows that it was about.
      if let first = self[window].shownRows(rows).first(where: { ids.contains($0.id) }) {
        self[window].cursor = first.id
      }
    }
  }

  private mutating func perform(
    _ call: SessionCall, on ids: [Int], isMarked: Bool, _ index: Int, _ window: Int
  ) {
    let place: SessionRows.Place?
    if case .rows(let shown) = self[window].screen { place = shown } else { place = nil }
    switch call.name {
    case "complete":
      let open = ids.compactMap(rows.row).filter { !$0.isCompleted && $0.openTasks > 0 }
      if place == .lists, let list = open.first, !call.isConfirmed {
        var call = call
        call.isConfirmed = true
        let tasks = "\(list.openTasks) open task\(list.openTasks == 1 ? "" : "s")"
        self[window].mode = .prompt(
          label: "“\(list.text)” has \(tasks). Complete it? (y/n)", text: "", call: call)
        return
      }
      let places = place.map { [$0] } ?? rows.places.dropFirst().map { $0 }
      let completes = !ids.allSatisfy { rows.row($0)?.isCompleted ?? true }
      change(ids) { rows in
        for place in places { _ = rows.toggle(ids, in: place) }
      }
      let shown = self[window].shownRows(rows)
      // The cursor goes on to the next row.
      if completes, !isMarked, !shown.isEmpty { self[window].cursor = shown[min(index, shown.count - 1)].id }
    case "delete": change(ids) { $0.delete(ids) }
    case "move-down", "move-up":
      guard let place else { return }
      let offset = (call.count ?? 1) * (call.name == "move-up" ? -1 : 1)
      change(isMarked ? ids : [ids[0]]) { $0.move(isMarked ? ids : [ids[0]], in: place, by: offset) }
      self[window].lastCall = call
      return
    case "move-to-list": return moveToList(call, ids, window)
    case "due", "priority", "raise", "lower":
      guard setDetail(call, ids, window) else { return }
    default: return
    }
    (self[window].marks, self[window].anchor) = ([], nil)
    self[window].lastCall = call
  }

  private mutating func moveToList(_ call: SessionCall, _ ids: [Int], _ window: Int) {
    guard let name = call.argument else {
      self[window].mode = .prompt(label: "Move to list: ", text: "", call: call)
      return
    }
    guard let list = self[window].list,
      let target = rows.lists.first(where: {
        $0.id != list && $0.text.lowercased().hasPrefix(name.lowercased())
      })
    else { return }
    change(ids) { $0.move(ids, from: .list(list), to: target.id) }
    (self[window].marks, self[window].anchor) = ([], nil)
    self[window].lastCall = call
  }

  /// - Returns: Whether it is done; else something is asked first.
  private mutating func setDetail(_ call: SessionCall, _ ids: [Int], _ window: Int) -> Bool {
    guard call.argument != nil || call.name == "raise" || call.name == "lower" else {
      let isOpen = ids.contains { rows.row($0)?.isCompleted == false }
      guard isOpen else { return false }
      self[window].mode = .prompt(
        label: call.name == "due" ? "Due: " : "Priority: ", text: "", call: call)
      return false
    }
    let argument = call.argument ?? ""
    let scale = ["", "C", "B", "A"]
    change(ids) { rows in
      for id in ids {
        rows.change(id) { row in
          guard !row.isCompleted else { return }
          let level = scale.firstIndex(of: row.priority) ?? 0
          switch call.name {
          case "due": row.due = argument == "none" ? "" : argument
          case "raise": row.priority = scale[min(3, level + 1)]
          case "lower": row.priority = scale[max(0, level - 1)]
          default: row.priority = argument == "none" ? "" : argument.uppercased()
          }
        }
      }
    }
    return true
  }
}
