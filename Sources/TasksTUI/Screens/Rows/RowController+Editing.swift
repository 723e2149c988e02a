import FoundationEssentials
import LiveStore
import TasksModel
import TerminalUI

/// The row that is being typed.
extension RowController {
  /// - Parameter call: Its argument, if it has one, becomes the text at once.
  func edit(_ call: CommandCall) {
    guard let id = meantRow(), let index = list.meantRow?.index else { return }
    let element = items[index]
    guard !element.completed else { return context.say(Refusal.editingCompletedRow) }
    if let text = call.argument {
      if operate({ try $0.edit(id, in: scope, text: text) }) != nil { context.lastChange = call }
      return
    }
    clearMarks()
    let text = element.text
    editing = RowEditing(
      command: .rows(.edit), target: .row(id), editor: LineEditor(text, killRing: context.killRing),
      original: text)
    refocus(index)
  }

  /// - Parameter call: Its argument, if it has one, is the text of the new row, and nothing has to be typed.
  ///   Of several lines each is a row.
  func add(_ point: InsertionPoint, _ call: CommandCall) -> ScreenRequest? {
    clearMarks()
    guard place != .archive else { return context.say(Refusal.openRowInArchive) }
    guard takesNewRows else { return context.say("A new task is not among these; add it to a list.") }
    // Else a text would be typed in vain.
    if case .subtasks(let owner)? = place, context.store.task(owner)?.completed == true {
      return context.say(Refusal.openSubtaskOfCompletedTask)
    }
    if let text = call.argument {
      let lines = text.linesForRows
      if lines.count > 1 { return addRows(lines, at: point, call) }
      guard let new = newRow(text) else { return nil }
      let edit = operate { try $0.add(new.text, to: new.place, at: point, date: new.date, in: scope) }
      guard let edit else { return nil }
      context.lastChange = call
      if let index = edit.rowID.flatMap(index(of:)) { list.select(index) } else { sayWhere(new.place) }
      return nil
    }
    let place = draftPlace(for: point)
    let selected = list.selectedID
    draftPlace = place
    editing = RowEditing(
      command: call.command, target: .draft(point), editor: LineEditor(killRing: context.killRing),
      original: "", selectedBefore: selected)
    show(.insertion(at: place), isDraft: true)
    refocus(place)
    return nil
  }

  /// Adds a row next to the meant one; if there is none, at the end of the open ones.
  func add(beside point: (Identifier) -> InsertionPoint, _ call: CommandCall) -> ScreenRequest? {
    guard list.count > 0 else { return add(.afterOpenRows, call) }
    return meantRow().flatMap { add(point($0), call) }
  }

  /// The number of rows before a draft at an insertion point.
  private func draftPlace(for point: InsertionPoint) -> Int {
    switch point {
    case .top: 0
    case .afterOpenRows: placeAfterOpenRows()
    case .above(let id): min(index(of: id) ?? items.count, placeAfterOpenRows())
    case .below(let id): min(index(of: id).map { $0 + 1 } ?? items.count, placeAfterOpenRows())
    }
  }

  /// The index of a draft that will be inserted after the open rows: before the completed ones at the end. If
  /// other programs have mixed the two it is near that; the operation at Enter determines it exactly.
  ///
  /// - Complexity: O(log n).
  func placeAfterOpenRows() -> Int {
    let count = items.count
    var step = 1
    while step <= count, items[count - step].completed { step *= 2 }
    // Rows from `completed` on are completed; the one at `open` is not, or is before all.
    var open = max(-1, count - step)
    var completed = step == 1 ? count : count - step / 2
    while completed - open > 1 {
      let middle = open + (completed - open) / 2
      if items[middle].completed { completed = middle } else { open = middle }
    }
    return completed
  }

