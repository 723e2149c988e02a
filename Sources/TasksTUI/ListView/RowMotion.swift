import TerminalUI

/// The movement of a row. A row without one is at rest.
struct RowMotion {
  /// The line that the row moves to, counted from the top of the view; may be outside it.
  var target: Double
  /// The lines by which it is away from there.
  var offset = Motion.still
  /// The lines of the row; stored for rows that are not in the layout.
  var height: Int
  /// The former color, and how much of it is left (1 … 0).
  var oldColor = RGB.black
  var color = Motion.still
  /// The missing part of a new row (1 … 0).
  var absence = Motion.still
  /// The strength of a modified row's flash (1 … 0).
  var flash = Motion.still
  /// Whether it is drawn above the others that it passes.
  var isRaised = false

  func line(at time: Double) -> Double { target + offset.value(at: time) }

  func isMoving(at time: Double) -> Bool {
    offset.isMoving(at: time) || color.isMoving(at: time) || absence.isMoving(at: time)
      || flash.isMoving(at: time)
  }

  func isVisible(at time: Double, height viewHeight: Int) -> Bool {
    let line = line(at: time)
    return line < Double(viewHeight) && line + Double(height) > 0
  }
}

/// A deleted row that moves out: the picture that was last drawn of it.
struct RowGhost {
  let picture: Canvas
  var line: Double
  /// The column from which it moves out.
  var column = 0
  /// The part of it that is still there (1 … 0).
  let presence: Motion

  /// The columns by which it has slid to the left.
  func slide(at time: Double) -> Int {
    // Slow at first, so that the deleted row can be read; gone before the end, when it would only hide the
    // row that takes its place.
    let gone = 1 - presence.value(at: time)
    return Int((min(1, gone * gone * 1.2) * Double(picture.width + column)).rounded())
  }
}
