/// A text being edited, with readline's motions and kills, independent of terminals and of the destination of
/// the text.
///
/// It moves and deletes by grapheme cluster (`Character`), so that a letter with its accents, or a family of
/// emoji, is one unit. Scalars that are typed or pasted beside a cluster join it by the rules of Unicode.
///
/// Complexity: a motion costs the distance; a change costs the size of the change, and a move of the clusters
/// after it.
package struct LineEditor: Equatable, Sendable {
  /// The text, divided into the units of the cursor.
  private(set) var clusters: [Character]

  /// The clusters before the cursor: 0 to `clusters.count`.
  private(set) var cursor: Int

  /// The killed texts, for `yank`; pass it to the next editor to keep kills beyond a row.
  package var killRing: KillRing

  /// The clusters that changes have computed so far, by which tests measure the cost of a change.
  private(set) var cutCount = 0

  /// The changes so far that `undo` takes back one by one, also those that have been taken back.
  private(set) var stepCount = 0
  private var history: [Step] = []
  private var lastAction = Action.other

  /// A unit of `undo`.
  private struct Step: Equatable, Sendable {
    /// The cursor before it.
    var cursor: Int
    /// The replacements, each with the range of the new clusters and the removed ones.
    var replacements: [(new: Range<Int>, old: [Character])] = []

    static func == (a: Step, b: Step) -> Bool {
      a.cursor == b.cursor
        && a.replacements.elementsEqual(b.replacements) { $0.new == $1.new && $0.old == $1.old }
    }
  }

  /// The last change or motion, as far as the next one depends on it.
  private enum Action: Equatable, Sendable {
    case other
    /// A number of characters typed in a row; they are undone together.
    case typed(Int)
    case killed
    /// An entry of the kill ring of this age is in this range.
    case yanked(age: Int, range: Range<Int>)
  }

  private static let historyLimit = 500
  private static let typingRun = 20
  /// The greatest length of a text into which killed text can be yanked; any text can be typed and pasted.
  static let longestToGrow = 1 << 16

  /// - Parameter cursor: The clusters before the cursor, clamped to the text; `nil` for its end.
  package init(_ text: String = "", cursor: Int? = nil, killRing: KillRing = KillRing()) {
    clusters = Array(text)
    self.cursor = min(max(0, cursor ?? clusters.count), clusters.count)
    self.killRing = killRing
  }

  package var text: String { String(clusters) }
  package var isEmpty: Bool { clusters.isEmpty }

  // MARK: Inserting

  /// Inserts `text` unchanged at the cursor, and moves the cursor after it. Characters inserted one after the
  /// other are undone together.
  mutating func insert(_ text: String) {
    guard !text.isEmpty else { return }
    var run = 1
    if case .typed(let count) = lastAction, count < Self.typingRun { run = count + 1 }
    replace(cursor..<cursor, with: text, isNewStep: run == 1)
    lastAction = .typed(run)
  }

  /// Inserts pasted text. It stays one line: line breaks and tabs become spaces; breaks at its ends and other
  /// control characters are removed.
  package mutating func paste(_ text: String) {
    let line = Self.singleLine(text)
    guard !line.isEmpty else { return }
    replace(cursor..<cursor, with: line)
    lastAction = .other
  }

  /// A text as one line, with spaces for its breaks and tabs.
  ///
  /// - Parameter keepsControls: Whether other control characters stay, which no key types.
  package static func singleLine(_ text: String, keepsControls: Bool = false) -> String {
    var result = ""
    var breakIsPending = false
    for scalar in text.unicodeScalars {
      switch scalar.value {
      // A carriage return and its line feed are one break, as are the empty lines between paragraphs.
      case 0x0A...0x0D, 0x85, 0x2028, 0x2029:
        breakIsPending = !result.isEmpty
        continue
      case 0x09: break
      default:
        if !keepsControls, scalar.properties.generalCategory == .control { continue }
      }
      if breakIsPending { result.unicodeScalars.append(" ") }
      breakIsPending = false
      result.unicodeScalars.append(scalar.value == 0x09 ? " " : scalar)
    }
    return result
  }

  /// The part of a word before the cursor, if the word ends there.
  package var wordBeforeCursor: String? {
    guard cursor == clusters.count || clusters[cursor].isWhitespace else { return nil }
    let near = clusters[max(0, cursor - Self.longestWord)..<cursor]
    let start = near.lastIndex(where: \.isWhitespace).map { $0 + 1 } ?? near.startIndex
    guard start < cursor, start == 0 || clusters[start - 1].isWhitespace else { return nil }
    return String(clusters[start..<cursor])
  }

  /// Longer words are not completed.
  private static let longestWord = 100

  /// Replaces the part of a word before the cursor.
  package mutating func replaceWordBeforeCursor(with text: String) {
    guard let word = wordBeforeCursor else { return }
    replace(cursor - word.count..<cursor, with: text)
    lastAction = .other
  }

  // MARK: Commands

  @discardableResult
  mutating func perform(_ command: EditingCommand) -> Outcome {
    switch command {
    case .keep: return .commit
    case .cancel: return .cancel
    case .keepAndAdd, .keepNote, .lineUp, .lineDown, .pageUp, .pageDown, .firstLine, .lastLine, .complete:
      return .ignored
    case .left: move(to: cursor - 1)
    case .right: move(to: cursor + 1)
    case .start: moveToStart()
    case .end: moveToEnd()
    case .wordLeft: move(to: wordStart)
    case .wordRight: move(to: wordEnd)
    case .deleteLeft: change(max(0, cursor - 1)..<cursor) { _ in "" }
    case .deleteRight: change(cursor..<min(clusters.count, cursor + 1)) { _ in "" }
    case .cutToEnd: kill(cursor..<clusters.count, isBackward: false)
    case .cutToStart: kill(0..<cursor, isBackward: true)
    case .cutToBlank: kill(startOfRun { !$0.isWhitespace }..<cursor, isBackward: true)
    case .cutWordRight: kill(cursor..<wordEnd, isBackward: false)
    case .cutWordLeft: kill(wordStart..<cursor, isBackward: true)
    case .paste: yank()
    case .pasteOlder: yankPop()
    case .exchange: transpose()
    case .uppercase: change(cursor..<wordEnd) { $0.uppercased() }
    case .lowercase: change(cursor..<wordEnd) { $0.lowercased() }
    case .capitalize: capitalizeWord()
    case .undo: undo()
    }
    return .handled
  }

  // MARK: Moving

  mutating func moveToStart() { move(to: 0) }
  mutating func moveToEnd() { move(to: clusters.count) }

  /// Moves the cursor after `position` clusters, clamped to the text.
  mutating func move(to position: Int) {
    cursor = min(max(0, position), clusters.count)
    lastAction = .other
  }

  /// A word is a run of letters and digits.
  private var wordStart: Int { startOfRun(\.isWordCharacter) }

  private var wordEnd: Int {
    var position = cursor
    while position < clusters.count && !clusters[position].isWordCharacter { position += 1 }
    while position < clusters.count && clusters[position].isWordCharacter { position += 1 }
    return position
  }

  /// The start of the last run of such clusters that begins before the cursor.
  private func startOfRun(_ belongs: (Character) -> Bool) -> Int {
    var position = cursor
    while position > 0 && !belongs(clusters[position - 1]) { position -= 1 }
    while position > 0 && belongs(clusters[position - 1]) { position -= 1 }
    return position
  }
}

