/// A text of several lines that is being edited: a line editor for each line, and the joining and splitting
/// of lines.
package struct TextEditor: Equatable, Sendable {
  package private(set) var lines: [LineEditor]
  /// The index of the line with the cursor.
  package private(set) var current: Int

  private var history: [Change] = []
  private static let historyLimit = 500

  /// A change that undo takes back.
  private enum Change: Equatable, Sendable {
    /// The last one of the line at an index.
    case line(Int)
    /// The lines in a range have replaced others. The cursor was in the line at an index.
    case lines(new: Range<Int>, old: [LineEditor], current: Int)
  }

  /// The cursor is at the end.
  package init(_ text: String = "", killRing: KillRing = KillRing()) {
    lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { LineEditor(String($0), killRing: killRing) }
    current = lines.count - 1
  }

  /// Shows another text. The cursor stays in its line and column as far as these are there.
  package mutating func show(_ text: String) {
    let (line, column) = (current, lines[current].cursor)
    self = TextEditor(text, killRing: killRing)
    current = min(line, lines.count - 1)
    lines[current].move(to: min(column, lines[current].clusters.count))
  }

  package var text: String { lines.map(\.text).joined(separator: "\n") }
  package var killRing: KillRing { lines[current].killRing }

  /// - Parameters:
  ///   - width: The columns that a line is wrapped to.
  ///   - height: The lines of a page.
  /// - Returns: `commit` when the text is to be stored; the key that stores a line inserts a line break here.
  package mutating func handle(
    _ key: Key, _ keys: EditingKeys = .usual, width: Int, height: Int = 10
  ) -> LineEditor.Outcome {
    guard key.typed != nil || keys[key] != .undo else {
      undo()
      return .handled
    }
    let (line, steps, killed) = (current, lines[current].stepCount, killRing)
    let outcome = perform(key, keys, width: width, height: height)
    if current != line {
      lines[current].killRing = killed
    } else if lines[line].stepCount > steps {
      note(.line(line))
    }
    return outcome
  }

  private mutating func perform(
    _ key: Key, _ keys: EditingKeys, width: Int, height: Int
  ) -> LineEditor.Outcome {
    guard key.typed == nil, let command = keys[key] else { return lines[current].handle(key, keys) }
    let line = lines[current]
    switch command {
    case .keepNote: return .commit
    case .keep:
      part()
      note(.lines(new: current - 1..<current + 1, old: [line], current: current - 1))
    case .deleteLeft where line.cursor == 0:
      if current > 0 { join(at: current) }
    case .deleteRight where line.cursor == line.clusters.count:
      if current + 1 < lines.count { join(at: current + 1) }
    case .lineUp: move(lines: -1, width: width)
    case .lineDown: move(lines: 1, width: width)
    // A line of the page before stays in sight.
    case .pageUp: for _ in 0..<max(1, height - 1) { move(lines: -1, width: width) }
    case .pageDown: for _ in 0..<max(1, height - 1) { move(lines: 1, width: width) }
    case .left where line.cursor == 0 && current > 0:
      current -= 1
      lines[current].moveToEnd()
    case .right where line.cursor == line.clusters.count && current + 1 < lines.count:
      current += 1
      lines[current].moveToStart()
    case .paste:
      guard let killed = killRing.entry(age: 0), killed.contains(where: \.isNewline) else {
        return lines[current].perform(.paste)
      }
      if lines.reduce(0, { $0 + $1.clusters.count + 1 }) <= LineEditor.longestToGrow { paste(killed) }
    case .firstLine: (current, _) = (0, lines[0].moveToStart())
    case .lastLine: (current, _) = (lines.count - 1, lines[lines.count - 1].moveToEnd())
    default: return lines[current].perform(command)
    }
    return .handled
  }

  /// Inserts pasted text, including its lines.
  ///
  /// Complexity: O(the present and the pasted lines).
  package mutating func paste(_ text: String) {
    let pasted = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let (start, line) = (current, lines[current])
    defer {
      if current > start {
        note(.lines(new: start..<current + 1, old: [line], current: start))
      } else if lines[start].stepCount > line.stepCount {
        note(.line(start))
      }
    }
    lines[current].paste(String(pasted[0]))
    guard pasted.count > 1 else { return }
    part()
    // The lines between are inserted together.
    let killRing = killRing
    let between = pasted[1..<pasted.count - 1].map { line in
      var editor = LineEditor(killRing: killRing)
      editor.paste(String(line))
      return editor
    }
    lines.insert(contentsOf: between, at: current)
    current += between.count
    lines[current].paste(String(pasted[pasted.count - 1]))
  }

  private mutating func part() {
    let line = lines[current]
    let killRing = line.killRing
    lines[current] = LineEditor(String(line.clusters[..<line.cursor]), killRing: killRing)
    lines.insert(
      LineEditor(String(line.clusters[line.cursor...]), cursor: 0, killRing: killRing), at: current + 1)
    current += 1
  }

  /// Joins a line with the one above it.
  private mutating func join(at index: Int) {
    let above = lines[index - 1]
    let line = lines.remove(at: index)
    note(.lines(new: index - 1..<index, old: [above, line], current: current))
    current = index - 1
    lines[current] = LineEditor(
      above.text + line.text, cursor: above.clusters.count, killRing: lines[current].killRing)
  }

  private mutating func note(_ change: Change) {
    history.append(change)
    if history.count > Self.historyLimit { history.removeFirst() }
  }

  /// Undoes the last change of all lines, and goes to where it was made.
  private mutating func undo() {
    let killed = killRing
    switch history.popLast() {
    case .line(let index)?:
      current = index
      lines[index].undo()
    case .lines(let new, let old, let line)?:
      lines.replaceSubrange(new, with: old)
      current = line
      // Text that is typed from now on is another change.
      lines[line].move(to: lines[line].cursor)
    case nil: break
    }
    lines[current].killRing = killed
  }

  /// Moves up or down by one line of the screen, as near to the column as possible.
  private mutating func move(lines offset: Int, width: Int) {
    let index = current + offset
    if lines[current].move(lines: offset, width: width) || !lines.indices.contains(index) { return }
    let column = lines[current].layout(width: width).columnsBeforeCursor
    let isUp = offset < 0
    current = index
    if isUp { lines[index].moveToEnd() } else { lines[index].moveToStart() }
    let layout = lines[index].layout(width: width)
    // A cursor after a full last line has an empty one below that.
    let line = isUp ? layout.lines.lastIndex { !$0.isEmpty } ?? 0 : 0
    lines[index].move(to: layout.place(in: layout.lines[line], atColumn: column))
  }
}
