/// Colors between evenly spaced stops: the place of a row determines its color.
package struct Gradient: Equatable, Sendable {
  package let stops: [RGB]
  /// The sum of the differences between stops, of all three components.
  private let length: Double

  /// An empty gradient is black.
  package init(_ stops: [RGB]) {
    self.stops = stops.isEmpty ? [.black] : stops
    length = zip(stops, stops.dropFirst()).reduce(0) { $0 + $1.0.difference(from: $1.1) }
  }

  /// RealmTasks' colors for the rows of a list of tasks, the last ones lighter, so that black text can be
  /// read on all of them.
  package static let tasks = Gradient([
    RGB(231, 167, 118), RGB(228, 125, 114), RGB(233, 99, 111), RGB(242, 81, 145),
    RGB(172, 92, 184), RGB(124, 112, 204), RGB(88, 124, 206),
  ])

  /// RealmTasks' colors for the screen of all lists.
  static let lists = Gradient([
    RGB(6, 147, 251), RGB(16, 158, 251), RGB(26, 169, 251), RGB(33, 180, 251),
    RGB(40, 190, 251), RGB(46, 198, 251), RGB(54, 207, 251),
  ])

  /// The color at `fraction`, 0 (first stop) … 1 (last stop).
  func color(at fraction: Double) -> RGB {
    let place = min(max(fraction, 0), 1) * Double(stops.count - 1)
    let lower = min(Int(place), stops.count - 1)
    let upper = min(lower + 1, stops.count - 1)
    return stops[lower].blended(with: stops[upper], amount: place - Double(lower))
  }

  /// The color of row `index` of `count`. Short lists use only the beginning of the gradient, like
  /// RealmTasks. Where neighbours hardly differ, every second row is a little lighter, or on very light ones
  /// darker.
  package func color(row index: Int, of count: Int) -> RGB {
    let rows = Double(max(Self.shortest, count))
    let color = color(at: Double(index) / rows)
    guard index % 2 == 1, stops.count > 1 else { return color }
    let steps = Self.steps
    let missing = (steps.upperBound - length / rows) / (steps.upperBound - steps.lowerBound)
    return color.blended(
      with: color.luminance > Self.veryLight ? .black : .white,
      amount: Self.alternation * min(1, max(0, missing)))
  }

  /// The number of rows over which the whole gradient is spread at least.
  private static let shortest = 13
  /// The differences between neighbours at which every second row is as light as it gets, and at which it is
  /// as the gradient says.
  private static let steps = 12.0...24.0
  private static let alternation = 0.08
  private static let veryLight = 0.5
}

extension RGB {
  fileprivate func difference(from other: RGB) -> Double {
    let channels = [(red, other.red), (green, other.green), (blue, other.blue)]
    return channels.reduce(0.0) { sum, channel in sum + abs(Double(channel.0) - Double(channel.1)) }
  }
}
