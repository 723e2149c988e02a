import TerminalUI

/// The transition to rows that slide in over those before them, or fade in: the lists lie above the tasks.
/// The lines above and below the rows stand still, and so do lists beside them.
struct ScreenSlide {
  enum Side {
    case above, below
  }

  private let old: Canvas
  private let oldArea: CellRect
  private let side: Side
  private let fades: Bool
  private let distance: Motion

  private static let duration = 0.22
  static let frameInterval = Duration.milliseconds(16)

  /// - Parameters:
  ///   - old: The whole picture before.
  ///   - area: Its rows.
  init(of old: Canvas, _ area: CellRect, from side: Side, _ appearance: Appearance, at time: Duration) {
    self.old = old
    oldArea = area
    self.side = side
    fades = appearance.movement == .fade
    distance = Motion(from: 1, at: Motion.seconds(time), duration: Self.duration / appearance.speed)
  }

  /// The intermediate picture before `new`, or `nil` at the end, or after a change of size.
  func frame(to new: Canvas, _ area: CellRect, at time: Duration) -> Canvas? {
    let now = Motion.seconds(time)
    guard distance.isMoving(at: now), old.width == new.width, old.height == new.height else { return nil }
    let newRows = new.part(area)
    var oldRows = Canvas(width: area.width, height: area.height)
    oldRows.draw(old.part(oldArea), column: 0, line: 0)
    var rows = newRows
    if fades {
      rows.crossfade(from: oldRows, amount: distance.value(at: now))
    } else {
      let missing = Int((distance.value(at: now) * Double(area.height)).rounded())
      let top = side == .below ? missing : -missing
      rows.draw(oldRows, column: 0, line: side == .below ? top - area.height : top + area.height)
      rows.draw(newRows, column: 0, line: top)
    }
    var canvas = new
    canvas.cursor = nil
    canvas.draw(rows, column: area.column, line: area.line)
    return canvas
  }
}

extension Canvas {
  /// A copy of a rectangle, without the cursor.
  fileprivate func part(_ rect: CellRect) -> Canvas {
    var part = Canvas(width: rect.width, height: rect.height)
    part.draw(self, column: -rect.column, line: -rect.line)
    return part
  }
}
