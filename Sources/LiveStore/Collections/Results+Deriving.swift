import FoundationEssentials

/// Collections made from others: filter and sort first, then make distinct, then limit.
///
/// Each is live and maintained by itself: a commit costs it as much as it touches rows that its predicate and
/// its order read, of its own class or of those that links and lists lead to.
extension Results {
  /// Those of the results that match a predicate.
  ///
  /// A predicate may use the properties of the objects and of those that they lead to: through links
  /// (`$0.employer?.name == "x"`), lists and linking objects (`$0.dogs.contains { $0.age > 3 }`,
  /// `allSatisfy`, `filter`, `count`, `isEmpty`, `first`, `last`). What a property computes is not asked:
  /// only persisted ones have a meaning.
  ///
  /// - Throws: ``QueryError`` when a part of the predicate has no counterpart in SQL, which it names, and
  ///   when the results are limited or made distinct: filter before that.
  /// - Complexity: A commit that touches k rows, on which d elements depend, costs O((k + d) log n). An
  ///   object that very many elements lead to has as many dependants: past some ten thousand of them, and an
  ///   eighth of the results, the whole class is read again.
  public func filter(_ predicate: Predicate<Element>) throws(QueryError) -> Results<Element> {
    Results(try ranked.derived { query throws(QueryError) in try query.filter(predicate) })
  }

  /// Those of the results of which a text, their own or of an object that they link to, is as told.
  ///
  /// - Throws: ``QueryError`` when the results are limited or made distinct: filter before that.
  /// - Complexity: As for ``filter(_:)``.
  public func filter(
    _ property: KeyPath<Element, String>, _ match: StringMatch
  ) throws(QueryError) -> Results<Element> {
    try filter(property as AnyKeyPath, match)
  }

  /// Those of the results of which a text, their own or of an object that they link to, is there and as told.
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
    Results(try ranked.derived { query throws(QueryError) in try query.filter(property, match) })
  }

  /// The results ordered by a property; where its values are equal, as they were ordered before.
  ///
  /// - Parameters:
  ///   - property: Of the object, or through links: `\.employer?.name`. A missing value is smaller than any.
  ///   - ascending: Whether the smallest value comes first.
  /// - Complexity: As for ``filter(_:)``.
  public func sorted(
    by property: KeyPath<Element, some Persistable>, ascending: Bool = true
  ) -> Results<Element> {
    sorted(by: [SortDescriptor(property, ascending: ascending)])
  }

  /// The results ordered by several properties, the first mattering most; where all are equal, as they were
  /// ordered before.
  ///
  /// Results that are limited or made distinct cannot be sorted any more: that stops the program.
  public func sorted(by descriptors: [SortDescriptor<Element>]) -> Results<Element> {
    Results(ranked.derived { $0.sort(by: descriptors.map { ($0.keyPath, $0.isAscending) }) })
  }

  /// Of the results that have equal values of some properties only the first, in the order that they have.
  ///
  /// When another object becomes the first of its kind, the one is deleted and the other inserted. Results
  /// can be made distinct once, and not after they were limited: that stops the program.
  ///
  /// - Parameter keyPaths: Persisted properties of the object, or of those that links lead to.
  /// - Complexity: O(log n) for each row that a commit touches. All members are kept in memory twice, also
  ///   those that are no elements.
  public func distinct(by keyPaths: [PartialKeyPath<Element>]) -> Results<Element> {
    Results(ranked.derived { $0.makeDistinct(by: keyPaths) })
  }

  /// The first of the results, so many at most.
  ///
  /// An element that others push out is deleted, one that is pulled in is inserted; what happens beyond the
  /// limit is not told.
  ///
  /// - Complexity: O(log n) for each row that a commit touches, within the limit or beyond. Once it is
  ///   observed, or asked for more than its first elements, the order of all members is kept in memory.
  public func limit(_ count: Int) -> Results<Element> {
    Results(ranked.derived { $0.limit(to: count) })
  }
}
