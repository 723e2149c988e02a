/// An order into which rows can be put once, or in which a list can be kept.
public enum RowOrder: String, CaseIterable, Codable, Sendable {
  /// The earliest date first, then those without one.
  case due
  /// A, B, C, then those without one.
  case priority
  /// The alphabet, whatever the case.
  case text
}
