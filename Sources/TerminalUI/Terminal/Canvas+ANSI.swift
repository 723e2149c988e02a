extension Canvas {
  /// The picture for a terminal with a number of colors: lines of text with color sequences, which `cat`
  /// shows again. A blank end of a line is erased.
  package func sequences(depth: ColorDepth) -> String {
    (0..<height).map { sequences(line: $0, depth: depth) + "\n" }.joined()
  }

  private func sequences(line: Int, depth: ColorDepth) -> String {
    // Attributes such as reverse do not extend into erased cells.
    var end = width
    while end > 0, self[end - 1, line].glyph == .space, self[end - 1, line].style.attributes.isEmpty,
      self[end - 1, line].style.background == self[width - 1, line].style.background
    {
      end -= 1
    }
    var output = ""
    var last: String?
    func set(_ style: Style) {
      let sequence = Self.sequence(style, depth: depth)
      if sequence != last { output += sequence }
      last = sequence
    }
    for column in 0..<end where self[column, line].width > 0 {
      set(self[column, line].style)
      output += self[column, line].text
    }
    if end < width {
      set(Style(background: self[width - 1, line].style.background))
      output += "\u{1B}[K"
    }
    return output + "\u{1B}[m"
  }

  /// The sequence that sets a style, regardless of the one before.
  private static func sequence(_ style: Style, depth: ColorDepth) -> String {
    var parameters: [String] = []
    let attributes: [(Style.Attributes, String)] = [
      (.bold, "1"), (.dim, "2"), (.underline, "4"), (.reverse, "7"), (.strikethrough, "9"),
    ]
    for (attribute, parameter) in attributes where style.attributes.contains(attribute) {
      parameters.append(parameter)
    }
    var foreground = style.foreground.flatMap(depth.index(of:))
    if let front = style.foreground, let back = style.background,
      let both = depth.indices(foreground: front, background: back)
    {
      foreground = both.foreground
    }
    if let foreground { parameters += Self.parameters(foreground, depth, isBackground: false) }
    if let background = style.background.flatMap(depth.index(of:)) {
      parameters += Self.parameters(background, depth, isBackground: true)
    }
    return "\u{1B}[0\(parameters.map { ";" + $0 }.joined())m"
  }

  private static func parameters(_ index: Int, _ depth: ColorDepth, isBackground: Bool) -> [String] {
    let base = isBackground ? 40 : 30
    switch depth {
    case .none: return []
    case .eight, .sixteen: return ["\(index < 8 ? base + index : base + 60 + index - 8)"]
    case .twoHundredFiftySix: return ["\(base + 8)", "5", "\(index)"]
    case .direct: return ["\(base + 8)", "2", "\(index >> 16)", "\(index >> 8 & 0xFF)", "\(index & 0xFF)"]
    }
  }
}
