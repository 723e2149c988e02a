/// A 24-bit colour. The terminal shows the nearest that it has.
struct RGB: Hashable, Sendable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }
}

/// The style of a cell. A `nil` colour is the terminal's own.
struct Style: Hashable, Sendable {
  struct Attributes: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    static let bold = Attributes(rawValue: 1)
    static let dim = Attributes(rawValue: 2)
    static let underline = Attributes(rawValue: 4)
    static let reverse = Attributes(rawValue: 8)
    static let strikethrough = Attributes(rawValue: 16)
  }

  var foreground: RGB?
  var background: RGB?
  var attributes: Attributes = []
}

/// One column of one line.
struct Cell: Hashable, Sendable {
  /// The cluster drawn here; empty in columns that a wide cluster to the left covers.
  var glyph = CellText.space
  /// The columns of the glyph: 1 or 2; 0 if a wide cluster to the left covers the column.
  var width: UInt8 = 1
  var style = Style()

  /// A blank cell.
  init(style: Style = Style()) {
    self.style = style
  }

  init(text: String, width: UInt8 = 1, style: Style = Style()) {
    glyph = CellText(text)
    self.width = width
    self.style = style
  }

  /// The glyph as a string, which is created each time.
  var text: String {
    get { glyph.string }
    set { glyph = CellText(newValue) }
  }
}

/// A rectangle of cells that a screen is drawn into, independent of the terminal.
struct Canvas: Equatable, Sendable {
  let width: Int
  let height: Int
  private(set) var cells: [Cell]
  /// The position of the terminal's cursor, or `nil` if it is hidden.
  var cursor: (column: Int, line: Int)?

  init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
    cells = Array(repeating: Cell(), count: self.width * self.height)
  }

  subscript(column: Int, line: Int) -> Cell {
    get { cells[line * width + column] }
    set { cells[line * width + column] = newValue }
  }

  /// Copies lines of another canvas, as far as both have them.
  mutating func copy(_ other: Canvas, lines: Range<Int>) {
    for line in lines.clamped(to: 0..<min(height, other.height)) {
      for column in 0..<min(width, other.width) {
        let cell = other[column, line]
        // A wide one has no room at the edge.
        if column + Int(cell.width) <= width { self[column, line] = cell }
      }
    }
  }

  static func == (a: Canvas, b: Canvas) -> Bool {
    a.width == b.width && a.height == b.height && a.cells == b.cells
      && a.cursor?.column == b.cursor?.column && a.cursor?.line == b.cursor?.line
  }
}
