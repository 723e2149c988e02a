import FoundationEssentials

/// Collections made from a list.
extension List {
  /// Those of the elements that match a predicate, in the order of the list.
  ///
  /// - Throws: ``QueryError`` when a part of the predicate has no counterpart in SQL; it names the part.
  public func filter(_ predicate: Predicate<Element>) throws(QueryError) -> Results<Element> {
    try all("filtered").filter(predicate)
  }

  /// The elements ordered by a property; where its values are equal, in the order of the list.
  public func sorted(
    by property: KeyPath<Element, some Persistable>, ascending: Bool = true
  ) -> Results<Element> {
    all("sorted").sorted(by: property, ascending: ascending)
  }

  /// The elements ordered by several properties, the first mattering most; where all are equal, in the order
  /// of the list.
  public func sorted(by descriptors: [SortDescriptor<Element>]) -> Results<Element> {
    all("sorted").sorted(by: descriptors)
  }

  /// Of the elements that have equal values of some properties only the first.
  public func distinct(by keyPaths: [PartialKeyPath<Element>]) -> Results<Element> {
    all("made distinct").distinct(by: keyPaths)
  }

  /// The first elements, so many at most.
  public func limit(_ count: Int) -> Results<Element> {
    all("limited").limit(count)
  }

  private func all(_ what: String) -> Results<Element> {
    Results(requireManaged(what).ranked.derived { _ in })
  }
}
