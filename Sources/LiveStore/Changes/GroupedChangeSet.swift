/// The difference between the groups at the last call of a callback and now. A key appears at most once.
public struct GroupedChangeSet<Key: Hashable>: Equatable {
  /// The groups that no longer have elements.
  public var deletions: Set<Key>
  /// The groups that had no elements.
  public var insertions: Set<Key>
  /// The groups that have another value.
  public var modifications: Set<Key>

  /// The change set with some keys.
  public init(deletions: Set<Key> = [], insertions: Set<Key> = [], modifications: Set<Key> = []) {
    self.deletions = deletions
    self.insertions = insertions
    self.modifications = modifications
  }

  /// Whether no group differs.
  public var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}

extension GroupedChangeSet: Sendable where Key: Sendable {}
