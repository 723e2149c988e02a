import LiveStore

/// Where the date of a task, or its repetition, comes from; also when it has none.
public enum DateOrigin: String, CaseIterable, PersistableEnum, Codable, Sendable {
  /// Nobody has said anything; or another program has set it and has not said so.
  case unknown
  /// It was read out of the text, and follows the text.
  case text
  /// A person has set it or taken it away, and it stays so.
  case person
}
