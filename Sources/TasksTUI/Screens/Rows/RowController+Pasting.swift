import LiveStore
import TasksModel
import TerminalUI

/// Pasted text, which is never taken for keys, and copied text.
extension RowController {
  /// Inserts a line into the row that is being typed, or makes it one; about several lines the person is
  /// asked.
  func paste(_ text: String) -> ScreenRequest? {
    if text.linesForRows.count > 1 { return .askAboutLines(text) }
    pasteIntoRow(text)
    return nil
  }

  /// Inserts text, of however many lines, into the row that is being typed, or makes it one row.
  func pasteIntoRow(_ text: String) {
    context.needsFrame = true
    reconcile()
    if editing == nil { perform(.add, CommandCall(.rows(.add))) }
    editing?.completion = nil
    editing?.editor.paste(text)
    if let focused = list.focusedIndex { refocus(focused) }
  }

  /// Adds a row for each line. A row that is being typed is kept first, and they follow it; an empty one is
  /// replaced by them.
  func addRows(_ lines: [String], at point: InsertionPoint, _ call: CommandCall) -> ScreenRequest? {
    var point = point
    if let typed = editing {
      if case .draft(let own) = typed.target, typed.editor.isEmpty {
        cancel()
        point = own
      } else {
        commit()
        // It was changed elsewhere, or cannot be written.
        guard editing == nil else { return nil }
        if let id = selectedTask { point = .below(id) }
      }
    }
    let rows = lines.compactMap(newRow)
    guard let place = rows.first?.place else { return nil }
    return operate(on: rows) { [self] store, rows, long in
      let edit = try store.add(
        rows.map { ($0.text, $0.date) }, to: place, at: point, in: scope, partOf: long)
      if let last = edit.after.last?.id { point = .below(last) }
      return edit
    } then: { [self] edit in
      context.lastChange = call
      if let index = edit.rowID.flatMap(index(of:)) { list.select(index) }
      context.say(
        "Added \(edit.after.count.grouped) rows. \(context.key(.rows(.undo))) takes them back.")
    }
  }

  /// Copies the texts of the rows that the command is about, a line each. A single one can be pasted into a
  /// row with the keys of the line editor, too.
  func copy(_ call: CommandCall) -> ScreenRequest? {
    let ids = rowsForCommand(call, count: call.times)
    guard let first = ids.first else { return nil }
    var text = ""
    for id in ids {
      if id != first { text += "\n" }
      text += context.store.row(id, of: Element.self)?.text ?? ""
      guard text.utf8.count <= Self.mostCopiedBytes else {
        return context.say("That is too long for the clipboard of a terminal.")
      }
    }
    clearMarks()
    if ids.count == 1 { context.killRing.push(text) }
    context.say(ids.count == 1 ? "Copied \(text.quoted)." : "Copied \(ids.count.grouped) rows.")
    return .copy(text)
  }

  /// The bytes that terminals accept: xterm takes 75,000 in base 64.
  private static var mostCopiedBytes: Int { 56_000 }

  /// The words for the one before the cursor of the row that is being typed: the tags that begin like it, or
  /// priorities.
  private var offers: [String] {
    guard place != .lists, let word = editing?.editor.wordBeforeCursor else { return [] }
    let offers: [String] =
      switch word.first {
      case "#": context.tags.completions(of: word).map(\.title)
      case "!": ["!A", "!B", "!C"].filter { $0.hasPrefix(word.uppercased()) }
      default: []
      }
    return offers.filter { $0.lowercased() != word.lowercased() }
  }

  /// The word that Tab takes next; nil if there is none.
  var offer: String? {
    guard let completion = editing?.completion else { return offers.first }
    let next = completion.offers[(completion.taken + 1) % completion.offers.count]
    return completion.offers.count > 1 ? next : nil
  }

  func completeWord() {
    if let completion = editing?.completion {
      editing?.completion?.taken = (completion.taken + 1) % completion.offers.count
    } else {
      let offers = offers
      guard !offers.isEmpty else { return completeWhenTagsAreReady() }
      editing?.completion = (offers, 0)
    }
    guard let completion = editing?.completion else { return }
    editing?.editor.replaceWordBeforeCursor(with: completion.offers[completion.taken])
  }

  /// Completes a tag once the tags have been read, unless the person has gone on typing.
  private func completeWhenTagsAreReady() {
    guard !context.tags.isReady, let editor = editing?.editor, editor.wordBeforeCursor?.first == "#" else {
      return
    }
    context.tags.whenReady = { [weak self] in
      if self?.editing?.editor.text == editor.text { self?.completeWord() }
    }
  }
}

extension String {
  /// The lines that hold more than blanks, as texts of rows.
  var linesForRows: [String] {
    guard utf8.contains(UInt8(ascii: "\n")) else { return [self] }
    return split(whereSeparator: \.isNewline).map { LineEditor.singleLine(String($0)) }
      .filter { !$0.allSatisfy(\.isWhitespace) }
  }
}