extension Character {
  fileprivate var isWordCharacter: Bool { isLetter || isNumber }
}

// MARK: - Deleting and killing

extension LineEditor {
  private mutating func kill(_ range: Range<Int>, isBackward: Bool) {
    let follows = lastAction == .killed
    guard !range.isEmpty else {
      if !follows { lastAction = .other }
      return
    }
    let killed = String(clusters[range])
    if follows { killRing.extend(with: killed, atFront: isBackward) } else { killRing.push(killed) }
    replace(range, with: "")
    lastAction = .killed
  }

  /// Inserts the text that was killed last.
  mutating func yank() {
    // Killed and yanked twice, again and again, a text would grow without end.
    guard let text = killRing.entry(age: 0), clusters.count <= Self.longestToGrow else { return }
    let start = cursor
    // Text killed in a note may have several lines.
    replace(cursor..<cursor, with: Self.singleLine(text))
    lastAction = .yanked(age: 0, range: min(start, cursor)..<cursor)
  }

  /// After a yank, replaces its text by the one killed before.
  mutating func yankPop() {
    guard case .yanked(let age, let range) = lastAction, let text = killRing.entry(age: age + 1) else {
      return
    }
    replace(range, with: Self.singleLine(text), isNewStep: false)
    lastAction = .yanked(age: age + 1, range: min(range.lowerBound, cursor)..<cursor)
  }

