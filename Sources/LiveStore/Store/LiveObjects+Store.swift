// The way back from what lives in a store to the store itself.

extension ObjectMembers where Self: Object {
  /// The store that the object belongs to, or `nil` while it belongs to none.
  public var store: Store? { _row?.store }
}

extension Results {
  /// The store that the objects belong to.
  public var store: Store { ranked.store }
}

extension List {
  /// The store that the list belongs to, or `nil`.
  public var store: Store? { ranked?.store }
}

extension LinkingObjects {
  /// The store that the objects belong to, or `nil`.
  public var store: Store? { results?.store }
}

extension SectionedResults {
  /// The store that the elements belong to.
  public var store: Store { sections.ranked.store }
}

extension ResultsSection {
  /// The store that the elements belong to.
  public var store: Store { results.store }
}
