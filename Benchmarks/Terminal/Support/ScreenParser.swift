/// What a terminal makes of the bytes that a program writes: enough of it for what `tasks` and ncurses write for
/// `xterm-256color`. Colours and attributes are passed over.
struct ScreenParser {
  let columns: Int
  let lines: Int
  /// Frames whose end has been read: the ends of synchronized output.
  private(set) var frames = 0
  /// What the terminal answers, to be sent to the program.
  var answers: [UInt8] = []

  private var cells: [Unicode.Scalar]
  private var column = 0
  private var line = 0
  private var saved = (column: 0, line: 0)
  private var last: Unicode.Scalar = " "
  /// The lines that scroll.
  private var region: ClosedRange<Int>
  private var state = State.text
  /// Bytes of a sequence, or of a character, that has not come to its end.
  private var pending: [UInt8] = []

  private enum State {
    case text, escape, control, charset
    /// An operating system command, which a bell or an escape ends.
    case command
  }

  init(columns: Int, lines: Int) {
    self.columns = columns
    self.lines = lines
    cells = Array(repeating: " ", count: columns * lines)
    region = 0...lines - 1
  }

  /// A line as it is shown, without the blanks at its end.
  func text(line: Int) -> String {
    var view = String.UnicodeScalarView(cells[line * columns..<(line + 1) * columns])
    while view.last == " " { view.removeLast() }
    return String(view)
  }

  mutating func feed(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { feed(byte) }
  }

  private mutating func feed(_ byte: UInt8) {
    switch state {
    case .text: feedText(byte)
    case .charset: state = .text
    case .command: if byte == 7 || byte == 0x1B { state = byte == 7 ? .text : .escape }
    case .escape:
      state = .text
      switch byte {
      case UInt8(ascii: "["):
        pending = []
        state = .control
      case UInt8(ascii: "]"): state = .command
      case UInt8(ascii: "("), UInt8(ascii: ")"): state = .charset
      case UInt8(ascii: "7"): saved = (column, line)
      case UInt8(ascii: "8"): (column, line) = saved
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
    if byte >= 0x80 {
      pending.append(byte)
      let length = pending[0] >= 0xF0 ? 4 : pending[0] >= 0xE0 ? 3 : 2
      guard pending.count >= length else { return }
      for scalar in String(decoding: pending, as: UTF8.self).unicodeScalars { put(scalar) }
      pending = []
      return
    }
    switch byte {
    case 0x1B: state = .escape
    case 8: column = max(0, column - 1)
    case 10: if line == region.upperBound { scroll(region, by: 1) } else { line = min(lines - 1, line + 1) }
    case 13: column = 0
    case 0..<32: break
    default: put(Unicode.Scalar(byte))
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    if column >= columns {
      column = 0
      line = min(lines - 1, line + 1)
    }
    cells[line * columns + column] = scalar
    column += 1
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
      let end = numbers.count > 1 ? numbers[1] : lines
      region = max(0, first - 1)...max(first, min(lines, end) - 1)
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
    case "l" where text == "?2026": frames += 1
    // A terminal that knows synchronized output.
    case "p" where text == "?2026$": answers += Array("\u{1B}[?2026;2$y".utf8)
    case "c" where text.isEmpty: answers += Array("\u{1B}[?62c".utf8)
    case "n" where text == "5": answers += Array("\u{1B}[0n".utf8)
    default: break
    }
  }

  /// Moves lines up, or down when negative; what comes in is blank.
  private mutating func scroll(_ scrolled: ClosedRange<Int>, by count: Int) {
    let old = cells
    for line in scrolled {
      let source = line + count
      for column in 0..<columns {
        cells[line * columns + column] = scrolled.contains(source) ? old[source * columns + column] : " "
      }
    }
  }

  /// Moves the rest of the line, to the left when negative.
  private mutating func shift(right count: Int) {
    let old = cells
    let place = min(column, columns - 1)
    for target in place..<columns {
      let source = target - count
      cells[line * columns + target] = (place..<columns).contains(source) ? old[line * columns + source] : " "
    }
  }

  private mutating func move(to column: Int, _ line: Int) {
    self.column = min(max(0, column), columns - 1)
    self.line = min(max(0, line), lines - 1)
  }

  private mutating func eraseLine(_ part: Int) {
    switch part {
    case 0: blank(from: column, count: columns)
    case 1: for place in 0...min(column, columns - 1) { cells[line * columns + place] = " " }
    default: blank(from: 0, count: columns)
    }
  }

  private mutating func eraseScreen(_ part: Int) {
    let here = line * columns + min(column, columns - 1)
    let erased = part == 0 ? here..<cells.count : part == 1 ? 0..<here + 1 : 0..<cells.count
    for place in erased { cells[place] = " " }
  }

  private mutating func blank(from start: Int, count: Int) {
    for place in start..<min(columns, start + count) { cells[line * columns + place] = " " }
  }
}
