/// Colors between evenly spaced stops: the place of a row determines its color.
struct Gradient: Equatable, Sendable {
  let stops: [RGB]

  /// An empty gradient is black.
  init(_ stops: [RGB]) {
    self.stops = stops.isEmpty ? [.black] : stops
  }

  /// RealmTasks' colors for the rows of a list of tasks.
  static let tasks = Gradient([
    RGB(231, 167, 118), RGB(228, 125, 114), RGB(233, 99, 111), RGB(242, 81, 145),
    RGB(154, 80, 164), RGB(88, 86, 157), RGB(56, 71, 126),
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
  /// RealmTasks.
  func color(row index: Int, of count: Int) -> RGB {
    color(at: Double(index) / Double(max(13, count)))
  }
}
