import FoundationEssentials

/// A property type that has a smallest and a greatest value: a number or a Date.
public protocol MinMaxType: PersistableValue, Comparable, SendableMetatype {}

/// A property type that can be summed: Int, Int64, Double or Float. The sum of smaller integers may be none
/// of their type.
public protocol AddableType: PersistableValue, AdditiveArithmetic, SendableMetatype {}

extension Int: MinMaxType, AddableType {}
extension Double: MinMaxType, AddableType {}
extension Date: MinMaxType {}
extension Int64: MinMaxType, AddableType {}
extension Float: MinMaxType, AddableType {}
extension Int8: MinMaxType {}
extension Int16: MinMaxType {}
extension Int32: MinMaxType {}
extension UInt8: MinMaxType {}
extension UInt16: MinMaxType {}
extension UInt32: MinMaxType {}
extension Decimal: MinMaxType {}

/// Aggregates over all elements of a collection, at the version that its store shows. Elements without a
/// value do not count.
///
/// SQLite calculates them: O(n) each time, or O(log n) for the smallest and greatest of all objects of a
/// class by an indexed property; O(n log n) for results that are limited or made distinct. They are not kept
/// up to date: read them again after a change, of which Swift's Observation notifies those who read them in
/// `withObservationTracking`, or use a ``LiveAggregate``, such as ``liveCount()``.
extension LiveCollection {
  /// The smallest value of a property, or `nil` if there is none.
  public func min<Value: MinMaxType>(of property: KeyPath<Element, Value>) -> Value? {
    extreme { .min($0.aggregated(property)) }
  }

  /// The smallest value of a property, or `nil` if there is none.
  public func min<Value: MinMaxType>(of property: KeyPath<Element, Value?>) -> Value? {
    extreme { .min($0.aggregated(property)) }
  }

  /// The greatest value of a property, or `nil` if there is none.
  public func max<Value: MinMaxType>(of property: KeyPath<Element, Value>) -> Value? {
    extreme { .max($0.aggregated(property)) }
  }

  /// The greatest value of a property, or `nil` if there is none.
  public func max<Value: MinMaxType>(of property: KeyPath<Element, Value?>) -> Value? {
    extreme { .max($0.aggregated(property)) }
  }

  /// The sum of a property's values; zero if there are none.
  ///
  /// A sum of integers beyond the greatest or the least `Int` is that number: other programs may have written
  /// any numbers, and no sum of them stops the program. A sum of `Double`s may differ in its last digits with
  /// the order of the elements.
  public func sum<Value: AddableType>(of property: KeyPath<Element, Value>) -> Value {
    sum(property)
  }

  /// The sum of a property's values; zero if there are none.
  public func sum<Value: AddableType>(of property: KeyPath<Element, Value?>) -> Value {
    sum(property)
  }

  /// The mean of a property's values, or `nil` if there are none. It is calculated as a `Double`, and cannot
  /// overflow.
  public func average<Value: AddableType>(of property: KeyPath<Element, Value>) -> Double? {
    average(property, isInteger: Value.self is any FixedWidthInteger.Type)
  }

  /// The mean of a property's values, or `nil` if there are none.
  public func average<Value: AddableType>(of property: KeyPath<Element, Value?>) -> Double? {
    average(property, isInteger: Value.self is any FixedWidthInteger.Type)
  }

  private func extreme<Value: MinMaxType>(
    _ function: (CollectionQuery) -> AggregateQuery.Function
  ) -> Value? {
    Value(sqliteValue: _elements("aggregated over").ranked.tally(function).tally.extreme)
  }

  private func sum<Value: AddableType>(_ property: PartialKeyPath<Element>) -> Value {
    let isInteger = Value.self is any FixedWidthInteger.Type
    let (query, tally) = _elements("aggregated over").ranked.tally {
      .sum($0.aggregated(property), isInteger: isInteger)
    }
    return Value(sqliteValue: query.sum(tally)) ?? .zero
  }

  private func average(_ property: PartialKeyPath<Element>, isInteger: Bool) -> Double? {
    let (query, tally) = _elements("aggregated over").ranked.tally {
      .average($0.aggregated(property), isInteger: isInteger)
    }
    return query.average(tally)
  }
}
