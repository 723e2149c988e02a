extension String {
  /// The text with everything that a terminal would act on, or that would hide or reorder what follows, replaced by its
  /// code: control characters (C0, C1, DEL), line and paragraph separators, bidirectional overrides and isolates.
  var withControlsMadeVisible: String {
    guard unicodeScalars.contains(where: \.isActedOnByTerminals) else { return self }
    var visible = ""
    for scalar in unicodeScalars {
      if scalar.isActedOnByTerminals {
        visible += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      } else {
        visible.unicodeScalars.append(scalar)
      }
    }
    return visible
  }
}

extension Unicode.Scalar {
  var isActedOnByTerminals: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0x061C: true
    default: false
    }
  }
}
