import FoundationEssentials

/// A type of property over whose smallest and greatest value is aggregated: a ``MinMaxType``, or an optional
/// one.
public protocol MinMaxProperty: SendableMetatype {
  /// The type of the values that are not NULL.
  associatedtype Extreme: MinMaxType
}

/// A type that has a smallest and a greatest value: a number or a Date.
public protocol MinMaxType: MinMaxProperty, PersistableValue, Comparable where Extreme == Self {}

/// A type of property over whose sum and average is aggregated: an ``AddableType``, or an optional one.
public protocol AddableProperty: SendableMetatype {
  /// The type of the values that are not NULL.
  associatedtype Sum: AddableType
}

/// A type that can be summed: Int, Int64, Double or Float. The sum of smaller integers may be none of their
/// type.
public protocol AddableType: AddableProperty, PersistableValue, AdditiveArithmetic where Sum == Self {}

extension Optional: MinMaxProperty where Wrapped: MinMaxType { public typealias Extreme = Wrapped }
extension Optional: AddableProperty where Wrapped: AddableType { public typealias Sum = Wrapped }

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
  public func min<Value: MinMaxProperty>(
    of property: KeyPath<Element, Value>
  ) -> Value.Extreme? {
    extreme { .min($0.aggregated(property)) }
  }

  /// The greatest value of a property, or `nil` if there is none.
  public func max<Value: MinMaxProperty>(
    of property: KeyPath<Element, Value>
  ) -> Value.Extreme? {
    extreme { .max($0.aggregated(property)) }
  }

  private func extreme<Value: MinMaxType>(
    _ function: (CollectionQuery) -> AggregateQuery.Function
  ) -> Value? {
    Value(sqliteValue: _elements("aggregated over").ranked.tally(function).tally.extreme)
  }

  /// The sum of a property's values; zero if there are none.
  ///
  /// A sum of integers beyond the greatest or the least `Int` is that number: other programs may have written
  /// any numbers, and no sum of them stops the program. A sum of `Double`s may differ in its last digits with
  /// the order of the elements.
  public func sum<Value: AddableProperty>(of property: KeyPath<Element, Value>) -> Value.Sum {
    let (query, tally) = _elements("aggregated over").ranked.tally {
      .sum($0.aggregated(property), isInteger: Value.holdsIntegers)
    }
    return Value.Sum(sqliteValue: query.sum(tally)) ?? .zero
  }

  /// The mean of a property's values, or `nil` if there are none. It is calculated as a `Double`, and cannot
  /// overflow.
  public func average<Value: AddableProperty>(of property: KeyPath<Element, Value>) -> Double? {
    let (query, tally) = _elements("aggregated over").ranked.tally {
      .average($0.aggregated(property), isInteger: Value.holdsIntegers)
    }
    return query.average(tally)
  }
}

extension AddableProperty {
  static var holdsIntegers: Bool { Sum.self is any FixedWidthInteger.Type }
}
