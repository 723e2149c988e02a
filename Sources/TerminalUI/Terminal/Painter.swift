import CNcurses

/// A painter that brings a canvas onto the screen: it passes changed lines to ncurses, which writes the
/// difference, and itself places the clusters whose width differs between terminals.
///
/// For ncurses such a cluster is blank, and the cluster is written over it afterwards, between a move to its
/// column and a move to the next cell. A terminal that draws it wider or narrower than expected therefore
/// gets only that cluster wrong: no other column is shifted, and ncurses always knows the position of the
/// cursor. The cell in the lower right corner is placed too, because ncurses cannot write there on every
/// terminal.
struct Painter {
  let description: TerminalDescription
  let output: TerminalOutput
  private let depth: ColorDepth
  let strikethrough: Terminal.Strikethrough
  private let hasDefaultColors: Bool
  private let placement: Frame.Placement
  /// The attributes that the terminal cannot show together with colors.
  private let attributesWithoutColor: Style.Attributes

  /// The content of the screen, or `nil` if it is unknown.
  private var presented: Frame?
  private var isCursorVisible: Bool?
  /// Whether the terminal has replied that it holds back a frame until it is complete.
  var isSynchronized = false
  // By the numbers of styles: the first dictionary whose keys are of a further type has the runtime search
  // everything that the program conforms to.
  private var pairs: [Int: Int32] = [:]
  private let pairLimit: Int
  /// Styles as a terminal of few colors shows them.
  private var shownStyles: [Int: Style] = [:]
  /// Blanks in the styles of recent cells, as ncurses has them.
  private var blanks: [Int: cchar_t] = [:]
  /// The cells of a line that ncurses is given.
  private var row: [cchar_t] = []

  init(
    description: TerminalDescription, output: TerminalOutput, depth: ColorDepth,
    strikethrough: Terminal.Strikethrough, hasDefaultColors: Bool
  ) {
    self.description = description
    self.output = output
    self.depth = depth
    self.strikethrough = strikethrough
    self.hasDefaultColors = hasDefaultColors
    if !["sc", "rc", "cup"].allSatisfy({ description.string($0) != nil }) {
      placement = .none
    } else if !description.flag("am") || description.flag("xenl") || description.string("rmam") != nil {
      placement = .everywhere
    } else {
      // Writing into the corner would scroll.
      placement = .exceptCorner
    }
    // terminfo's no_color_video. ncurses obeys it too, but differently in a repaint and in a change.
    let mask = description.number("ncv") ?? 0
    let bits: [(Int, Style.Attributes)] = [(2, .underline), (4, .reverse), (16, .dim), (32, .bold)]
    attributesWithoutColor = Style.Attributes(bits.filter { mask & $0.0 != 0 }.map(\.1))
    pairLimit = depth == .none ? 0 : Int(cncurses_color_pairs()) - 1
  }

  /// Whether the terminal has been told that text is in visual order already.
  private var tookOrder = false

  mutating func invalidate() { presented = nil }

  /// Enables the modes of a painted screen, whose content is then unknown.
  mutating func enter() {
    output.append("\u{1B}[?2004h")
    isCursorVisible = nil
    invalidate()
  }

  mutating func leave() {
    output.append("\u{1B}[?2004l" + (tookOrder ? "\u{1B}[8h" : ""))
    tookOrder = false
    if isCursorVisible != true {
      curs_set(1)
      output.collect()
    }
    isCursorVisible = nil
    invalidate()
  }

  /// Clears the last line at the end: without an alternate screen the last frame stays, and the shell
  /// continues in its last line.
  func clearLastLine() {
    if description.string("rmcup") == nil {
      output.append(Array("\r".utf8) + (description.string("el") ?? []))
    }
  }

