import LiveStore
import TasksModel

/// The commands of every screen of rows.
extension RowController {
  /// Performs a command on rows.
  ///
  /// - Returns: A question to ask first, or an action to carry out in parts.
  @discardableResult
  func perform(_ command: RowsCommand, _ call: CommandCall) -> ScreenRequest? {
    context.needsFrame = true
    begin(staysAmongFirstItems: false)
    if isHolding, command == .hold {
      drop()
      return nil
    }
    if takeHeldRow(by: HeldRow.offset(of: command, times: call.times, count: list.count)) { return nil }
    // The rows may have changed since the person answered it.
    if let question = question(of: command, call), question != call.confirmed {
      guard command == .toggleCompleted else { return .confirm(question, call) }
      return naming(call).map { .confirm(question, $0) }
    }
    switch command {
    case .edit: edit(call)
    case .add: return add(.afterOpenRows, call)
    case .addOnTop: return add(.top, call)
    case .addBelow: return add(beside: InsertionPoint.below, call)
    case .addAbove: return add(beside: InsertionPoint.above, call)
    case .toggleCompleted: return toggleCompleted(call)
    case .delete: return delete(call)
    case .moveDown: return moveRows(by: call.times, call)
    case .moveUp: return moveRows(by: -call.times, call)
    case .hold: hold()
    case .clearCompleted: return clearCompleted()
    case .sort: return sort(call)
    case .undo: return undo(times: min(call.times, 1000))
    case .redo: return redo(times: min(call.times, 1000))
    case .nextMatch: seekMatch(1, times: call.times)
    case .previousMatch: seekMatch(-1, times: call.times)
    case .mark: for _ in 0..<min(call.times, list.count) { toggleMark() }
    case .markRange: toggleRange()
    case .markAll: toggleAll()
    case .copy: return copy(call)
    }
    return nil
  }

  /// Makes the rows ready for a command.
  ///
  /// - Parameter staysAmongFirstItems: Whether it concerns only the first rows, so that the others need not
  ///   be known.
  private func begin(staysAmongFirstItems: Bool) {
    seek = nil
    // A person who strikes keys will soon strike one that needs all rows.
    follow()
    if !staysAmongFirstItems { showAllItems() }
    reconcile()
  }

  // MARK: The cursor

  func perform(_ command: CursorCommand, _ call: CommandCall) {
    context.requestFrameOfCursor()
    marks.forgetLoss()
    begin(staysAmongFirstItems: staysAmongFirstItems(command, call))
    let times = call.times
    let offset = command.offset(times: times, count: list.count, height: list.height)
    if takeHeldRow(by: offset) { return }
    let top = list.scrollPosition
    defer { list.glide(from: top, at: changeTime) }
    switch command {
    case .down:
      if list.selectedIndex == list.count - 1 {
        list.pushBack(-1, at: changeTime)
        hintAtEnd()
      }
      list.moveSelection(by: times)
    case .up:
      if list.selectedIndex == 0 {
        list.pushBack(1, at: changeTime)
        hintAtTop()
      }
      list.moveSelection(by: -times)
    case .first: list.select((call.count ?? 1) - 1)
    case .last: list.select(call.count.map { $0 - 1 } ?? list.count - 1)
    case .pageDown: list.moveSelection(byPages: pages(times))
    case .pageUp: list.moveSelection(byPages: -pages(times))
    case .halfPageDown: list.moveSelection(byHalfPages: pages(times))
    case .halfPageUp: list.moveSelection(byHalfPages: -pages(times))
    case .top: selectLine(min(times, max(1, list.height)) - 1)
    case .middle: selectLine(list.height / 2)
    case .bottom: selectLine(list.height - min(times, max(1, list.height)))
    case .scrollDown: list.scroll(byLines: min(times, list.count))
    case .scrollUp: list.scroll(byLines: -min(times, list.count))
    }
  }

  /// Whether a command concerns more than the first rows.
  func needsAllItems(_ call: CommandCall) -> Bool {
    switch call.command {
    case .cursor(let command): !staysAmongFirstItems(command, call)
    case .rows, .tasks: true
    case .screen, .app: false
    }
  }

  private func staysAmongFirstItems(_ command: CursorCommand, _ call: CommandCall) -> Bool {
    switch command {
    case .top, .middle, .bottom: true
    case .first: call.count == nil
    case .last: false
    case .down, .up, .pageDown, .pageUp, .halfPageDown, .halfPageUp, .scrollDown, .scrollUp:
      (list.selectedIndex ?? 0) + (call.times + 2) * max(1, list.height) < Self.mostFirstItems
    }
  }