  // MARK: Changing what is there

  /// Exchanges the clusters on both sides of the cursor and moves after them; at the end, the last two.
  mutating func transpose() {
    lastAction = .other
    guard clusters.count >= 2, cursor > 0 else { return }
    let right = min(cursor, clusters.count - 1)
    replace(right - 1..<right + 1, with: String([clusters[right], clusters[right - 1]]))
  }

  mutating func capitalizeWord() {
    change(cursor..<wordEnd) { word in
      guard let first = word.firstIndex(where: \.isWordCharacter) else { return word }
      let rest = word.index(after: first)
      return word[..<first] + word[first].uppercased() + word[rest...].lowercased()
    }
  }

  private mutating func change(_ range: Range<Int>, _ change: (String) -> String) {
    lastAction = .other
    guard !range.isEmpty else { return }
    replace(range, with: change(String(clusters[range])))
  }

  /// Undoes the last change; repeated calls undo one after the other.
  mutating func undo() {
    lastAction = .other
    guard let step = history.popLast() else { return }
    for (new, old) in step.replacements.reversed() { clusters.replaceSubrange(new, with: old) }
    cursor = step.cursor
  }

  /// Replaces a range; every change uses this. Separate clusters may join: the text is divided again, from
  /// the cluster to the left on, and to the right until an old boundary is confirmed. All later boundaries
  /// then stay valid, because a boundary depends only on the cluster before it and the scalar after it. The
  /// cursor moves to the first boundary at or after the end of `new`.
  ///
  /// - Parameter isNewStep: Whether `undo` takes it back by itself; otherwise with the change before.
  private mutating func replace(_ range: Range<Int>, with new: String, isNewStep: Bool = true) {
    if isNewStep {
      stepCount += 1
      history.append(Step(cursor: cursor))
      if history.count > Self.historyLimit { history.removeFirst() }
    }
    let start = max(0, range.lowerBound - 1)
    let changed = String(clusters[start..<range.lowerBound]) + new
    let changedBytes = changed.utf8.count
    var looked = 1
    while true {
      let end = min(range.upperBound + looked, clusters.count)
      var cut = Array(changed + String(clusters[range.upperBound..<end]))
      cutCount += cut.count
      // The number of new clusters before a boundary that existed before, and the old cluster at that
      // boundary.
      var (count, bytes, upper, oldBytes) = (0, 0, range.upperBound, changedBytes)
      while bytes != oldBytes {
        if bytes < oldBytes {
          guard count < cut.count else { break }
          bytes += cut[count].utf8.count
          count += 1
        } else {
          guard upper < end else { break }
          oldBytes += clusters[upper].utf8.count
          upper += 1
        }
      }
      // After the last cluster examined, a boundary is certain only at the end of the text.
      guard bytes == oldBytes, upper < end || end == clusters.count else {
        looked *= 2
        continue
      }
      cut.removeLast(cut.count - count)
      (cursor, bytes) = (start, 0)
      while bytes < changedBytes, cursor < start + count {
        bytes += cut[cursor - start].utf8.count
        cursor += 1
      }
      if !history.isEmpty {
        history[history.count - 1].replacements.append(
          (start..<start + count, Array(clusters[start..<upper])))
      }
      clusters.replaceSubrange(start..<upper, with: cut)
      return
    }
  }
}
