import FoundationEssentials
import LiveStore
import TasksModel

/// Several rows at once.
extension RowController {
  var markedRange: ClosedRange<Int>? { marks.range(to: list.selectedIndex, count: items.count) }
  var markedCount: Int { marks.count(range: markedRange, index: index(of:)) }

  /// The rows that a command is about: the marked ones from top to bottom, otherwise as many as counted from
  /// the cursor on, otherwise the meant one.
  ///
  /// A call that has asked for something is about the rows that were meant then, as far as they are here.
  ///
  /// - Parameter count: The number of rows from the cursor on.
  /// - Complexity: O(k log n) for k rows, unless they have been found in parts.
  func rowsForCommand(_ call: CommandCall, count: Int) -> [Identifier] {
    if let meant = call.rows {
      let rows = call.hasFoundRows ? meant : inOrder(meant)
      if rows.isEmpty { sayAreGone(meant) }
      return rows
    }
    if marks.areLost {
      marks.forgetLoss()
      context.say(Self.lostMarks)
      return []
    }
    if !marks.isEmpty {
      endRange()
      let rows = inOrder(marks.ids)
      if rows.isEmpty { context.say(Self.lostMarks) }
      return rows
    }
    guard let id = meantRow() else { return [] }
    guard count > 1, let index = index(of: id) else { return [id] }
    return (index..<min(items.count, index + min(count, items.count))).map { items[$0].id }
  }

  private static var lostMarks: String { "The marked rows are no longer here." }

  /// The ids of rows that are here, from top to bottom.
  private func inOrder(_ ids: some Sequence<Identifier>) -> [Identifier] {
    ids.compactMap { id in index(of: id).map { (id, $0) } }.sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// The number of rows up to which they are found at once, before the next key is read.
  static var mostRowsFoundAtOnce: Int { 2000 }

  /// The work of finding the rows that a command is about, after which the command is performed; nil if they
  /// are few.
  ///
  /// All rows are passed, as they were when it began. Those that go meanwhile are left out later.
  func finding(for call: CommandCall) -> LongWork? {
    let need = call.command.needOfRows
    guard let need, !call.hasFoundRows else { return nil }
    let (marks, range) = (marks, markedRange)
    let meant = need == .rows ? call.rows : nil
    let count = meant?.count ?? max(range?.count ?? 0, need == .rows ? marks.ids.count : 0)
    guard count > Self.mostRowsFoundAtOnce else { return nil }
    let wanted = meant.map(Set.init)
    let rows = items.freeze()
    var (left, index, found) = (rows.makeIterator(), 0, [Identifier]())
    // A row may be here more than once.
    var seen: Set<Identifier> = []
    let advance = { (size: Int) -> Int? in
      let first = index
      while index < first + size, let id = left.next()?.id {
        let isMeant = wanted?.contains(id) ?? marks.contains(id, at: index, range: range)
        if isMeant, seen.insert(id).inserted { found.append(id) }
        index += 1
      }
      return index == first ? nil : index - first
    }
    let work = LongWork(count: rows.count, kind: .finding, advance: advance) { [self] ending in
      switch ending {
      case .done:
        if meant == nil, need != .rows || marks.hasRangeToCursor { self.marks.set(seen) }
      case .stopped: context.say("Stopped; nothing was changed.")
      case .failed(let error): context.say(error)
      }
    }
    work.makeNext = {
      var call = call
      call.hasFoundRows = true
      if need == .rows { call.rows = found }
      return call
    }
    return work
  }

  /// Says that none of the rows that were meant is here.
  func sayAreGone(_ ids: [Identifier]) {
    let isThere = ids.prefix(Self.mostRowsFoundAtOnce).contains {
      context.store.row($0, of: Element.self) != nil
    }
    guard ids.count > 1 else { return context.sayRowIsGone(isThere: isThere) }
    context.say(isThere ? "Those rows are no longer here." : "Those rows have just been deleted elsewhere.")
  }

  /// The call with the rows that it is about, before it asks for something; nil if there are none, which is
  /// told.
  func naming(_ call: CommandCall) -> CommandCall? {
    var call = call
    let rows = rowsForCommand(call, count: call.times)
    call.rows = rows
    return rows.isEmpty ? nil : call
  }

  /// Takes over the marks of the rows that were shown before, and the place of the cursor if its row is not
  /// shown any more. Marks of very many rows are lost.
  func takeCursorAndMarks(of other: RowController) {
    if let cursor = other.list.selectedIndex, !other.isGone, cursor < other.items.count,
      index(of: other.items[cursor].id) == nil
    {
      let below = (cursor..<min(other.items.count, cursor + Self.mostFirstItems)).lazy
      let above = (max(0, cursor - Self.mostFirstItems)..<cursor).reversed().lazy
      let near = below.compactMap { [self] in index(of: other.items[$0].id) }.first
      if let index = near ?? above.compactMap({ [self] in index(of: other.items[$0].id) }).first {
        list.select(index)
      }
    }
    guard other.markedCount <= Self.mostRowsFoundAtOnce else { return marks.lose() }
    other.endRange()
    marks.set(other.marks.ids)
    marks.keep(count: items.count) { index(of: $0) != nil }
    marks.forgetLoss()
  }

  func toggleMark() {
    guard let id = meantRow() else { return }
    endRange()
    marks.toggle(id)
    list.moveSelection(by: 1)
  }

  func toggleRange() {
    guard let id = meantRow() else { return }
    let isEnd = marks.hasRangeToCursor
    endRange()
    if !isEnd { marks.beginRange(at: index(of: id)) }
  }

  func toggleAll() {
    if markedCount == items.count { return clearMarks() }
    // Until changes are reported, “all” would include rows that come later.
    if hasBegun { marks.markAll() } else { marks.set(Set(items.map(\.id))) }
  }

  private func endRange() { marks.endRange(markedRange) { element(at: $0)?.id } }

  func clearMarks() { marks = RowMarks() }

  /// Called with the changes of the rows before the list view gets them, when the store has the new rows.
  // The compiler of Swift 6.3.1 crashes where this closure stands in the only caller.
  func keepMarks(after changes: ChangeSet) {
    marks.keepRange(after: changes, cursor: list.selectedIndex, count: items.count) { element(at: $0)?.id }
  }

  func dropMarksOfRowsThatAreGone() {
    guard !marks.isEmpty else { return }
    if marks.ids.count > Self.mostRowsFoundAtOnce {
      marksToCheck = Array(marks.ids)
    } else {
      marks.keep(count: items.count) { index(of: $0) != nil }
      sayIfMarksAreLost()
    }
  }

  /// Looks, for that long, which of very many marked rows are still here.
  func checkMarks(for duration: Duration) {
    let end = context.clock() + duration
    repeat {
      guard let id = marksToCheck.popLast() else { return }
      guard marks.ids.contains(id), index(of: id) == nil else { continue }
      marks.drop(id)
      context.needsFrame = true
      sayIfMarksAreLost()
    } while context.clock() < end
  }

  /// The next command would be about the row under the cursor.
  private func sayIfMarksAreLost() {
    if marks.areLost { context.say(Self.lostMarks) }
  }
}