  /// RealmTasks' message when a list is pulled beyond its ends: what works here, or nothing.
  private func hintAtTop() {
    let takesRow = !context.isReadOnly && !isCollected && place != .archive
    let add = takesRow ? "\(context.key(.rows(.addOnTop))) adds a row on top" : nil
    let back: String? =
      switch place {
      case .lists: nil
      case .subtasks: "goes back to the task"
      case .tasks: "goes back to the lists"
      case nil: "goes back"
      }
    let hints = [add, back.map { "\(context.key(.screen(.back))) \($0)" }].compactMap { $0 }
    if !hints.isEmpty { context.say("↑ " + hints.joined(separator: ", ")) }
  }

  private func hintAtEnd() {
    if context.isReadOnly { return }
    if !isCollected, items.last?.completed == true {
      let clears = place == .archive ? "empties the archive" : "clears the completed rows"
      context.say("↓ \(context.key(.rows(.clearCompleted))) \(clears)")
    } else if takesNewRows {
      context.say("↓ \(context.key(.rows(.add))) adds a row here")
    }
  }

  /// A number of pages, limited by that of the rows: the cost is the distance.
  private func pages(_ times: Int) -> Int { min(times, max(1, list.count / max(1, list.height / 2) + 1)) }

  private func selectLine(_ line: Int) {
    guard let last = list.layout.last else { return }
    list.select(list.rowIndex(atLine: line) ?? last.index)
  }

  /// Ends the present mode of the rows, if there is one; returns whether there was.
  ///
  /// - Parameter command: `escape` ends a search too, which does not prevent `back`.
  func leaveMode(_ command: ScreenCommand) -> Bool {
    marks.forgetLoss()
    if held != nil {
      putBack()
    } else if !marks.isEmpty {
      clearMarks()
    } else if command == .escape, context.searchPattern != nil {
      context.searchPattern = nil
    } else {
      return false
    }
    context.needsFrame = true
    return true
  }

  /// Moves the cursor to a row, if it is here.
  func select(_ id: Identifier) {
    catchUp()
    if let index = index(of: id) { list.select(index) }
    context.needsFrame = true
  }

  // MARK: The meant row

  /// The row that the person means, by identity. If it was deleted, or there is none, they are told so.
  func meantRow() -> Identifier? {
    guard list.count > 0 || list.meantRow != nil else { return context.say("There is no row here.") }
    guard let meant = list.meantRow, !meant.wasDeleted, case .object(let id) = meant.id else {
      if case .object(let id)? = list.meantRow?.id {
        sayAreGone([id])
      } else {
        context.sayRowIsGone()
      }
      return nil
    }
    return id
  }

  /// The rows that the screen shows, among which its operations look up theirs.
  var scope: RowScope {
    RowScope(place, collected: collected?.results ?? filtered, withoutNotifying: tokens) { [self] in
      guard hasBegun, filtered == nil, unsorted?.isEmpty == true, !isHolding, editing?.isContinued != true
      else { return nil }
      return sortedBy
    }
  }

  /// Runs an operation and shows its edit; returns that, if there was a change.
  ///
  /// - Parameter unchanged: Said when the rows are as requested already.
  @discardableResult
  func operate(ifUnchanged unchanged: String? = nil, _ operation: (TasksStore) throws -> Edit) -> Edit? {
    do {
      let edit = try operation(context.store)
      if let reason = edit.noChange {
        explain(reason)
        if reason == .unchanged, let unchanged { context.say(unchanged) }
        return nil
      }
      show(edit.changes)
      return edit
    } catch {
      return context.say(error)
    }
  }

  func explain(_ reason: Edit.NoChange) {
    switch reason {
    case .gone, .neighbourGone: context.sayRowIsGone()
    case .nothingCompleted: context.say("There is no completed row.")
    case .unchanged, .emptyText, .textChanged: break
    }
  }

  /// Runs an operation on the rows that the command is about, in parts if they are many.
  ///
  /// - Parameters:
  ///   - fromBottom: Whether the last part comes first, as each goes in front of the others.
  ///   - unchanged: The sentence for rows that are as requested already.
  ///   - report: Called after it, unless it has changed nothing or was stopped.
  func operateOnRows(
    _ call: CommandCall, fromBottom: Bool = false,
    ifUnchanged unchanged: ((_ rows: [Identifier]) -> String)? = nil, _ operation: @escaping RowsOperation,
    then report: @escaping (Edit) -> Void
  ) -> ScreenRequest? {
    let ids = rowsForCommand(call, count: call.times)
    guard !ids.isEmpty else { return nil }
    let unchanged = unchanged?(ids)
    let isLong = ids.count > Self.mostRowsAtOnce
    if isLong { clearMarks() }
    let ordered = isLong && fromBottom ? ids.reversed() : ids
    return operate(on: ordered, ifUnchanged: unchanged, operation) { [self] edit in
      clearMarks()
      context.lastChange = call.repeatable
      report(edit)
    }
  }

