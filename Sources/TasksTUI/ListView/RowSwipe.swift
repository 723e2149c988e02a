import TerminalUI

/// A row that the pointer moves sideways, and that returns when it is let go.
struct RowSwipe {
  /// The sign beside the row, and the color that the row takes on.
  struct Meaning: Equatable {
    let sign: String
    let color: RGB
    /// The part of the way after which letting go means it, 0 … 1.
    let progress: Double
  }

  var index: Int
  /// The columns by which the pointer has moved it, to the left if negative.
  var columns: Int
  var meaning: Meaning
  /// The missing part of the way back (1 … 0); nil while the pointer holds the row.
  var release: Motion?

  func columns(at time: Double) -> Int {
    guard let release else { return columns }
    return Int((Double(columns) * release.value(at: time)).rounded())
  }

  /// The amount of its color in the row.
  func tint(at time: Double) -> Double {
    meaning.progress * (release?.value(at: time) ?? 1)
  }
}

extension ListView {
  /// Moves a row sideways with the pointer.
  mutating func swipe(_ index: Int, columns: Int, _ meaning: RowSwipe.Meaning) {
    swiped = RowSwipe(index: index, columns: columns, meaning: meaning)
  }

  /// Lets the row go.
  mutating func endSwipe(at time: Duration) {
    guard isAnimated, swiped != nil else {
      swiped = nil
      return
    }
    let back = Motion(from: 1, at: Motion.seconds(time), duration: movementDuration)
    swiped?.release = back
    extendMovement(to: back.end)
  }

  /// The layer that is seen beside a row that has moved sideways: the ground, with the sign.
  func layer(beside swipe: RowSwipe, line: Double, height: Int, at now: Double) -> RowLayer? {
    let columns = swipe.columns(at: now)
    guard abs(columns) > 2 else { return nil }
    var picture = Canvas(width: width, height: height, filledWith: Cell(style: backdrop))
    let ground = backdrop.background ?? .black
    let style = Style(
      foreground: ground.blended(with: swipe.meaning.color, amount: 0.4 + 0.6 * swipe.tint(at: now)),
      background: backdrop.background, attributes: swipe.meaning.progress < 1 ? [] : .bold)
    picture.put(swipe.meaning.sign, column: columns > 0 ? 1 : width - 2, line: 0, style: style)
    return RowLayer(picture: picture, line: line, level: .arriving, isStepped: !movesBetweenLines)
  }

  /// Moves the rows a little beyond an end, from where they return: a key cannot go further.
  ///
  /// - Parameter direction: 1 at the top, -1 at the end.
  mutating func pushBack(_ direction: Double, at time: Duration) {
    let now = Motion.seconds(time)
    guard isAnimated, !fades, movesBetweenLines, lastFrame != nil, !gliding.isMoving(at: now) else { return }
    gliding.displace(by: direction * Self.pushedLines, at: now, duration: movementDuration)
    extendMovement(to: gliding.end)
  }

  private static var pushedLines: Double { 0.9 }
}
