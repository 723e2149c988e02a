/// The texts that were killed last and can be yanked; a value that one editor passes to the next.
package struct KillRing: Equatable, Sendable {
  static let capacity = 32

  /// The entries, the newest last.
  private(set) var entries: [String] = []

  package init() {}

  /// Adds `text` as a new entry.
  package mutating func push(_ text: String) {
    entries.append(text)
    if entries.count > Self.capacity { entries.removeFirst() }
  }

  /// Adds `text` to the newest entry, as successive kills do.
  mutating func extend(with text: String, atFront: Bool) {
    guard let last = entries.popLast() else { return push(text) }
    entries.append(atFront ? text + last : last + text)
  }

  /// The entry `age` kills back, wrapping around at the oldest; `nil` if nothing was killed.
  package func entry(age: Int) -> String? {
    guard !entries.isEmpty else { return nil }
    return entries[entries.count - 1 - age % entries.count]
  }
}