  /// Runs an operation on some items, in parts if they are many.
  func operate<Item>(
    on items: [Item], ifUnchanged unchanged: String? = nil, _ operation: @escaping PartOperation<Item>,
    then report: @escaping (Edit) -> Void
  ) -> ScreenRequest? {
    if items.count > Self.mostRowsAtOnce {
      return .carryOut(work(on: items, ifUnchanged: unchanged, operation, then: report))
    }
    if let edit = operate(ifUnchanged: unchanged, { try operation($0, items, nil) }) { report(edit) }
    return nil
  }

  // MARK: Changes

  private func toggleCompleted(_ call: CommandCall) -> ScreenRequest? {
    let wasMarked = !marks.isEmpty
    // The first of many rows that are there decide for all: others may have deleted those before them.
    var isReopening: Bool?
    return operateOnRows(call) { [self] store, ids, long in
      if long != nil, isReopening == nil {
        let present = ids.compactMap { store.row($0, of: Element.self) }
        if !present.isEmpty { isReopening = present.allSatisfy(\.completed) }
      }
      return try store.toggleCompleted(ids, in: scope, ifCompleted: isReopening, partOf: long)
    } then: { [self] edit in
      if let first = edit.after.first, !first.completed, edit.before.first?.details.archivedFrom != "" {
        return sayBroughtBack(first, count: edit.after.count)
      }
      // After completing a row people continue with the next one; after reopening one they want that one.
      guard edit.after.first?.completed == true else { return }
      let ongoing = edit.after.filter { !$0.completed }
      if !wasMarked { selectRow(behind: ongoing.compactMap { index(of: $0.id) }, edit.changes) }
      sayWhatComesAgain(ongoing)
    }
  }

  /// Says where a task of the archive is now.
  private func sayBroughtBack(_ task: RowValues, count: Int) {
    guard let list = context.store.task(task.id).flatMap(context.store.whereabouts) else { return }
    let what = count == 1 ? task.text.quoted : "\(count.grouped) tasks"
    context.say("Brought \(what) back to \(count == 1 ? list.quoted : "their lists").")
  }

  /// Selects the row below those that were completed where the cursor was.
  ///
  /// - Parameter ongoing: The indices of the tasks among them that repeat, which stay where they were. The
  ///   cursor stays with them if no open row is below.
  private func selectRow(behind ongoing: [Int], _ changes: ChangeSet) {
    guard let first = (ongoing + changes.deletions.prefix(1)).min() else { return }
    let below = first + (first...).prefix(while: Set(ongoing).contains).count
    let isOpen = below < items.count && !items[below].completed
    list.select(below > first && !isOpen ? below - 1 : below)
  }

  private func sayWhatComesAgain(_ next: [RowValues]) {
    guard let first = next.first else { return }
    if next.count > 1 { return context.say("\(next.count.grouped) of them come again.") }
    let date = first.date.map { ": \(context.calendar.words(for: $0))" } ?? ""
    context.say("\(first.text.quoted) comes again\(date).")
  }

  private func delete(_ call: CommandCall) -> ScreenRequest? {
    operateOnRows(call) { [self] in
      try $0.delete($1, in: scope, partOf: $2)
    } then: { [self] in
      sayDeleted($0)
    }
  }

  private func moveRows(by offset: Int, _ call: CommandCall) -> ScreenRequest? {
    guard !refusesMoving() else { return nil }
    let cursor = marks.isEmpty ? nil : list.selectedID
    let ids = rowsForCommand(call, count: 1)
    guard !ids.isEmpty else { return nil }
    // Of many, those in front go first. They stay marked, to be moved on.
    let isReversed = offset > 0 && ids.count > Self.mostRowsAtOnce
    return operate(on: isReversed ? ids.reversed() : ids) { [self] in
      try $0.move($1, in: scope, by: offset, partOf: $2)
    } then: { [self] _ in
      context.lastChange = call.repeatable
      if case .object(let id)? = cursor, let index = index(of: id) { list.select(index) }
    }
  }

