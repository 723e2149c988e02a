import Glibc

/// A 24-bit color. The terminal shows the nearest that it has.
package struct RGB: Hashable, Sendable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }
}

/// The style of a cell. A `nil` color is the terminal's own.
package struct Style: Hashable, Sendable {
  package struct Attributes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let bold = Attributes(rawValue: 1)
    package static let dim = Attributes(rawValue: 2)
    package static let underline = Attributes(rawValue: 4)
    package static let reverse = Attributes(rawValue: 8)
    package static let strikethrough = Attributes(rawValue: 16)
  }

  /// The foreground in the lowest 25 bits, the background in the next 25, then the attributes: cells are
  /// compared by the thousand for every frame.
  private var bits: UInt64

  package init(foreground: RGB? = nil, background: RGB? = nil, attributes: Attributes = []) {
    bits =
      Self.bits(foreground) | Self.bits(background) << Self.backgroundShift
      | UInt64(attributes.rawValue) << Self.attributesShift
  }

  package var foreground: RGB? {
    get { Self.color(bits) }
    set { bits = bits & ~Self.colorMask | Self.bits(newValue) }
  }

  package var background: RGB? {
    get { Self.color(bits >> Self.backgroundShift) }
    set {
      bits = bits & ~(Self.colorMask << Self.backgroundShift) | Self.bits(newValue) << Self.backgroundShift
    }
  }

  package var attributes: Attributes {
    get { Attributes(rawValue: UInt8(truncatingIfNeeded: bits >> Self.attributesShift)) }
    set {
      bits = bits & ~(0xFF << Self.attributesShift) | UInt64(newValue.rawValue) << Self.attributesShift
    }
  }

  /// A number that no other style has.
  var number: Int { Int(bits) }

  private static let isColor: UInt64 = 1 << 24
  private static let colorMask: UInt64 = 1 << 25 - 1
  private static let backgroundShift: UInt64 = 25
  private static let attributesShift: UInt64 = 50

  private static func bits(_ color: RGB?) -> UInt64 {
    guard let color else { return 0 }
    return isColor | UInt64(color.red) << 16 | UInt64(color.green) << 8 | UInt64(color.blue)
  }

  private static func color(_ bits: UInt64) -> RGB? {
    guard bits & isColor != 0 else { return nil }
    return RGB(
      UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8),
      UInt8(truncatingIfNeeded: bits))
  }
}

/// One column of one line: three words without gaps, which are compared as bytes.
package struct Cell: Hashable, Sendable {
  private var low: UInt64
  /// The rest of the glyph, and the width in the two highest bits.
  private var high: UInt64
  package var style: Style

  private static let widthShift: UInt64 = 62

  /// A blank cell.
  package init(style: Style = Style()) {
    self.init(glyph: .space, width: 1, style: style)
  }

  init(glyph: CellText, width: UInt8, style: Style) {
    low = glyph.low
    high = glyph.high | UInt64(width) << Self.widthShift
    self.style = style
  }

  package init(text: String, width: UInt8 = 1, style: Style = Style()) {
    self.init(glyph: CellText(text), width: width, style: style)
  }

  /// The cluster drawn here; empty in columns that a wide cluster to the left covers.
  package var glyph: CellText {
    get { CellText(low: low, high: high & ~(3 << Self.widthShift)) }
    set { self = Cell(glyph: newValue, width: width, style: style) }
  }

  /// The columns of the glyph: 1 or 2; 0 if a wide cluster to the left covers the column.
  var width: UInt8 {
    get { UInt8(truncatingIfNeeded: high >> Self.widthShift) }
    set { self = Cell(glyph: glyph, width: newValue, style: style) }
  }

  /// The glyph as a string, which is created each time.
  var text: String {
    get { glyph.string }
    set { glyph = CellText(newValue) }
  }
}

/// A rectangle of cells that a screen is drawn into, independent of the terminal.
package struct Canvas: Equatable, Sendable {
  package let width: Int
  package let height: Int
  private(set) var cells: [Cell]
  /// The position of the terminal's cursor, or `nil` if it is hidden.
  package var cursor: (column: Int, line: Int)?

  package init(width: Int, height: Int, filledWith cell: Cell = Cell()) {
    self.width = max(0, width)
    self.height = max(0, height)
    cells = Array(repeating: cell, count: self.width * self.height)
  }

  package subscript(column: Int, line: Int) -> Cell {
    get { cells[line * width + column] }
    set { cells[line * width + column] = newValue }
  }

  /// Whether a line is the same in another canvas of the same size.
  func hasSameLine(_ line: Int, as other: Canvas) -> Bool {
    let start = line * width
    return cells.withUnsafeBufferPointer { ours in
      other.cells.withUnsafeBufferPointer { theirs in
        guard let ours = ours.baseAddress, let theirs = theirs.baseAddress else { return true }
        return memcmp(ours + start, theirs + start, width * MemoryLayout<Cell>.stride) == 0
      }
    }
  }

  /// Fills columns of a line, which the canvas must have.
  package mutating func fill(_ columns: Range<Int>, line: Int, with cell: Cell) {
    let start = line * width
    cells.withUnsafeMutableBufferPointer {
      $0[start + columns.lowerBound..<start + columns.upperBound].update(repeating: cell)
    }
  }

  /// Copies columns of a line of another canvas, which both must have, as they are.
  mutating func copyCells(
    _ columns: Range<Int>, line source: Int, of other: Canvas, toColumn column: Int, line: Int
  ) {
    precondition(column >= 0 && column + columns.count <= width)
    let start = source * other.width
    let target = line * width + column
    cells.withUnsafeMutableBufferPointer { cells in
      other.cells.withUnsafeBufferPointer { others in
        _ = cells[target..<target + columns.count]
          .update(fromContentsOf: others[start + columns.lowerBound..<start + columns.upperBound])
      }
    }
  }

  /// Calls a closure with the cells of a line.
  func withLine<Result>(_ line: Int, _ body: (UnsafeBufferPointer<Cell>) -> Result) -> Result {
    cells.withUnsafeBufferPointer { cells in
      body(UnsafeBufferPointer(rebasing: cells[line * width..<(line + 1) * width]))
    }
  }

  /// The same cells in other styles, each of which depends on the former one only.
  func restyled(_ change: (Style) -> Style) -> Canvas {
    var canvas = self
    canvas.cells = [Cell](unsafeUninitializedCapacity: cells.count) { restyled, count in
      // Adjacent cells mostly have the same style.
      var (style, changed) = (Style(), change(Style()))
      for (index, cell) in cells.enumerated() {
        if cell.style != style { (style, changed) = (cell.style, change(cell.style)) }
        var cell = cell
        cell.style = changed
        restyled.initializeElement(at: index, to: cell)
      }
      count = cells.count
    }
    return canvas
  }

  /// Calls a closure with the cells of a line, to be changed.
  mutating func withLine(_ line: Int, _ body: (inout UnsafeMutableBufferPointer<Cell>) -> Void) {
    let range = line * width..<(line + 1) * width
    cells.withUnsafeMutableBufferPointer { cells in
      var line = UnsafeMutableBufferPointer(rebasing: cells[range])
      body(&line)
    }
  }

  func hasSameCursor(as other: Canvas) -> Bool {
    cursor?.column == other.cursor?.column && cursor?.line == other.cursor?.line
  }

  package static func == (a: Canvas, b: Canvas) -> Bool {
    a.width == b.width && a.height == b.height && (0..<a.height).allSatisfy { a.hasSameLine($0, as: b) }
      && a.hasSameCursor(as: b)
  }
}
