/// The transition to a screen that slides in over the one before it, or fades in: the lists lie above the
/// tasks.
struct ScreenSlide {
  enum Side {
    case above, below
  }

  private let old: Canvas
  private let side: Side
  private let fades: Bool
  private let distance: Motion

  private static let duration = 0.22
  static let frameInterval = Duration.milliseconds(16)

  init(of old: Canvas, from side: Side, _ appearance: Appearance, at time: Duration) {
    self.old = old
    self.side = side
    fades = appearance.movement == .fade
    distance = Motion(from: 1, at: Motion.seconds(time), duration: Self.duration / appearance.speed)
  }

  /// The intermediate picture before `new`, or `nil` at the end, or after a change of size.
  func frame(to new: Canvas, at time: Duration) -> Canvas? {
    let now = Motion.seconds(time)
    guard distance.isMoving(at: now), old.width == new.width, old.height == new.height else { return nil }
    if fades {
      var canvas = new
      canvas.crossfade(from: old, amount: distance.value(at: now))
      return canvas
    }
    let missing = Int((distance.value(at: now) * Double(new.height)).rounded())
    let top = side == .below ? missing : -missing
    var canvas = Canvas(width: new.width, height: new.height)
    canvas.draw(old, column: 0, line: side == .below ? top - new.height : top + new.height)
    canvas.draw(new, column: 0, line: top)
    return canvas
  }
}
