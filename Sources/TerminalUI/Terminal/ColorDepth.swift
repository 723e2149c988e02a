/// The number of colors that the terminal shows.
package enum ColorDepth: Int, Comparable, Sendable {
  case none = 0
  case eight = 8
  case sixteen = 16
  case twoHundredFiftySix = 256
  /// 24 bits.
  case direct = 0x1000000

  /// The greatest depth that `colors` colors allow.
  init(colors: Int) {
    switch colors {
    case ..<8: self = .none
    case ..<16: self = .eight
    case ..<256: self = .sixteen
    default: self = .twoHundredFiftySix
    }
  }

  package static func < (a: ColorDepth, b: ColorDepth) -> Bool { a.rawValue < b.rawValue }

  /// The terminal's number of the color nearest to `color`, or `nil` if it has none.
  ///
  /// The first sixteen colors of a terminal with 256 are not used, because people change them.
  func index(of color: RGB) -> Int? {
    switch self {
    case .none: return nil
    case .eight: return ColorDepth.nearest(to: color, in: ColorDepth.basic[..<8])
    case .sixteen: return ColorDepth.nearest(to: color, in: ColorDepth.basic[...])
    case .twoHundredFiftySix: return ColorDepth.nearestOf256(color)
    case .direct: return color.number
    }
  }

  /// The numbers for text of one color on another. Where the nearest colors are too close to each other for
  /// text that could be read in the colors themselves, the text becomes black or white.
  func indices(foreground: RGB, background: RGB) -> (foreground: Int, background: Int)? {
    guard let back = index(of: background), let front = index(of: foreground) else { return nil }
    guard foreground != background, self != .direct else { return (front, back) }
    let (shown, ground) = (color(at: front), color(at: back))
    let contrast = foreground.contrast(with: background)
    let least = front == back ? .infinity : Self.levels.last { $0 <= contrast } ?? 0
    guard shown.contrast(with: ground) < least else { return (front, back) }
    let (black, white) = self == .eight ? (0, 7) : self == .sixteen ? (0, 15) : (16, 231)
    return (
      ground.contrast(with: color(at: black)) > ground.contrast(with: color(at: white)) ? black : white, back
    )
  }

  /// The contrasts from which on text can be read, and told from its ground.
  private static let levels = [3, 4.5]

  /// The color of a number, unless people change it.
  func color(at index: Int) -> RGB {
    switch (self, index) {
    case (.direct, _): return RGB(number: index)
    case (_, ..<16): return Self.basic[max(0, index)]
    case (_, ..<232):
      let levels = [36, 6, 1].map { UInt8(Self.cubeLevels[(index - 16) / $0 % 6]) }
      return RGB(levels[0], levels[1], levels[2])
    default:
      let value = UInt8(8 + 10 * min(23, index - 232))
      return RGB(value, value, value)
    }
  }

  /// xterm's defaults for the eight colors and their bright forms.
  private static let basic: [RGB] = [
    RGB(0, 0, 0), RGB(205, 0, 0), RGB(0, 205, 0), RGB(205, 205, 0), RGB(0, 0, 238), RGB(205, 0, 205),
    RGB(0, 205, 205), RGB(229, 229, 229), RGB(127, 127, 127), RGB(255, 0, 0), RGB(0, 255, 0),
    RGB(255, 255, 0), RGB(92, 92, 255), RGB(255, 0, 255), RGB(0, 255, 255), RGB(255, 255, 255),
  ]

  private static let cubeLevels: [Int] = [0, 95, 135, 175, 215, 255]
  /// The index of the nearest of them, for each amount of a primary color.
  private static let nearestLevels: [Int] = (0...255).map { value in
    cubeLevels.indices.min { abs(cubeLevels[$0] - value) < abs(cubeLevels[$1] - value) } ?? 0
  }

  /// The nearest color of a palette. A saturated color is never replaced by a grey, which among few colors
  /// is often the nearest.
  private static func nearest(to color: RGB, in palette: ArraySlice<RGB>) -> Int? {
    let candidates = palette.indices.filter { color.saturation < 0.4 || palette[$0].saturation > 0 }
    return candidates.min { palette[$0].distance(to: color) < palette[$1].distance(to: color) }
  }

  /// The nearest of the 6×6×6 cube (16 to 231) and the ramp of greys (232 to 255).
  private static func nearestOf256(_ color: RGB) -> Int {
    let levels = nearestLevels
    let (red, green, blue) = (levels[Int(color.red)], levels[Int(color.green)], levels[Int(color.blue)])
    let cube = RGB(UInt8(cubeLevels[red]), UInt8(cubeLevels[green]), UInt8(cubeLevels[blue]))
    let mean = (Int(color.red) + Int(color.green) + Int(color.blue)) / 3
    let step = max(0, min(23, (mean - 3) / 10))
    let value = UInt8(8 + 10 * step)
    let grey = RGB(value, value, value)
    return grey.distance(to: color) < cube.distance(to: color) ? 232 + step : 16 + 36 * red + 6 * green + blue
  }
}

extension RGB {
  /// The place of a terminal's number for a color, in styles that are shown: the number of a color in 24 bits
  /// is the color itself.
  init(number: Int) {
    self.init(UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF))
  }

  var number: Int { Int(red) << 16 | Int(green) << 8 | Int(blue) }

  /// The distance from a grey of the same brightness: 0 for greys, 1 for the purest. A color that cannot be
  /// told from black counts as 0.
  fileprivate var saturation: Double {
    let (most, least) = (max(red, green, blue), min(red, green, blue))
    return most < 100 ? 0 : Double(most - least) / Double(most)
  }

  /// The squared distance, weighted by the perception of the three primaries at this amount of red.
  fileprivate func distance(to other: RGB) -> Int {
    let mean = (Int(red) + Int(other.red)) / 2
    let (r, g, b) = (
      Int(red) - Int(other.red), Int(green) - Int(other.green), Int(blue) - Int(other.blue)
    )
    return (512 + mean) * r * r / 256 + 4 * g * g + (767 - mean) * b * b / 256
  }
}
