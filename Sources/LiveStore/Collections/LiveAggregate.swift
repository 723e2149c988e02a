import Observation

/// A number about all elements of a collection, kept up to date: how many there are, or the sum, the average,
/// the smallest or the greatest of a property's values; or a dictionary of such numbers, one for each group
/// of elements.
///
/// ```swift
/// let open = try list.items.filter(#Predicate { !$0.isCompleted }).liveCount()
/// let token = open.observe { change in
///   if let count = change.value { print("\(count) open tasks") }
/// }
/// ```
///
/// SQLite calculates the first value, in O(n). As long as there is an observer, or the value has been read,
/// each commit advances it by the rows that it changed: no order is kept, and the memory is O(1), or that of
/// the dictionary.
///
/// A read of the value takes part in Swift's Observation as that of ``Results`` does: it is invalidated by a
/// change of a property that the value depends on, and by a delivery only if the value differs.
///
/// - Complexity: For a commit O(k log n), k being the changed rows that the value may depend on. O(n) where
///   the smallest or greatest value has gone, where another program has stored values of another type, and
///   for collections that are limited or made distinct; if very many rows have changed, too.
public final class LiveAggregate<Value: Equatable>: Observable {
  let source: AggregateSource
  /// The value that was read last, and the state of the store then, so that reading makes no dictionary anew.
  private var last: (store: StoreState, value: Value)?
  /// Reads the value out of a state.
  let read: @Sendable (AggregateState, AggregateSource) -> Value
  /// The ``GroupReader`` of the value; `nil` if it is not one of groups.
  let groupReader: (any Sendable)?

  init(
    _ source: AggregateSource, groupReader: (any Sendable)? = nil,
    _ read: @escaping @Sendable (AggregateState, AggregateSource) -> Value
  ) {
    self.source = source
    self.groupReader = groupReader
    self.read = read
  }

  /// The value at the version that the store shows, including the writes of the open transaction.
  ///
  /// - Complexity: O(1) if it is known. O(n) the first time, and inside a write transaction after a change.
  public var value: Value {
    let state = source.current(else: AggregateState())
    guard !source.store.isInWriteTransaction, source.known != nil else { return value(in: state) }
    let now = source.store.state
    if let last, last.store == now { return last.value }
    let value = value(in: state)
    last = (now, value)
    return value
  }

  func value(in state: AggregateState) -> Value { read(state, source) }
}

/// The value that a ``LiveAggregate`` reads, whatever its type.
final class AggregateSource {
  let ranked: RankedCollection
  let query: AggregateQuery
  let live: MaintainedResult
  let readInWrite = ReadInWrite<AggregateState>()

  init(_ ranked: RankedCollection, _ function: AggregateQuery.Function, by group: QueryValue?) {
    self.ranked = ranked
    query = AggregateQuery(ranked.query, function, by: group)
    live = MaintainedResult(query)
    ranked.store.coordinator.add(live)
  }
}

extension LiveCollection {
  /// The number of elements, kept up to date.
  public func liveCount() -> LiveAggregate<Int> {
    LiveAggregate(liveSource { _ in .count }) { state, _ in state.total.count }
  }

  /// The sum of a property's values, kept up to date; zero if there are none. A sum of integers beyond the
  /// greatest or the least `Int` is that number.
  public func liveSum<Value: AddableProperty>(
    of property: KeyPath<Element, Value>
  ) -> LiveAggregate<Value.Sum> {
    let source = liveSource { .sum($0.aggregated(property), isInteger: Value.holdsIntegers) }
    return LiveAggregate(source) { state, source in
      Value.Sum(sqliteValue: source.query.sum(state.total)) ?? .zero
    }
  }

  /// The mean of a property's values, kept up to date; `nil` if there are none.
  public func liveAverage<Value: AddableProperty>(
    of property: KeyPath<Element, Value>
  ) -> LiveAggregate<Double?> {
    let source = liveSource { .average($0.aggregated(property), isInteger: Value.holdsIntegers) }
    return LiveAggregate(source) { state, source in source.query.average(state.total) }
  }

  /// The smallest value of a property, kept up to date; `nil` if there is none.
  public func liveMin<Value: MinMaxProperty>(
    of property: KeyPath<Element, Value>
  ) -> LiveAggregate<Value.Extreme?> {
    liveExtreme { .min($0.aggregated(property)) }
  }

  /// The greatest value of a property, kept up to date; `nil` if there is none.
  public func liveMax<Value: MinMaxProperty>(
    of property: KeyPath<Element, Value>
  ) -> LiveAggregate<Value.Extreme?> {
    liveExtreme { .max($0.aggregated(property)) }
  }

  private func liveExtreme<Value: MinMaxType>(
    _ function: (CollectionQuery) -> AggregateQuery.Function
  ) -> LiveAggregate<Value?> {
    LiveAggregate(liveSource(function)) { state, _ in Value(sqliteValue: state.total.extreme) }
  }

  /// The source of an aggregate that is kept up to date.
  ///
  /// - Parameter group: The property that divides the elements into groups; `nil` if none does.
  func liveSource(
    by group: PartialKeyPath<Element>? = nil, _ function: (CollectionQuery) -> AggregateQuery.Function
  ) -> AggregateSource {
    let ranked = _elements("aggregated over").ranked
    // A collection of its own: its order is not needed, even if that of this one is.
    let own = RankedCollection(store: ranked.store, query: ranked.query)
    let group = group.map { own.query.value($0, "divided into groups by") }
    return AggregateSource(own, function(own.query), by: group)
  }
}

extension CollectionQuery {
  /// The value of a property over which is aggregated.
  func aggregated(_ property: AnyKeyPath) -> QueryValue { value(property, "aggregated over") }
}
