import LiveStore
import TasksModel

/// Changes made elsewhere.
extension RowController {
  func receive(_ change: CollectionChange<AnyLiveCollection<Element>>) {
    context.needsFrame = true
    switch change {
    case .initial:
      unsorted = nil
      catchUp()
      dropMarksOfRowsThatAreGone()
      hasBegun = true
    case .update(_, let changes):
      noteUnsorted(changes)
      apply(changes)
    case .error(let failure):
      // The app says so, and makes these rows anew when they can be read: at once, if that was the case again
      // before it came to look.
      context.endOfObservation = failure
      hasBegun = false
    }
  }

  /// Reloads the list view if its rows differ from the store's. That is rare, and happens without notice only
  /// until changes are reported.
  func reconcile() {
    guard !hasBegun else { return }
    let rows = makeRows()
    let meant = list.meantRow
    let isMeantRowThere = meant?.index.map { $0 < rows.count && rows.id($0) == meant?.id } ?? true
    if rows.count == list.count, isMeantRowThere { return }
    if let place = draftPlace { draftPlace = min(place, items.count) }
    var index: Int?
    if case .object(let id)? = meant?.id { index = self.index(of: id) }
    list.reload(makeRows(), selecting: draftPlace ?? index)
    if let index { list.select(index) }
    switch editing?.target {
    case .draft?: refocus(draftPlace ?? 0)
    case .row(let id)?:
      guard let index = self.index(of: id) else { return keepText(of: id, at: list.selectedIndex ?? 0) }
      refocus(index)
    case nil: break
    }
  }

  /// Shows the changes of a key here.
  ///
  /// - Parameter isDraft: Whether only a row that is not in the file comes.
  func show(_ changes: ChangeSet, isDraft: Bool = false) {
    if !isDraft { noteUnsorted(changes) }
    let rows = makeRows()
    // Before changes are reported, the key's transaction may have included others that are not in them. A
    // file that cannot be read seems to have no rows.
    if !hasBegun || context.store.failure != nil,
      list.count - changes.deletions.count + changes.insertions.count != rows.count
    {
      list.reload(rows)
    } else {
      list.apply(changes, newRows: rows, isLocal: true, at: changeTime)
    }
  }

  /// Notes the rows that a change may have put out of the order in which they are kept.
  private func noteUnsorted(_ changes: ChangeSet) {
    changeCount += 1
    let changed = changes.insertions.count + changes.modifications.count
    // Of rows of which not all are shown the change of a key has places among all.
    guard keptOrder() != nil, hasBegun, filtered == nil, changed <= Self.mostRowsAtOnce,
      var rows = unsorted, rows.count <= Self.mostRowsAtOnce
    else {
      unsorted = nil
      return
    }
    unsorted = nil
    for index in changes.insertions + changes.modificationsInNew {
      guard index < items.count else { return }
      let row = items[index]
      if row.completed, index + 1 < items.count, !items[index + 1].completed { return }
      rows.insert(row.id)
    }
    unsorted = rows
  }

  private func apply(_ changes: ChangeSet) {
    defer { checkHeldRow() }
    guard case .row(let id)? = editing?.target, let edited = list.focusedIndex else {
      let old = draftPlace
      draftPlace = old.map(changes.draftPlace(old:))
      let shown = changes.showingDraft(at: old, then: draftPlace)
      keepMarks(after: shown)
      list.apply(shown, newRows: makeRows(), at: changeTime)
      if shown.deletions.count > shown.moves.count { dropMarksOfRowsThatAreGone() }
      if old == nil { sayWhoChanged(shownRow, in: shown) }
      if let id = returnText() {
        context.say("Its row is back. \(context.editingKey(.keep)) saves your text there.")
        noteText(of: id)
      }
      return
    }
    guard let index = changes.newIndex(ofOld: edited) else {
      let kept = changes.keepingDeletedRow(edited)
      draftPlace = kept.place
      makeDraft(.afterOpenRows)
      list.apply(kept.changes, newRows: makeRows(), at: changeTime)
      // The same change may have brought it back.
      if returnText() == nil { sayLost(id) } else { noteText(of: id) }
      return
    }
    list.apply(changes, newRows: makeRows(), at: changeTime)
    let element = items[index]
    if element.id != id {
      guard self.index(of: id) == nil else { return }
      // Another program has given the row another id.
      editing?.target = .row(element.id)
    }
    if element.completed { return keepTextOfCompletedRow() }
    noteText(of: element.id)
  }

