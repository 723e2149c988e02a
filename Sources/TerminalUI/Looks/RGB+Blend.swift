import Glibc

extension RGB {
  package static let black = RGB(0, 0, 0)
  package static let white = RGB(255, 255, 255)

  /// This color with `amount` (0 … 1) of `other` in it; 0 is this color, 1 the other.
  package func blended(with other: RGB, amount: Double) -> RGB {
    if amount <= 0 { return self }
    if amount >= 1 { return other }
    func mix(_ a: UInt8, _ b: UInt8) -> UInt8 {
      let (from, to) = (Double(a), Double(b))
      return UInt8((from + (to - from) * amount).rounded())
    }
    return RGB(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
  }

  /// The relative luminance of WCAG 2, 0 (black) … 1 (white).
  var luminance: Double {
    0.2126 * Self.linear[Int(red)] + 0.7152 * Self.linear[Int(green)] + 0.0722 * Self.linear[Int(blue)]
  }

  /// The contrast of WCAG 2 between text of one color and the other behind it, 1 to 21.
  func contrast(with other: RGB) -> Double {
    let (a, b) = (luminance, other.luminance)
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  /// Text of this color with `amount` (0 … 1) of the color behind it, or with less where its contrast would
  /// not reach `least`.
  package func faded(into ground: RGB, amount: Double, contrast least: Double) -> RGB {
    var amount = min(amount, 1)
    while amount > 0 {
      let faded = blended(with: ground, amount: amount)
      if faded.contrast(with: ground) >= least { return faded }
      amount -= 0.05
    }
    return self
  }

  /// Black or white, whichever has the higher contrast on this color.
  package var contrastingText: RGB {
    // The threshold at which (L + 0.05) / 0.05 equals 1.05 / (L + 0.05).
    luminance > 0.179 ? .black : .white
  }

  /// The linear light of each sRGB component.
  private static let linear: [Double] = (0...255).map {
    let c = Double($0) / 255
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4)
  }
}
