/// The screen that a terminal makes of the bytes of a program: enough of it for what `tasks`, ncurses and a
/// shell write for `xterm-256color`. Of colours and attributes only strikethrough is kept.
package struct ScreenParser {
  package private(set) var columns: Int
  package private(set) var lines: Int
  /// Frames whose end has been read: the ends of synchronized output.
  package private(set) var frames = 0
  /// How often the whole screen has been erased, as at the beginning of a repaint.
  package private(set) var erasures = 0
  /// The private modes that are on, such as 2004 for bracketed paste and 1049 for the alternate screen.
  package private(set) var modes = Self.initialModes
  /// The terminal's answers, to be sent to the program.
  package var answers: [UInt8] = []

  /// The cursor is visible, lines wrap.
  package static let initialModes: Set<Int> = [7, 25]

  private var cells: [Unicode.Scalar]
  private var isStruck: [Bool]
  /// The ordinary screen while the alternate one is shown.
  private var ordinary: (cells: [Unicode.Scalar], isStruck: [Bool])?
  private var column = 0
  private var line = 0
  private var strikes = false
  /// The place and rendition that ESC 7 keeps.
  private var saved = (column: 0, line: 0, strikes: false)
  private var last: Unicode.Scalar = " "
  /// The lines that scroll.
  package private(set) var region: ClosedRange<Int>
  private var state = State.text
  /// Bytes of a sequence, or of a character, that has not come to its end.
  private var pending: [UInt8] = []

  /// In the second cell of a wide character.
  private static let covered: Unicode.Scalar = "\0"

  private enum State {
    case text, escape, control, charset
    /// An operating system command, which a bell or an escape ends.
    case command
  }

  package init(columns: Int, lines: Int) {
    self.columns = columns
    self.lines = lines
    cells = Array(repeating: " ", count: columns * lines)
    isStruck = Array(repeating: false, count: columns * lines)
    region = 0...lines - 1
  }

  /// Takes another size. What still has room stays where it is.
  package mutating func resize(columns: Int, lines: Int) {
    let old = self
    self = ScreenParser(columns: columns, lines: lines)
    for line in 0..<min(lines, old.lines) {
      for column in 0..<min(columns, old.columns) {
        cells[line * columns + column] = old.cells[line * old.columns + column]
        isStruck[line * columns + column] = old.isStruck[line * old.columns + column]
      }
    }
    if old.ordinary != nil {
      ordinary = (
        Array(repeating: " ", count: columns * lines), Array(repeating: false, count: columns * lines)
      )
    }
    (frames, erasures, modes, answers) = (old.frames, old.erasures, old.modes, old.answers)
    (state, pending, last, strikes) = (old.state, old.pending, old.last, old.strikes)
    move(to: old.column, old.line)
    saved = (min(old.saved.column, columns - 1), min(old.saved.line, lines - 1), old.saved.strikes)
  }

  /// Where the cursor is.
  package var cursor: (column: Int, line: Int) { (min(column, columns - 1), line) }

  /// A line as it is shown, without the blanks at its end.
  package func text(line: Int) -> String {
    var view = String.UnicodeScalarView(
      cells[line * columns..<(line + 1) * columns].lazy.filter { $0 != Self.covered })
    while view.last == " " || view.last == "\u{A0}" { view.removeLast() }
    return String(view)
  }

  /// Whether anything is struck through on a line.
  package func isStruck(line: Int) -> Bool {
    isStruck[line * columns..<(line + 1) * columns].contains(true)
  }

  /// All lines as they are shown.
  package var text: String { (0..<lines).map(text(line:)).joined(separator: "\n") }

  package mutating func feed(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { feed(byte) }
  }

  private mutating func feed(_ byte: UInt8) {
    if state != .command, byte == 0x1B || byte == 0x18 {
      // Wherever they come, an escape begins a sequence and CAN ends one. A sequence may have been cut off.
      pending = []
      state = byte == 0x1B ? .escape : .text
      return
    }
    switch state {
    case .text: feedText(byte)
    case .charset: state = .text
    case .command:
      if byte == 7 || byte == 0x1B || byte == 0x18 {
        if byte != 0x18, pending.starts(with: Array("11;?".utf8)) {
          answers += Array("\u{1B}]11;rgb:0000/0000/0000\u{1B}\\".utf8)
        }
        pending = []
        state = byte == 0x1B ? .escape : .text
      } else {
        pending.append(byte)
      }
    case .escape:
      state = .text
      switch byte {
      case UInt8(ascii: "["):
        pending = []
        state = .control
      case UInt8(ascii: "]"):
        pending = []
        state = .command
      case UInt8(ascii: "("), UInt8(ascii: ")"): state = .charset
      case UInt8(ascii: "D"): feedLine()
      case UInt8(ascii: "E"):
        column = 0
        feedLine()
      case UInt8(ascii: "7"): saved = (column, line, strikes)
      case UInt8(ascii: "8"): (column, line, strikes) = saved
      case UInt8(ascii: "M"):
        if line == region.lowerBound { scroll(region, by: -1) } else { line = max(0, line - 1) }
      default: break
      }
    case .control:
      guard (0x40...0x7E).contains(byte) else { return pending.append(byte) }
      state = .text
      control(byte, String(decoding: pending, as: UTF8.self))
      pending = []
    }
  }

  private mutating func feedText(_ byte: UInt8) {
    if byte < 0x80 { pending = [] }
    if byte >= 0x80 {
      pending.append(byte)
      let length = pending[0] >= 0xF0 ? 4 : pending[0] >= 0xE0 ? 3 : 2
      guard pending.count >= length else { return }
      for scalar in String(decoding: pending, as: UTF8.self).unicodeScalars { put(scalar) }
      pending = []
      return
    }
    switch byte {
    case 8: column = max(0, column - 1)
    case 9: column = min(columns - 1, (column / 8 + 1) * 8)
    case 10: feedLine()
    case 13: column = 0
    case 0..<32: break
    default: put(Unicode.Scalar(byte))
    }
  }

  private mutating func feedLine() {
    if line == region.upperBound { scroll(region, by: 1) } else { line = min(lines - 1, line + 1) }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    let width = scalar.columns
    // A mark changes the look of the cell before, which is not told apart here.
    guard width > 0 else { return }
    if column + width > columns {
      if modes.contains(7) {
        column = 0
        feedLine()
      } else {
        column = max(0, columns - width)
      }
    }
    clearHalves(line * columns + column..<line * columns + min(columns, column + width))
    for place in 0..<width where column + place < columns {
      cells[line * columns + column + place] = place == 0 ? scalar : Self.covered
      isStruck[line * columns + column + place] = strikes
    }
    column += width
    last = scalar
  }

  private mutating func control(_ final: UInt8, _ text: String) {
    let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    let first = numbers.first ?? 0
    let count = max(1, first)
    switch Character(Unicode.Scalar(final)) {
    case "H", "f": move(to: (numbers.count > 1 ? numbers[1] : 1) - 1, first - 1)
    case "A": move(to: column, line - count)
    case "B", "e": move(to: column, line + count)
    case "C", "a": move(to: column + count, line)
    case "D": move(to: column - count, line)
    case "G", "`": move(to: first - 1, line)
    case "d": move(to: column, first - 1)
    case "X": blank(from: column, count: count)
    case "r":
      let top = max(1, first)
      let bottom = min(lines, numbers.count > 1 && numbers[1] > 0 ? numbers[1] : lines)
      // One that does not fit, as of a program that has not heard of a new size yet, is none.
      region = top < bottom ? top - 1...bottom - 1 : 0...lines - 1
      move(to: 0, 0)
    case "S": scroll(region, by: count)
    case "T": scroll(region, by: -count)
    case "L": if region.contains(line) { scroll(line...region.upperBound, by: -count) }
    case "M": if region.contains(line) { scroll(line...region.upperBound, by: count) }
    case "@": shift(right: count)
    case "P": shift(right: -count)
    case "K": eraseLine(first)
    case "J": eraseScreen(first)
    case "b": for _ in 0..<count { put(last) }
    case "m": render(text)
    case "h" where text.first == "?", "l" where text.first == "?":
      setModes(text.dropFirst(), isOn: final == 0x68)
    // A terminal that knows synchronized output.
    case "p" where text == "?2026$": answers += Array("\u{1B}[?2026;2$y".utf8)
    case "c" where text.isEmpty: answers += Array("\u{1B}[?62c".utf8)
    case "n" where text == "5": answers += Array("\u{1B}[0n".utf8)
    default: break
    }
  }

  private mutating func setModes(_ numbers: Substring, isOn: Bool) {
    for mode in numbers.split(separator: ";").compactMap({ Int($0) }) {
      if isOn { modes.insert(mode) } else { modes.remove(mode) }
      if mode == 2026, !isOn { frames += 1 }
      guard mode == 1049, isOn == (ordinary == nil) else { continue }
      if isOn {
        ordinary = (cells, isStruck)
        saved = (column, line, strikes)
        blank(0..<cells.count)
      } else if let ordinary {
        (cells, isStruck) = ordinary
        self.ordinary = nil
        (column, line, strikes) = saved
      }
    }
  }

  /// Takes strikethrough out of what else a rendition says: 38 and 48 are followed by the numbers of a
  /// colour.
  private mutating func render(_ text: String) {
    var rest = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }[...]
    if text.isEmpty { strikes = false }
    while let code = rest.popFirst() {
      switch code {
      case 0, 29: strikes = false
      case 9: strikes = true
      case 38, 48: rest = rest.dropFirst(rest.first == 5 ? 2 : 4)
      default: break
      }
    }
  }

  /// Moves lines up, or down when negative; what comes in is blank.
  private mutating func scroll(_ scrolled: ClosedRange<Int>, by count: Int) {
    let old = (cells, isStruck)
    for line in scrolled {
      let source = line + count
      for column in 0..<columns {
        let isThere = scrolled.contains(source)
        cells[line * columns + column] = isThere ? old.0[source * columns + column] : " "
        isStruck[line * columns + column] = isThere && old.1[source * columns + column]
      }
    }
  }

  /// Moves the rest of the line, to the left when negative.
  private mutating func shift(right count: Int) {
    let old = (cells, isStruck)
    let place = min(column, columns - 1)
    for target in place..<columns {
      let source = target - count
      let isThere = (place..<columns).contains(source)
      cells[line * columns + target] = isThere ? old.0[line * columns + source] : " "
      isStruck[line * columns + target] = isThere && old.1[line * columns + source]
    }
  }

  /// Blanks the halves of wide characters whose other halves are about to be written over, as terminals do.
  private mutating func clearHalves(_ range: Range<Int>) {
    if let first = range.first, cells[first] == Self.covered { cells[first - 1] = " " }
    if range.upperBound < cells.count, cells[range.upperBound] == Self.covered {
      cells[range.upperBound] = " "
    }
  }

  private mutating func move(to column: Int, _ line: Int) {
    self.column = min(max(0, column), columns - 1)
    self.line = min(max(0, line), lines - 1)
  }

  private mutating func eraseLine(_ part: Int) {
    switch part {
    case 0: blank(from: column, count: columns)
    case 1: blank(line * columns..<line * columns + min(column, columns - 1) + 1)
    default: blank(from: 0, count: columns)
    }
  }

  private mutating func eraseScreen(_ part: Int) {
    let here = line * columns + min(column, columns - 1)
    if part == 2 { erasures += 1 }
    blank(part == 0 ? here..<cells.count : part == 1 ? 0..<here + 1 : 0..<cells.count)
  }

  private mutating func blank(from start: Int, count: Int) {
    guard start < columns else { return }
    blank(line * columns + start..<line * columns + min(columns, start + count))
  }

  private mutating func blank(_ range: Range<Int>) {
    clearHalves(range)
    for place in range {
      cells[place] = " "
      isStruck[place] = false
    }
  }
}

extension Unicode.Scalar {
  /// How many cells the character takes: none for a mark, two for a wide one.
  fileprivate var columns: Int {
    switch value {
    case ..<0x300: 1
    case 0x300...0x36F, 0x200B...0x200F, 0x20D0...0x20FF, 0xFE00...0xFE0F: 0
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
      2
    default: [.nonspacingMark, .enclosingMark].contains(properties.generalCategory) ? 0 : 1
    }
  }
}
