/// The keys of a dictionary that differ in two versions of a property, ascending. Like all texts they are
/// compared by their bytes: the same letter in one and in two scalars makes two keys.
///
/// ```swift
/// let token = recipe.observe(keyPaths: ["grams"]) { change in
///   guard case .change(_, let properties) = change else { return }
///   for key in properties.compactMap(\.keyChanges).flatMap(\.modifications) { print(key) }
/// }
/// ```
public struct KeyChanges: Hashable, Sendable {
  /// The keys of the old value that the new one does not have.
  public let deletions: [String]
  /// The keys of the new value that the old one did not have.
  public let insertions: [String]
  /// The keys of both with another value, anywhere inside it if that is a collection too.
  public let modifications: [String]
}

extension PropertyChange {
  /// The keys that differ, if the property is a dictionary; `nil` for any other.
  ///
  /// - Complexity: O(n log n) for n keys.
  public var keyChanges: KeyChanges? {
    let (before, after) = (oldValue as? any KeyedValues, newValue as? any KeyedValues)
    guard before != nil || after != nil else { return nil }
    let (old, new) = (before?.columnsByKey ?? [:], after?.columnsByKey ?? [:])
    func ordered(_ keys: some Sequence<SQLiteValue>) -> [String] {
      keys.compactMap(\.textReading).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
    return KeyChanges(
      deletions: ordered(old.keys.filter { new[$0] == nil }),
      insertions: ordered(new.keys.filter { old[$0] == nil }),
      modifications: ordered(new.keys.filter { key in old[key].map { $0 != new[key] } ?? false }))
  }
}
