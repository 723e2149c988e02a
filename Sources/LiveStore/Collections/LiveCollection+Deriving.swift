import FoundationEssentials

/// Collections derived from others: filter and sort first, then make distinct, then limit.
///
/// Each is live and maintained separately. A commit costs it as much as the rows that it touches and that its
/// predicate and its order read, of its own class or of those that links and lists lead to.
extension LiveCollection {
  /// The elements that match a predicate.
  ///
  /// A predicate may use the properties of the objects and of those that they lead to: through links
  /// (`$0.employer?.name == "x"`), lists and linking objects (`$0.dogs.contains { $0.age > 3 }`,
  /// `allSatisfy`, `filter`, `count`, `isEmpty`, `first`, `last`). Only persisted properties can be used, not
  /// computed ones.
  ///
  /// - Throws: ``QueryError`` when a part of the predicate has no counterpart in SQL, which it names, and
  ///   when the results are limited or made distinct: filter before that.
  /// - Complexity: A commit that touches k rows, on which d elements depend, costs O((k + d) log n). All
  ///   elements that lead to a changed object depend on it: beyond some ten thousand of them, and an eighth
  ///   of the results, the whole class is read again.
  public func filter(_ predicate: Predicate<Element>) throws(QueryError) -> Results<Element> {
    try filter(QueryCondition(predicate))
  }

  /// The results for which a condition is true: predicates that have been put together.
  ///
  /// - Throws: ``QueryError``, as `filter(_:)` with a predicate does.
  public func filter(_ condition: QueryCondition<Element>) throws(QueryError) -> Results<Element> {
    Results(
      try _elements("filtered").ranked.derived { query throws(QueryError) in try query.filter(condition) })
  }

  /// The first of the results for which a predicate is true; `nil` if there is none.
  ///
  /// - Throws: ``QueryError``, as `filter(_:)` does.
  /// - Complexity: SQLite searches for it: O(log n) with an index that fits predicate and order.
  public func first(where predicate: Predicate<Element>) throws(QueryError) -> Element? {
    try filter(predicate).first
  }

  /// The results with a text, their own or of an object that they link to, that matches.
  ///
  /// - Throws: ``QueryError`` when the results are limited or made distinct: filter before that.
  /// - Complexity: As of `filter(_:)` with a predicate.
  public func filter(
    _ property: KeyPath<Element, String>, _ match: StringMatch
  ) throws(QueryError) -> Results<Element> {
    try filter(property as AnyKeyPath, match)
  }

  /// The results with a text, their own or of an object that they link to, that is not nil and matches.
  ///
  /// - Throws: ``QueryError`` when the results are limited or made distinct: filter before that.
  public func filter(
    _ property: KeyPath<Element, String?>, _ match: StringMatch
  ) throws(QueryError) -> Results<Element> {
    try filter(property as AnyKeyPath, match)
  }

  private func filter(
    _ property: AnyKeyPath, _ match: StringMatch
  ) throws(QueryError) -> Results<Element> {
    Results(
      try _elements("filtered").ranked.derived { query throws(QueryError) in try query.filter(property, match)
      })
  }

  /// The results ordered by a property; those with equal values keep their former order.
  ///
  /// - Parameters:
  ///   - property: A property of the object, or one through links: `\.employer?.name`. A missing value is
  ///     smaller than any other. Enums are in the order of their raw values, also where they are `Comparable`
  ///     and a predicate compares them by the order of Swift.
  ///   - ascending: Whether the smallest value comes first.
  /// - Complexity: As of `filter(_:)` with a predicate.
  public func sorted(
    by property: KeyPath<Element, some Persistable>, ascending: Bool = true
  ) -> Results<Element> {
    sorted(by: [SortProperty(property, ascending: ascending)])
  }

  /// The results ordered by several properties, the first being the most significant; those equal in all keep
  /// their former order.
  ///
  /// Sorting results that are limited or made distinct stops the program.
  public func sorted(by properties: [SortProperty<Element>]) -> Results<Element> {
    Results(
      _elements("sorted").ranked.derived { $0.sort(by: properties.map { ($0.keyPath, $0.isAscending) }) })
  }

  /// The first of the results with each combination of values of some properties, in their present order.
  ///
  /// When another object becomes the first with its values, the former first one is deleted and the other
  /// inserted. Results can be made distinct once, and not after they were limited: that stops the program.
  ///
  /// - Parameter keyPaths: Persisted properties of the object, or of those that links lead to.
  /// - Complexity: O(log n) for each row that a commit touches. All members are kept in memory twice,
  ///   including those that are no elements.
  public func distinct(by keyPaths: [PartialKeyPath<Element>]) -> Results<Element> {
    Results(_elements("made distinct").ranked.derived { $0.makeDistinct(by: keyPaths) })
  }

  /// The first of the results, at most `count`.
  ///
  /// An element that others push out is deleted, one that is pulled in is inserted; changes beyond the limit
  /// are not reported.
  ///
  /// - Parameters:
  ///   - count: The greatest number of results.
  ///   - start: The number of results to leave out before the first: for pages of 20, 0, 20, 40.
  /// - Complexity: O(log n) for each row that a commit touches, within the limit or beyond. Once the results
  ///   are observed, or more than the first elements are read, the order of all members is kept in memory.
  public func limit(_ count: Int, from start: Int = 0) -> Results<Element> {
    Results(_elements("limited").ranked.derived { $0.limit(to: count, from: start) })
  }
}

extension Results {
  /// An array of the elements for which a closure is true at the moment.
  ///
  /// Deprecated, because it looks like the filter with a predicate, and neither follows the file nor lets
  /// SQLite search: it reads every element. Where an array is meant, `Array(elements).filter { … }` says so.
  @available(
    *, deprecated,
    message:
      "an array that never changes; write filter(#Predicate { … }) for live results, or Array(…).filter"
  )
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> [Element] {
    try Array(self).filter(isIncluded)
  }
}
