extension String {
  /// The text with a code in place of every scalar that would control a terminal or be invisible: those
  /// without `Unicode.Scalar.isVisible`, except parts of an emoji or of the spelling of a word.
  public var withControlsMadeVisible: String {
    guard !utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return self }
    var visible = ""
    forEachScalar { scalar, isVisible in
      if isVisible {
        visible.unicodeScalars.append(scalar)
      } else {
        visible += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      }
    }
    return visible
  }

  /// Calls `body` with each scalar, and whether it is allowed in its position in printed text.
  ///
  /// Complexity: O(n).
  public func forEachScalar(_ body: (Unicode.Scalar, _ isVisible: Bool) -> Void) {
    var sequence = JoinedScalars()
    for scalar in unicodeScalars { body(scalar, sequence.take(scalar)) }
  }
}

/// The positions in which scalars are allowed that are invisible themselves: one joiner or one variation
/// selector after a sign, and the tags of a flag. Many in a row would hide a text.
private struct JoinedScalars {
  /// The last visible scalar.
  private var base: Unicode.Scalar?
  private var isJoined = false
  private var isVaried = false
  /// The number of tags of the present flag, which begins with a black flag.
  private var tags: Int?

  private static let blackFlag: Unicode.Scalar = "\u{1F3F4}"
  /// Flags of parts of countries, such as England's, have five.
  private static let mostTags = 6

  /// Adds a scalar; returns whether it is allowed there.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isVisible {
      self = JoinedScalars(base: scalar, tags: scalar == Self.blackFlag ? 0 : nil)
      return true
    }
    guard let base, !isJoined else { return false }
    switch scalar.value {
    case 0x200C, 0x200D:
      tags = nil
      isJoined = true
      return !base.isASCII
    case 0xFE00...0xFE0F, 0xE0100...0xE01EF:
      guard !isVaried, tags ?? 0 == 0 else { return false }
      isVaried = true
      return !base.isASCII || "0123456789#*".unicodeScalars.contains(base)
    case 0xE0030...0xE0039, 0xE0061...0xE007A:
      guard let count = tags, count < Self.mostTags else { return false }
      tags = count + 1
      return true
    case 0xE007F:
      guard let count = tags, count > 0 else { return false }
      tags = nil
      return true
    default: return false
    }
  }
}