  func type(_ key: Key) {
    guard editing != nil else { return }
    context.needsFrame = true
    if context.editingKeys[key] != .complete { editing?.completion = nil }
    reconcile()
    let width = picture.textWidth(ofRow: list.width)
    switch editing?.editor.handle(key, context.editingKeys) {
    case .commit?:
      commit()
      return
    case .cancel?: return cancel()
    case .ignored?:
      switch context.editingKeys[key] {
      case .lineUp?: _ = editing?.editor.move(lines: -1, width: width)
      case .lineDown?: _ = editing?.editor.move(lines: 1, width: width)
      case .complete?: completeWord()
      case .keepAndAdd?: return commitAndAdd()
      default: break
      }
    case .handled?, nil: break
    }
    if let focused = list.focusedIndex { refocus(focused) }
  }

  /// Shows the row that is being edited, with the line of the cursor.
  func refocus(_ row: Int) {
    let line = editing?.editor.layout(width: picture.textWidth(ofRow: list.width)).cursorLine ?? 0
    list.focus(row, line: line, at: now)
  }

  /// - Parameter changes: The resulting changes of the rows, which are shown before anything else reads rows.
  func endEditing(_ changes: ChangeSet? = nil) {
    if let editing { context.killRing = editing.editor.killRing }
    editing = nil
    if let changes { show(changes) }
    list.unfocus(at: now)
  }

  /// - Parameters:
  ///   - place: The index of the draft.
  ///   - index: The index of the row that it has become; nil if that is not shown here.
  private func endEditing(draft place: Int, becoming index: Int?) {
    draftPlace = nil
    endEditing(index.map { .move(from: place, to: $0, isModified: true) } ?? .deletion(at: place))
  }

  /// Stores the typed text.
  ///
  /// - Returns: The row that has it now; nil without text, or when it could not be stored.
  @discardableResult func commit() -> Identifier? {
    // The row of a draft may be back, which is not known yet.
    if editing?.formerRow != nil {
      _ = try? context.store.store.refresh()
      _ = returnText()
      if editing?.formerRow == nil { context.message = nil }
    }
    guard let editing else { return nil }
    return switch editing.target {
    case .row(let id): commit(editing, to: id)
    case .draft(let point): commitDraft(editing, at: point)
    }
  }

  /// Stores the typed text, and types another row below it: several rows are typed without leaving them.
  private func commitAndAdd() {
    // The row stays in its place until all are typed.
    editing?.isContinued = true
    defer { editing?.isContinued = false }
    guard let editing, let row = commit() else { return }
    _ = add(.below(row), CommandCall(editing.command == .rows(.edit) ? .rows(.addBelow) : editing.command))
  }

  private func commit(_ edited: RowEditing, to id: Identifier) -> Identifier? {
    do {
      let edit = try context.store.edit(
        id, in: scope, text: edited.editor.text, replacing: edited.original)
      // Pending changes have been delivered. They may have removed the row from here, and its text is then a
      // draft.
      let draft = draftPlace
      switch edit.noChange {
      case .textChanged(let text)? where draft == nil:
        // The change set with it has been reported already, unless it came before and is not drawn yet.
        noteOtherText(text, of: id)
      case .gone? where draft == nil: context.sayRowIsGone()
      case .gone?, .textChanged?:
        // It was reported when the text became a draft.
        break
      case .unchanged?, .neighbourGone?, .emptyText?, .nothingCompleted?:
        if let draft { endEditing(draft: draft, becoming: nil) } else { endEditing() }
        return edit.noChange == .unchanged ? id : nil
      case nil:
        context.lastChange = CommandCall(.rows(.edit), argument: edit.after.first?.text)
        if let draft {
          // The draft was announced a moment ago, and its text is stored now.
          context.message = nil
          // The change that took the row away may have brought it back: it is here beside the draft.
          let come = index(of: id).flatMap { edit.changes.stays(new: $0) ? nil : $0 }
          if let come {
            endEditing(draft: draft, becoming: come)
          } else {
            draftPlace = nil
            endEditing(edit.changes.showingDraft(at: draft, then: nil))
          }
        } else {
          endEditing(edit.changes)
        }
        sayIfNamedTwice(id)
        guard edit.after.isEmpty else { return id }
        sayDeleted(edit)
      }
    } catch Refusal.editingCompletedRow {
      // It is a draft already if the change has been reported.
      if draftPlace == nil { keepTextOfCompletedRow() }
    } catch {
      context.say(error)
    }
    return nil
  }