  /// Sorts the open rows once.
  private func sort(_ call: CommandCall) -> ScreenRequest? {
    guard !refusesMoving(), let place else { return nil }
    guard let name = call.argument else { return .ask(.order(), for: call) }
    guard let order = RowOrder(rawValue: name.lowercased()) else {
      context.refuse("\(name.quoted) is no order: \(RowOrder.choices).")
      return nil
    }
    clearMarks()
    do {
      let unchanged = "The open rows are sorted by \(order.words) already."
      let report = { [self] (_: Edit) in
        context.lastChange = call
        context.say("Sorted by \(order.words). \(context.key(.rows(.undo))) takes it back.")
      }
      guard let moves = try context.store.moves(sorting: place, by: order) else {
        operate(ifUnchanged: unchanged) { try $0.sortTogether(by: order, in: scope) }.map(report)
        return nil
      }
      guard !moves.isEmpty else { return context.say(unchanged) }
      return operate(on: moves, { [self] in try $0.sort($1, in: scope, partOf: $2) }, then: report)
    } catch {
      return context.say(error)
    }
  }

  /// Moves the rows that the command is about to the list that it names.
  func moveToList(_ call: CommandCall) -> ScreenRequest? {
    catchUp()
    drop()
    guard let call = naming(call) else { return nil }
    guard let name = call.argument else { return .askForList(call) }
    if let chosen = call.chosenList { return moveToList(chosen, call) }
    let lists = context.store.lists
    let called = lists.lazy.filter { $0.text == name }.prefix(2)
    if let list = context.store.list(Identifier(name)) ?? called.first {
      guard list.id == Identifier(name) || called.count == 1 else {
        context.refuse("More than one list is called \(name.quoted). Choose one from the list after >.")
        return nil
      }
      return moveToList(list.id, call)
    } else if call.confirmed == nil {
      return .confirm("There is no list \(name.quoted). Make it?", call)
    }
    var target: Identifier?
    return operateOnRows(call) { [self] store, ids, long in
      if let target { return try store.move(ids, in: scope, toList: target, partOf: long) }
      let edit = try store.move(ids, in: scope, toNewList: name, partOf: long)
      target = edit.after.first { $0.text == name }?.id
      return edit
    } then: { [self] edit in
      context.say("Moved \(rows(edit)) to the new list \(name.quoted).")
    }
  }

  private func moveToList(_ target: Identifier, _ call: CommandCall) -> ScreenRequest? {
    guard let name = context.store.list(target)?.text else {
      return context.say("That list has been deleted elsewhere.")
    }
    let unchanged = { [self] in "\(subject($0, "is", "are")) in \(name.quoted) already." }
    return operateOnRows(call, ifUnchanged: unchanged) { [self] in
      try $0.move($1, in: scope, toList: target, partOf: $2)
    } then: { [self] edit in
      context.lastChange = CommandCall(
        .tasks(.moveToList), count: call.count, argument: CommandCall.argument(of: target))
      context.say("Moved \(rows(edit)) to \(name.quoted).")
    }
  }

  /// The subject and the verb of a sentence about rows.
  func subject(_ rows: [Identifier], _ verb: String, _ pluralVerb: String) -> String {
    context.subject(rows, "rows", verb, pluralVerb) { index(of: $0).map { items[$0].text } }
  }

  private func rows(_ edit: Edit) -> String {
    edit.before.count == 1 ? edit.before[0].text.quoted : "\(edit.before.count.grouped) rows"
  }

  private func clearCompleted() -> ScreenRequest? {
    guard !refusesInCollection("Completed tasks are cleared in their lists.") else { return nil }
    clearMarks()
    do {
      let ids = try place.map(context.store.completedRows) ?? []
      let isArchive = place == .archive
      let operation: RowsOperation = { [self] in
        isArchive ? try $0.delete($1, in: scope, partOf: $2) : try $0.clear($1, in: scope, partOf: $2)
      }
      let report = { [self] (edit: Edit) in isArchive ? sayDeleted(edit) : sayCleared(edit) }
      if ids.count > Self.mostRowsAtOnce { return .carryOut(work(on: ids, operation, then: report)) }
      if isArchive, ids.isEmpty {
        explain(.nothingCompleted)
        return nil
      }
      // Others may have completed more until it begins.
      let edit = operate { try isArchive ? $0.delete(ids, in: scope) : $0.clearCompleted(in: scope) }
      if let edit { report(edit) }
    } catch {
      context.say(error)
    }
    return nil
  }
}
