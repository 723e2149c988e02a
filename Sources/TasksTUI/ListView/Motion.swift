/// A number that moves to zero, known in closed form at every moment.
///
/// The curve is the cubic that leaves its start with a given speed and arrives with none. A displacement from
/// rest follows (1 − s)², fast at first, so that a key is answered in the first frame. A displacement while
/// moving keeps place and speed: the movement bends towards the new target instead of starting again.
///
/// Times are seconds on the caller's clock; before its start a motion is at its start.
struct Motion: Equatable, Sendable {
  private var from = 0.0
  /// The change per duration, not per second, which simplifies the polynomial.
  private var speed = 0.0
  private var start = 0.0
  private var duration = 0.0

  static let still = Motion()

  /// A displacement by `from` that begins now, from rest.
  init(from: Double, at time: Double, duration: Double) {
    displace(by: from, at: time, duration: duration)
  }

  private init() {}

  /// The time at which zero is reached. Meaningless for `still`, which is always there.
  var end: Double { start + duration }

  func isMoving(at time: Double) -> Bool {
    (from != 0 || speed != 0) && time < end
  }

  func value(at time: Double) -> Double {
    guard isMoving(at: time) else { return 0 }
    let s = fraction(at: time)
    return from * (2 * s * s * s - 3 * s * s + 1) + speed * (s * s * s - 2 * s * s + s)
  }

  /// Moves the present place away from zero by `distance` and continues towards zero from there, without a
  /// jump.
  mutating func displace(by distance: Double, at time: Double, duration: Double) {
    let place = value(at: time) + distance
    let going = velocity(at: time) * duration - 2 * distance
    // A speed above three times the distance would overshoot the target, over the neighbouring rows.
    let limit = 3 * abs(place)
    from = place
    speed = min(max(going, -limit), limit)
    start = time
    self.duration = duration
  }

  /// The speed per second.
  private func velocity(at time: Double) -> Double {
    guard isMoving(at: time), duration > 0 else { return 0 }
    let s = fraction(at: time)
    return (from * (6 * s * s - 6 * s) + speed * (3 * s * s - 4 * s + 1)) / duration
  }

  private func fraction(at time: Double) -> Double {
    min(max((time - start) / duration, 0), 1)
  }

  /// A `Duration` in the unit of motions.
  static func seconds(_ duration: Duration) -> Double {
    let parts = duration.components
    return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
  }
}
