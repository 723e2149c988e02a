/// The groups of an aggregate as an observer gets them: the value of their property as an object shows it,
/// and their number or extreme.
struct GroupReader<Key: Hashable, Group>: Sendable {
  let key: @Sendable (SQLiteValue, AggregateSource) -> Key
  let value: @Sendable (AggregateState.Tally, AggregateQuery) -> Group

  func values(_ state: AggregateState, _ source: AggregateSource) -> [Key: Group] {
    tallies(state, source).mapValues { value($0, source.query) }
  }

  fileprivate func tallies(
    _ state: AggregateState, _ source: AggregateSource
  ) -> [Key: AggregateState.Tally] {
    var tallies: [Key: AggregateState.Tally] = [:]
    for (stored, tally) in state.groups {
      let key = key(stored, source)
      // Several values may show as one.
      tallies[key] = tallies[key].map { source.query.merge($0, tally) } ?? tally
    }
    return tallies
  }
}

/// The values of all groups that an observer was called with last, from which the next are made by those that
/// have changed.
final class GroupFollower<Key: Hashable, Group> {
  private let source: AggregateSource
  private let reader: GroupReader<Key, Group>
  /// The trail of the state that the values are of, and the values.
  private var last: (trail: GroupTrail, values: [Key: Group])?

  init(_ source: AggregateSource, _ reader: GroupReader<Key, Group>) {
    self.source = source
    self.reader = reader
  }

  func values(in state: AggregateState) -> [Key: Group] {
    let values = reader.values(state, source)
    last = (state.trail, values)
    return values
  }

  /// The values of all groups, and those that differ from an earlier state.
  ///
  /// - Complexity: O(k) for k groups that have changed; O(g) for all g groups if several stored values show
  ///   as one, if the earlier state is not that of the last call or lies many steps back, or if the values of
  ///   the last call are still in use and have to be copied.
  func change(
    from old: AggregateState, to new: AggregateState
  ) -> (values: [Key: Group], changes: GroupedChangeSet<Key>) {
    if let changed = new.trail.groups(since: old.trail), let step = step(changed, from: old, to: new) {
      return step
    }
    let (before, after) = (reader.tallies(old, source), reader.tallies(new, source))
    var changes = GroupedChangeSet<Key>()
    for (key, tally) in after {
      if let former = before[key] {
        if !source.query.hasSameValue(former, tally) { changes.modifications.insert(key) }
      } else {
        changes.insertions.insert(key)
      }
    }
    for key in before.keys where after[key] == nil { changes.deletions.insert(key) }
    let values = after.mapValues { reader.value($0, source.query) }
    last = (new.trail, values)
    return (values, changes)
  }

  /// Changes the values of the last call; `nil` if they are those of another state, or if several stored
  /// values show as one.
  private func step(
    _ changed: Set<SQLiteValue>, from old: AggregateState, to new: AggregateState
  ) -> (values: [Key: Group], changes: GroupedChangeSet<Key>)? {
    guard var (trail, values) = last, trail.isSame(as: old.trail), values.count == old.groups.count else {
      return nil
    }
    // The only reference, so that changing the values does not copy them.
    last = nil
    var changes = GroupedChangeSet<Key>()
    for stored in changed where old.groups[stored] != nil && new.groups[stored] == nil {
      let key = reader.key(stored, source)
      values[key] = nil
      changes.deletions.insert(key)
    }
    for stored in changed {
      guard let tally = new.groups[stored] else { continue }
      let key = reader.key(stored, source)
      if let former = old.groups[stored] {
        if source.query.hasSameValue(former, tally) { continue }
        changes.modifications.insert(key)
      } else if changes.deletions.contains(key) || values[key] != nil {
        return nil
      } else {
        changes.insertions.insert(key)
      }
      values[key] = reader.value(tally, source.query)
    }
    trail = new.trail
    last = (trail, values)
    return (values, changes)
  }
}