  /// Appends the differences from the canvas shown before to the output.
  mutating func present(_ canvas: Canvas, width: Int, height: Int) {
    recycleColorPairs()
    let previous = presented.flatMap { $0.hasSize(of: canvas, width: width, height: height) ? $0 : nil }
    let frame = Frame(
      canvas: canvas.restyled { shown($0) }, width: width, height: height, placement: placement,
      outside: Cell(style: shown(Style())), after: previous)
    let changed = frame.changedLines
    if changed.isEmpty, previous?.canvas.hasSameCursor(as: canvas) == true { return }
    presented = frame

    let window = cncurses_stdscr()
    if previous == nil { clearok(window, true) }
    for line in changed {
      hand(
        frame, line: line,
        previous.map { frame.differingColumns(line: line, from: $0) } ?? 0..<width)
    }
    let cursor = canvas.cursor.flatMap {
      (0..<width).contains($0.column) && (0..<height).contains($0.line) ? $0 : nil
    }
    // Hidden before a frame and shown after one, it is never seen moving.
    if cursor == nil { showCursor(false) }
    wmove(window, Int32(cursor?.line ?? 0), Int32(cursor?.column ?? 0))
    wnoutrefresh(window)

    if !tookOrder, VisualOrder.hasBeenUsed.load(ordering: .relaxed) {
      // ECMA-48's "explicit" mode: the terminal leaves characters in their cells.
      output.append("\u{1B}[8l")
      tookOrder = true
    }
    if isSynchronized, !changed.isEmpty { output.append("\u{1B}[?2026h") }
    // The end of a frame of the former size may have come after the terminal had taken the new one.
    if previous == nil { output.append(description.scrollRegionReset) }
    doupdate()
    output.collect()
    if !changed.isEmpty {
      place(frame, over: previous, lines: previous.map(frame.linesToPlace) ?? changed)
      if isSynchronized { output.append("\u{1B}[?2026l") }
    }
    if cursor != nil { showCursor(true) }
  }

  private mutating func showCursor(_ isVisible: Bool) {
    guard isCursorVisible != isVisible else { return }
    curs_set(isVisible ? 1 : 0)
    output.collect()
    isCursorVisible = isVisible
  }

  private mutating func hand(_ frame: Frame, line: Int, _ columns: Range<Int>) {
    row.removeAll(keepingCapacity: true)
    var style: Style?
    var blank = cchar_t()
    let mayPlace = frame.hasPlaced(line: line)
    var column = columns.lowerBound
    while column < columns.upperBound {
      let cell = frame.cell(column, line)
      if cell.style != style {
        style = cell.style
        blank = self.blank(cell.style)
      }
      let columns = max(1, Int(cell.width))
      if mayPlace, frame.isPlaced(column, line) {
        for column in column..<column + columns {
          // Not a space elsewhere, because ncurses may write known spaces again to move the cursor.
          row.append(
            frame.isCorner(column, line)
              ? Self.blank(0, 0) : Self.character(Self.unbreakableSpace, in: blank))
        }
      } else {
        row.append(Self.character(drawnGlyph(cell), in: blank))
      }
      column += columns
    }
    mvwadd_wchnstr(cncurses_stdscr(), Int32(line), Int32(columns.lowerBound), row, Int32(row.count))
  }

  private static let unbreakableSpace = CellText("\u{A0}")

  /// A blank in a style that is shown, as ncurses has it.
  private mutating func blank(_ style: Style) -> cchar_t {
    if let known = blanks[style.number] { return known }
    let blank = Self.blank(attributeBits(style), colorPair(style))
    if blanks.count > 4096 { blanks.removeAll(keepingCapacity: true) }
    blanks[style.number] = blank
    return blank
  }

  /// A glyph in the style of a blank.
  private static func character(_ glyph: CellText, in blank: cchar_t) -> cchar_t {
    var character = blank
    withUnsafeMutablePointer(to: &character.chars) {
      $0.withMemoryRebound(to: wchar_t.self, capacity: CellText.mostScalars) { scalars in
        if let single = glyph.single {
          scalars[0] = wchar_t(single.value)
        } else {
          glyph.forEachScalar { index, scalar in scalars[index] = wchar_t(scalar.value) }
        }
      }
    }
    return character
  }

