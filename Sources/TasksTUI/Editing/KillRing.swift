/// The texts that were killed last, to be yanked back; a value that one editor hands to the next.
struct KillRing: Equatable, Sendable {
  static let capacity = 32

  /// Newest last.
  private(set) var entries: [String] = []

  /// Adds `text` as an entry of its own.
  mutating func push(_ text: String) {
    entries.append(text)
    if entries.count > Self.capacity { entries.removeFirst() }
  }

  /// Adds `text` to the newest entry, as kills that follow one another do.
  mutating func extend(with text: String, atFront: Bool) {
    guard let last = entries.popLast() else { return push(text) }
    entries.append(atFront ? text + last : last + text)
  }

  /// The entry `age` kills back, going round at the oldest; `nil` when nothing was killed.
  func entry(age: Int) -> String? {
    guard !entries.isEmpty else { return nil }
    return entries[entries.count - 1 - age % entries.count]
  }
}