  private func commitDraft(_ edited: RowEditing, at point: InsertionPoint) -> Identifier? {
    guard let new = newRow(edited.editor.text) else { return nil }
    do {
      let edit = try context.store.add(new.text, to: new.place, at: point, date: new.date, in: scope)
      switch edit.noChange {
      case .emptyText?: cancel()
      case let reason?: explain(reason)
      case nil:
        // Only now: pending changes have been delivered, and may have moved the draft.
        context.lastChange = CommandCall(edited.command, argument: edited.editor.text.trimmedForRow)
        let index = edit.rowID.flatMap(index(of:))
        if let draftPlace {
          endEditing(draft: draftPlace, becoming: index)
        } else {
          // They have brought back the row whose text the draft was, which was announced a moment ago.
          context.message = nil
          endEditing(edit.changes)
          if let index { list.select(index) }
        }
        if index == nil { sayWhere(new.place) }
        edit.rowID.map(sayIfNamedTwice)
        return edit.rowID
      }
    } catch {
      context.say(error)
    }
    return nil
  }

  /// Says that another list has the name of a list: commands tell the two apart by their ids alone.
  private func sayIfNamedTwice(_ id: Identifier) {
    guard let name = context.store.list(id)?.text,
      context.store.lists.values(of: \.id, \.text).contains(where: { $0 != id && $1 == name })
    else { return }
    context.say("There is another list \(name.quoted).")
  }

  func cancel() {
    let before = editing?.selectedBefore
    let isContested = editing?.isContested ?? false
    let unsaved = unsaved?.text
    if let draftPlace { endEditing(draft: draftPlace, becoming: nil) } else { endEditing() }
    if case .object(let id)? = before, let index = index(of: id) { list.select(index) }
    if let unsaved {
      if context.killRing.entry(age: 0) != unsaved { context.killRing.push(unsaved) }
      let key = context.editingKey(.paste)
      context.say(
        isContested
          ? "Theirs is kept; \(key) in a row brings back what you wrote."
          : "Not saved; \(key) in a row brings back what you typed.")
    }
  }

  /// Continues to edit the text that was being typed in the rows before these.
  func resume(_ old: RowEditing) {
    editing = old
    switch old.target {
    case .row(let id):
      guard let index = index(of: id) else { return keepText(of: id, at: list.selectedIndex ?? 0) }
      // If the row has another text now, that is said when this one is kept.
      list.select(index)
      refocus(index)
    case .draft(let point):
      let place = draftPlace(for: point)
      draftPlace = place
      show(.insertion(at: place), isDraft: true)
      refocus(place)
    }
  }

  /// The text that is being typed, if it differs from the one that the row has.
  var unsaved: UnsavedText? {
    guard let editing, !editing.editor.isEmpty, editing.editor.text != editing.original else { return nil }
    var unsaved = UnsavedText(place: place, text: editing.editor.text, original: editing.original)
    switch editing.target {
    case .row(let id):
      unsaved.row = id
      unsaved.place = place ?? context.store.place(ofTask: id)
    case .draft(let point): unsaved.point = point
    }
    return unsaved
  }

  /// Ends editing because the rows are gone; the typed text can be yanked.
  func rescueText() -> Bool {
    guard let editing, !editing.editor.isEmpty else { return false }
    var killRing = editing.editor.killRing
    killRing.push(editing.editor.text)
    context.killRing = killRing
    return true
  }
}
