import LiveStore

/// The origin of a task's date or repetition, or of its absence.
public enum DateOrigin: String, CaseIterable, PersistableEnum, Codable, Sendable {
  /// Unknown: it was never set, or another program has set it without an origin.
  case unknown
  /// Read from the text, which it follows.
  case text
  /// Set or removed by a person; the text does not change it.
  case person
}
