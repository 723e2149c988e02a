/// A type of property by whose values elements can be divided into groups.
public typealias GroupKey = Hashable & Persistable & SQLiteValueConvertible & SendableMetatype

/// Aggregates of groups: of the elements that have a value of a property in common.
///
/// The property may be one of an object that the elements link to, such as `\.author?.name`. A value that
/// another program has stored and the property's type cannot represent counts as what an object shows in its
/// place. Groups without elements do not appear.
///
/// SQLite calculates the first values, in O(n log n). After a commit it takes O(k log n + g) for k changed
/// elements and g groups, with the exceptions that ``LiveAggregate`` names.
///
/// ``LiveAggregate/observeGroups(_:)`` also says which groups have changed.
extension LiveCollection {
  /// The number of elements in each group, kept up to date.
  ///
  /// ```swift
  /// let unread = try messages.filter(#Predicate { !$0.isRead }).liveCount(by: \.room)
  /// let token = unread.observe { change in
  ///   for (room, count) in change.value ?? [:] { print("\(room): \(count)") }
  /// }
  /// ```
  public func liveCount<Key: GroupKey>(by group: KeyPath<Element, Key>) -> LiveAggregate<[Key: Int]> {
    LiveAggregate(groups: liveSource(by: group) { _ in .count }) { tally, _ in tally.count }
  }

  /// The sum of a property's values in each group, kept up to date; zero where there are none.
  public func liveSum<Key: GroupKey, Value: AddableProperty>(
    of property: KeyPath<Element, Value>, by group: KeyPath<Element, Key>
  ) -> LiveAggregate<[Key: Value.Sum]> {
    let source = liveSource(by: group) { .sum($0.aggregated(property), isInteger: Value.holdsIntegers) }
    return LiveAggregate(groups: source) { tally, query in
      Value.Sum(sqliteValue: query.sum(tally)) ?? .zero
    }
  }

  /// The mean of a property's values in each group, kept up to date; `nil` where there are none.
  public func liveAverage<Key: GroupKey, Value: AddableProperty>(
    of property: KeyPath<Element, Value>, by group: KeyPath<Element, Key>
  ) -> LiveAggregate<[Key: Double?]> {
    let source = liveSource(by: group) {
      .average($0.aggregated(property), isInteger: Value.holdsIntegers)
    }
    return LiveAggregate(groups: source) { tally, query in query.average(tally) }
  }

  /// The smallest value of a property in each group, kept up to date; `nil` where there is none.
  public func liveMin<Key: GroupKey, Value: MinMaxProperty>(
    of property: KeyPath<Element, Value>, by group: KeyPath<Element, Key>
  ) -> LiveAggregate<[Key: Value.Extreme?]> {
    liveExtreme(by: group) { .min($0.aggregated(property)) }
  }

  /// The greatest value of a property in each group, kept up to date; `nil` where there is none.
  public func liveMax<Key: GroupKey, Value: MinMaxProperty>(
    of property: KeyPath<Element, Value>, by group: KeyPath<Element, Key>
  ) -> LiveAggregate<[Key: Value.Extreme?]> {
    liveExtreme(by: group) { .max($0.aggregated(property)) }
  }

  private func liveExtreme<Key: GroupKey, Value: MinMaxType>(
    by group: KeyPath<Element, Key>, _ function: (CollectionQuery) -> AggregateQuery.Function
  ) -> LiveAggregate<[Key: Value?]> {
    LiveAggregate(groups: liveSource(by: group, function)) { tally, _ in Value(sqliteValue: tally.extreme) }
  }
}

extension LiveAggregate {
  /// - Parameter value: The value of a group.
  fileprivate convenience init<Key: GroupKey, Group: SendableMetatype>(
    groups source: AggregateSource,
    _ value: @escaping @Sendable (AggregateState.Tally, AggregateQuery) -> Group
  ) where Value == [Key: Group] {
    let reader = GroupReader<Key, Group>(
      key: { stored, source in Key(sqliteValue: stored) ?? source.shown(instead: stored) }, value: value)
    self.init(source, groupReader: reader) { state, source in reader.values(state, source) }
  }
}

extension AggregateSource {
  /// The value that an object shows instead of one that the type of the groups' property cannot represent.
  fileprivate func shown<Key: Persistable>(instead stored: SQLiteValue) -> Key {
    guard let group = query.group else { return Key._default }
    let table = store.schema.tables[group.table]
    let row = _ManagedRow(store: store, table: table, key: .null)
    row.adopt(stored, at: group.column)
    return Key._read(row, group.column)
  }
}
