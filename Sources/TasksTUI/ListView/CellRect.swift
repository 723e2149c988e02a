/// A rectangle on a canvas, in columns and lines. It may be empty, and may extend beyond the canvas.
struct CellRect: Equatable, Sendable {
  var column: Int
  var line: Int
  var width: Int
  var height: Int

  /// Negative sizes become 0.
  init(column: Int = 0, line: Int = 0, width: Int, height: Int) {
    self.column = column
    self.line = line
    self.width = max(0, width)
    self.height = max(0, height)
  }
}
