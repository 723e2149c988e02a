extension Int {
  /// The number in words for people: with a comma between each three digits.
  package var grouped: String {
    var digits = String(magnitude)
    var end = digits.endIndex
    while let comma = digits.index(end, offsetBy: -3, limitedBy: digits.startIndex),
      comma > digits.startIndex
    {
      digits.insert(",", at: comma)
      end = comma
    }
    return (self < 0 ? "-" : "") + digits
  }

  /// The number with a noun, in the plural unless it is one: `2 tasks`.
  package func counted(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}
