/// The elements of a collection by section, at the version that the store shows.
///
/// Every element has a section key, and elements with equal keys are in one section. Keys that are texts are
/// equal when their bytes are. Sections are in the order of their first elements in the collection, and
/// elements in a section keep the order of the collection.
///
/// Sectioned results are live: they follow the store from version to version, and inside a write transaction
/// show its writes. ``observe(keyPaths:_:)-([String]?,_)`` reports the changes.
///
/// A key computed by a closure or a computed property must depend only on the values of the element and of
/// the objects that it leads to over at most three links. Other inputs, such as the date of today, are taken
/// into account only when the element changes; create new sectioned results when they have changed.
///
/// - Complexity: When the sections are first read or observed, every element's key is computed once, where
///   the store is used: O(n). From then on a version in which k elements changed computes k keys and costs
///   O(k log n).
public final class SectionedResults<Key: Hashable, SectionElement: Object>: RandomAccessCollection {
  let sections: SectionedCollection
  let keys: SectionKeys<Key>
  /// Creates sections with the same keys of the same elements of another store, if that is possible.
  let remake: (@Sendable (RankedCollection) -> SectionedResults<Key, SectionElement>)?
  /// The source of frozen sections.
  private weak var source: SectionedResults<Key, SectionElement>?

  init(
    _ ranked: RankedCollection, _ keys: SectionKeys<Key>,
    remake: (@Sendable (RankedCollection) -> SectionedResults<Key, SectionElement>)? = nil
  ) {
    self.keys = keys
    self.remake = remake
    sections = SectionedCollection(ranked, numbering: keys)
  }

  private init(freezing source: SectionedResults<Key, SectionElement>) {
    let tree = source.sections.tree
    keys = source.keys.frozen()
    remake = source.remake
    sections = SectionedCollection(frozen: source.sections.ranked.frozen(), numbering: keys, tree: tree)
    self.source = source
  }

  /// The keys of the sections, in their order.
  ///
  /// - Complexity: O(s) for s sections.
  public var allKeys: [Key] {
    var all: [Key] = []
    sections.tree.forEachSection { all.append(keys.key(of: $0)) }
    return all
  }

  /// The first index, zero.
  public var startIndex: Int { 0 }

  /// The number of sections.
  public var endIndex: Int { count }

  /// The number of sections.
  ///
  /// - Complexity: O(1).
  public var count: Int { sections.tree.count }

  /// The section at an index.
  ///
  /// - Complexity: O(log n).
  public subscript(index: Int) -> ResultsSection<Key, SectionElement> {
    let tree = sections.tree
    precondition(index >= 0 && index < tree.count, "There is no section \(index), there are \(tree.count).")
    return ResultsSection(self, keys.key(of: tree.number(at: index)))
  }

  /// The element at an index path.
  ///
  /// - Complexity: O(log n).
  public subscript(path: SectionedChangeSet.IndexPath) -> SectionElement {
    let tree = sections.tree
    precondition(
      path.section >= 0 && path.section < tree.count,
      "There is no section \(path.section), there are \(tree.count).")
    return element(at: path.row, of: tree.number(at: path.section), in: tree)
  }

  /// The first index path of an object, or `nil` if it is in no section.
  ///
  /// - Complexity: O(log n).
  public func indexPath(of object: SectionElement) -> SectionedChangeSet.IndexPath? {
    let tree = sections.tree
    guard let rank = sections.ranked.index(of: object), let ranks = sections.ranked.readableTree,
      case let key = ranks.entry(at: rank), let number = tree.section(of: key),
      let section = tree.index(of: number), let row = tree.row(of: key, in: number)
    else { return nil }
    return SectionedChangeSet.IndexPath(section: section, row: row)
  }

  func element(at row: Int, of number: UInt64, in tree: SectionTree) -> SectionElement {
    let key = tree.withElement(at: row, of: number) { sections.ranked.query.element(of: $0) }
    return store.object(SectionElement.self, listed: key)
  }
}

extension SectionedResults: Freezable {
  /// Whether the sections belong to a frozen store.
  public var isFrozen: Bool { store.isFrozen }

  /// Returns the sections at their present version; see ``Store/freeze()``. Their keys are not computed any
  /// more.
  public func freeze() -> SectionedResults<Key, SectionElement> {
    guard isFrozen else { return SectionedResults(freezing: self) }
    // Sections of a frozen collection: other threads, which may have them from now on, must not compute keys.
    _ = sections.tree
    return self
  }

  /// Returns the live sections that these were frozen from, which may be used where their store is. Live
  /// sections return themselves. `nil` when they or the store were released.
  public func thaw() -> SectionedResults<Key, SectionElement>? {
    guard isFrozen else { return self }
    return store.thaw() == nil ? nil : source
  }
}
