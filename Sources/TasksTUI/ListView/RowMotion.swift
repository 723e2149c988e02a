/// Everything about a row that has not come to rest. A row without one is at rest.
struct RowMotion {
  /// Line that the row is on its way to, counted from the top of the view; may lie outside it.
  var target: Double
  /// Lines that it is away from there.
  var offset = Motion.still
  /// Lines that the row takes; kept for rows that the layout does not hold.
  var height: Int
  /// The color that it comes from, and how much of that is left (1 … 0).
  var oldColor = RGB.black
  var color = Motion.still
  /// How much of a new row is still missing (1 … 0).
  var absence = Motion.still
  /// How much a modified row still shines (1 … 0).
  var flash = Motion.still
  /// It passes others, and does so above them.
  var isRaised = false

  init(target: Double, height: Int) {
    self.target = target
    self.height = height
  }

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

/// A deleted row on its way out: the picture that was last seen of it.
struct RowGhost {
  let picture: Canvas
  var line: Double
  /// How much of it is still there (1 … 0).
  let presence: Motion

  /// Columns that it has slid to the left.
  func slide(at time: Double) -> Int {
    // Slow at first, so that it can be read which row goes; out before the end, when it would only hide the
    // row that takes its place.
    let gone = 1 - presence.value(at: time)
    return Int((min(1, gone * gone * 1.2) * Double(picture.width)).rounded())
  }
}
