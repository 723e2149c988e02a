import FoundationEssentials

/// Collections derived from a list.
extension List {
  /// The elements that match a predicate, in the order of the list.
  ///
  /// - Throws: ``QueryError`` when a part of the predicate has no counterpart in SQL; the error names the
  ///   part.
  public func filter(_ predicate: Predicate<Element>) throws(QueryError) -> Results<Element> {
    try all("filtered").filter(predicate)
  }

  /// The elements for which a condition is true, in the order of the list.
  public func filter(_ condition: QueryCondition<Element>) throws(QueryError) -> Results<Element> {
    try all("filtered").filter(condition)
  }

  /// The elements ordered by a property; those with equal values keep the order of the list.
  public func sorted(
    by property: KeyPath<Element, some Persistable>, ascending: Bool = true
  ) -> Results<Element> {
    all("sorted").sorted(by: property, ascending: ascending)
  }

  /// The elements ordered by several properties, the first being the most significant; those equal in all
  /// keep the order of the list.
  public func sorted(by properties: [SortProperty<Element>]) -> Results<Element> {
    all("sorted").sorted(by: properties)
  }

  /// The first of the elements with each combination of values of some properties.
  public func distinct(by keyPaths: [PartialKeyPath<Element>]) -> Results<Element> {
    all("made distinct").distinct(by: keyPaths)
  }

  /// The first elements, at most `count`, after the first `start`.
  public func limit(_ count: Int, from start: Int = 0) -> Results<Element> {
    all("limited").limit(count, from: start)
  }

  private func all(_ what: String) -> Results<Element> {
    Results(requireManaged(what).ranked.derived { _ in })
  }
}
