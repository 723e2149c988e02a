package enum ListColor {
  /// All of them carry black text, as the rows of the usual theme do.
  package static let names: [(name: String, color: RGB)] = [
    ("red", RGB(233, 99, 111)), ("orange", RGB(231, 150, 90)), ("yellow", RGB(226, 190, 84)),
    ("green", RGB(112, 184, 108)), ("teal", RGB(66, 178, 168)), ("blue", RGB(40, 160, 240)),
    ("purple", RGB(160, 124, 214)), ("pink", RGB(238, 110, 168)), ("brown", RGB(176, 136, 104)),
    ("grey", RGB(150, 154, 160)),
  ]

  /// The colors that may be given, in words.
  package static let choices = names.map(\.name).joined(separator: ", ") + ", none or #rrggbb"

  /// The stored form of a color: `#rrggbb`, or empty for none.
  ///
  /// - Parameter name: A name, `#rrggbb` or `none`.
  package static func value(of name: String) -> String? {
    let name = name.lowercased()
    if ["none", "off", "-", ""].contains(name) { return "" }
    if let known = names.first(where: { $0.name == name || name == "gray" && $0.name == "grey" }) {
      return known.color.hexadecimal
    }
    return RGB(name)?.hexadecimal
  }
}

extension RGB {
  /// The color as `#rrggbb`.
  package var hexadecimal: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension Gradient {
  /// The rows of a list that has a color of its own: from a lighter shade of it downwards.
  package init(ofList color: RGB) {
    let text = color.contrastingText
    // As long as text of one color can be read on both ends.
    let shades = [color.blended(with: .white, amount: 0.4), color, color.blended(with: .black, amount: 0.2)]
    self.init(shades.filter { $0.contrastingText == text })
  }
}