  /// Turns the typed text into a draft, because its row was deleted.
  func makeDraft(_ point: InsertionPoint) {
    if let editing, case .row(let id) = editing.target {
      self.editing?.formerRow = (id, editing.original)
    }
    editing?.target = .draft(point)
    editing?.original = ""
    editing?.unseen = nil
  }

  /// Turns a draft into the text of its row again, if that is back among the rows; returns the row then.
  func returnText() -> Identifier? {
    guard let place = draftPlace, let former = editing?.formerRow, let index = index(of: former.id),
      !items[index].completed
    else { return nil }
    editing?.target = .row(former.id)
    editing?.formerRow = nil
    editing?.original = former.original
    editing?.conflict = nil
    draftPlace = nil
    // The row is in sight beside the draft already, which takes its place.
    show(ChangeSet(of: [(place, index, true), (index < place ? index : index + 1, nil, false)]))
    refocus(index)
    return former.id
  }

  /// Notes the present text of the row being edited, and says so if it is another one.
  private func noteText(of id: Identifier) {
    guard let text = context.store.row(id, of: Element.self)?.text else { return }
    if text == editing?.original { editing?.unseen = nil } else { noteOtherText(text, of: id) }
  }

  /// Notes another text that the row being edited has now, and says so.
  func noteOtherText(_ text: String, of id: Identifier) {
    editing?.unseen = text
    editing?.isContested = true
    sayChanged(to: text, of: id)
  }

  /// Turns the typed text into a draft above the completed rows, because its row is now one of them.
  func keepTextOfCompletedRow() {
    guard case .row(let id)? = editing?.target else { return }
    let selected = list.selectedIndex ?? 0
    editing?.selectedBefore = list.selectedID
    keepText(of: id, at: min(selected, placeAfterOpenRows()))
  }

  /// Says why the typed text has become a draft.
  private func sayLost(_ id: Identifier) {
    let row = context.store.row(id, of: Element.self)
    let deed = row.map { $0.completed ? "Completed" : "Taken from here" } ?? "Deleted"
    sayBelowRow("\(deed) \(context.origin(ofChangeTo: id)). \(draftSentence)")
  }

  /// Shows the text that was being typed in a row as a draft with `place` rows before it, after the rows have
  /// changed, and says so.
  func keepText(of id: Identifier, at place: Int) {
    let place = min(place, items.count)
    draftPlace = place
    makeDraft(.afterOpenRows)
    show(.insertion(at: place), isDraft: true)
    refocus(place)
    sayLost(id)
  }

  /// Shows how another person has changed the text that is being edited, and the choices.
  func sayChanged(to text: String, of row: Identifier) {
    let part = text.part(differingFrom: editing?.original ?? "")
    sayBelowRow(
      "Changed \(context.origin(ofChangeTo: row)) to “\(part)”. \(context.editingKey(.keep)) keeps yours, "
        + "\(context.editingKey(.cancel)) theirs.")
  }

  /// Says what another person has done to the row that is being edited: below it, until that is settled.
  func sayBelowRow(_ sentence: String) {
    editing?.conflict = sentence
    context.say(sentence)
  }

  /// The choices of the person when the row of their text was deleted.
  var draftSentence: String {
    "\(context.editingKey(.keep)) adds your text as a new row, \(context.editingKey(.cancel)) drops it."
  }
}
