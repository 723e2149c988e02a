/// A number about all elements of a collection, kept up to date: how many there are, or the sum, the average,
/// the smallest or the greatest of a property's values.
///
/// ```swift
/// let open = try list.items.filter(#Predicate { !$0.isCompleted }).liveCount()
/// let token = open.observe { change in
///   if let count = change.value { print("\(count) open tasks") }
/// }
/// ```
///
/// SQLite calculates the first value, in O(n). As long as there is an observer, or the value has been read,
/// each commit advances it by the rows that it changed: no order is kept, and the memory is O(1).
///
/// - Complexity: For a commit O(k log n), k being the changed rows that the value may depend on. O(n) where
///   the smallest or greatest value has gone, where another program has stored values of another type, and
///   for collections that are limited or made distinct; if very many rows have changed, too.
public final class LiveAggregate<Value: Equatable> {
  let source: _AggregateSource
  let convert: @Sendable (AggregateState) -> Value

  init(_ source: _AggregateSource, _ convert: @escaping @Sendable (AggregateState) -> Value) {
    self.source = source
    self.convert = convert
  }

  /// The value at the version that the store shows, including the writes of the open transaction.
  ///
  /// - Complexity: O(1) if it is known. O(n) the first time, and inside a write transaction after a change.
  public var value: Value { convert(source.current()) }
}

/// The value that a ``LiveAggregate`` reads, whatever its type.
public final class _AggregateSource {
  let ranked: RankedCollection
  let query: AggregateQuery
  let live: MaintainedResult
  let readInWrite = ReadInWrite<AggregateState>()

  init(_ ranked: RankedCollection, _ function: AggregateQuery.Function) {
    self.ranked = ranked
    query = AggregateQuery(ranked.query, function)
    live = MaintainedResult(query)
    ranked.store.coordinator.add(live)
  }

  fileprivate func current() -> AggregateState {
    ranked.noteRead()
    return current(else: AggregateState())
  }
}

extension AggregatableCollection {
  /// The number of elements, kept up to date.
  public func liveCount() -> LiveAggregate<Int> {
    LiveAggregate(_liveAggregate(nil, nil, isInteger: false)) { $0.count }
  }

  /// The sum of a property's values, kept up to date; zero if there are none. A sum of integers beyond the
  /// greatest or the least `Int` is that number.
  public func liveSum<Value: AddableType>(of property: KeyPath<Element, Value>) -> LiveAggregate<Value> {
    liveSum(property)
  }

  /// The sum of a property's values, kept up to date; zero if there are none.
  public func liveSum<Value: AddableType>(of property: KeyPath<Element, Value?>) -> LiveAggregate<Value> {
    liveSum(property)
  }

  private func liveSum<Value: AddableType>(_ property: PartialKeyPath<Element>) -> LiveAggregate<Value> {
    let source = _liveAggregate(.sum, property, isInteger: Value.self is any FixedWidthInteger.Type)
    return LiveAggregate(source) { [query = source.query] in Value(sqliteValue: query.sum($0)) ?? .zero }
  }

  /// The mean of a property's values, kept up to date; `nil` if there are none.
  public func liveAverage<Value: AddableType>(
    of property: KeyPath<Element, Value>
  ) -> LiveAggregate<Double?> {
    liveAverage(property, isInteger: Value.self is any FixedWidthInteger.Type)
  }

  /// The mean of a property's values, kept up to date; `nil` if there are none.
  public func liveAverage<Value: AddableType>(
    of property: KeyPath<Element, Value?>
  ) -> LiveAggregate<Double?> {
    liveAverage(property, isInteger: Value.self is any FixedWidthInteger.Type)
  }

  private func liveAverage(
    _ property: PartialKeyPath<Element>, isInteger: Bool
  ) -> LiveAggregate<Double?> {
    let source = _liveAggregate(.avg, property, isInteger: isInteger)
    return LiveAggregate(source) { [query = source.query] in query.average($0) }
  }

  /// The smallest value of a property, kept up to date; `nil` if there is none.
  public func liveMin<Value: MinMaxType>(of property: KeyPath<Element, Value>) -> LiveAggregate<Value?> {
    LiveAggregate(_liveAggregate(.min, property, isInteger: false)) { Value(sqliteValue: $0.extreme) }
  }

  /// The smallest value of a property, kept up to date; `nil` if there is none.
  public func liveMin<Value: MinMaxType>(of property: KeyPath<Element, Value?>) -> LiveAggregate<Value?> {
    LiveAggregate(_liveAggregate(.min, property, isInteger: false)) { Value(sqliteValue: $0.extreme) }
  }

  /// The greatest value of a property, kept up to date; `nil` if there is none.
  public func liveMax<Value: MinMaxType>(of property: KeyPath<Element, Value>) -> LiveAggregate<Value?> {
    LiveAggregate(_liveAggregate(.max, property, isInteger: false)) { Value(sqliteValue: $0.extreme) }
  }

  /// The greatest value of a property, kept up to date; `nil` if there is none.
  public func liveMax<Value: MinMaxType>(of property: KeyPath<Element, Value?>) -> LiveAggregate<Value?> {
    LiveAggregate(_liveAggregate(.max, property, isInteger: false)) { Value(sqliteValue: $0.extreme) }
  }
}

extension RankedCollection {
  /// An aggregate that is kept up to date.
  ///
  /// - Parameter function: `nil` for the number of elements.
  func liveAggregate(
    _ function: _AggregateFunction?, _ property: AnyKeyPath?, isInteger: Bool
  ) -> _AggregateSource {
    // A collection of its own: its order is not needed, even if that of this one is.
    let own = RankedCollection(store: store, query: query)
    guard let function, let property else { return _AggregateSource(own, .count) }
    let value = query.value(property, "aggregated over")
    return switch function {
    case .min: _AggregateSource(own, .min(value))
    case .max: _AggregateSource(own, .max(value))
    case .sum: _AggregateSource(own, .sum(value, isInteger: isInteger))
    case .avg: _AggregateSource(own, .average(value, isInteger: isInteger))
    }
  }
}