  private static func blank(_ attributes: attr_t, _ pair: Int32) -> cchar_t {
    var blank = cchar_t()
    var pair = pair
    _ = setcchar(&blank, [0x20, 0], attributes, 0, &pair)
    return blank
  }

  func drawnGlyph(_ cell: Cell) -> CellText {
    guard cell.style.attributes.contains(.strikethrough), strikethrough == .combining, cell.glyph != .space
    else { return cell.glyph }
    return cell.glyph.marked(with: "\u{336}")
  }

  private func attributeBits(_ style: Style) -> attr_t {
    let attributes = style.attributes
    var bits: attr_t = 0
    if attributes.contains(.bold) { bits |= cncurses_bold() }
    if attributes.contains(.dim) { bits |= cncurses_dim() }
    if attributes.contains(.underline) { bits |= cncurses_underline() }
    if attributes.contains(.reverse) { bits |= cncurses_reverse() }
    if attributes.contains(.strikethrough), strikethrough == .attribute { bits |= cncurses_italic() }
    return bits
  }

  /// A style as the terminal shows it: the colors are the terminal's numbers, and the attributes those that
  /// it can show together with them. Most steps of an animation change a color by less than the terminal
  /// can show.
  private mutating func shown(_ style: Style) -> Style {
    // Only among few colors the nearest has to be searched for.
    guard depth == .eight || depth == .sixteen else { return converted(style) }
    if let known = shownStyles[style.number] { return known }
    let shown = converted(style)
    // An animation passes through many styles, and never returns to most of them.
    if shownStyles.count > 4096 { shownStyles.removeAll(keepingCapacity: true) }
    shownStyles[style.number] = shown
    return shown
  }

  private func converted(_ style: Style) -> Style {
    var attributes = style.attributes
    if strikethrough == .unavailable { attributes.remove(.strikethrough) }
    guard depth != .none else { return Style(attributes: attributes) }
    if style.foreground != nil || style.background != nil { attributes.subtract(attributesWithoutColor) }
    if let foreground = style.foreground, let background = style.background, depth <= .sixteen,
      let both = depth.indices(foreground: foreground, background: background)
    {
      return Style(
        foreground: RGB(number: both.foreground), background: RGB(number: both.background),
        attributes: attributes)
    }
    let own: (foreground: Int?, background: Int?) =
      hasDefaultColors ? (nil, nil) : depth == .direct ? (0xE5E5E5, 0) : (7, 0)
    return Style(
      foreground: (style.foreground.flatMap(depth.index) ?? own.foreground).map(RGB.init(number:)),
      background: (style.background.flatMap(depth.index) ?? own.background).map(RGB.init(number:)),
      attributes: attributes)
  }

  private mutating func colorPair(_ style: Style) -> Int32 {
    if style.foreground == nil, style.background == nil { return 0 }
    let colors = Style(foreground: style.foreground, background: style.background)
    if let pair = pairs[colors.number] { return pair }
    guard pairs.count < pairLimit else { return 0 }
    // -1 is the terminal's own color.
    let pair = alloc_pair(Int32(style.foreground?.number ?? -1), Int32(style.background?.number ?? -1))
    guard pair >= 0 else { return 0 }
    pairs[colors.number] = pair
    return pair
  }

  /// Frees color pairs. ncurses numbers every combination of two colors and has 65,536 numbers at most,
  /// which an animation in 24-bit colors uses up in time. Starting over costs one full repaint.
  private mutating func recycleColorPairs() {
    guard depth != .none, pairs.count > pairLimit * 3 / 4 else { return }
    reset_color_pairs()
    output.collect()
    blanks.removeAll(keepingCapacity: true)
    pairs.removeAll(keepingCapacity: true)
    invalidate()
  }
}
