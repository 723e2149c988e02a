/// The properties that a person's own theme may change.
extension Theme {
  /// A copy of a theme under another name.
  package init(_ name: String, copying theme: Theme) {
    self.init(name, help: "your own", dark: theme.dark, light: theme.light)
  }

  /// The theme with a change on both of its sides.
  package func changing(_ change: (inout Palette) -> Void) -> Theme {
    var (dark, light) = (dark, light)
    change(&dark)
    change(&light)
    return Theme(name, help: help, dark: dark, light: light)
  }

  package static let gradients: [String: WritableKeyPath<Palette, Gradient> & Sendable] = [
    "tasks": \.tasks, "lists": \.lists,
  ]

  package static let colors: [String: WritableKeyPath<Palette, RGB> & Sendable] = [
    "ground": \.ground, "text": \.text, "faint": \.faint, "message": \.message, "heading": \.heading,
    "key": \.key, "selection": \.selection, "completed": \.completed, "completing": \.completing,
    "mark": \.mark, "overdue": \.overdue, "highlight": \.highlight, "panel": \.panel,
    "panel-text": \.panelText, "chosen": \.chosen,
  ]
}

extension RGB {
  /// A color such as `#e7a776`; nil for other texts.
  package init?(_ text: String) {
    let digits = text.dropFirst()
    guard text.first == "#", digits.count == 6, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
      let value = UInt32(digits, radix: 16)
    else { return nil }
    self.init(UInt8(value >> 16), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF))
  }
}
