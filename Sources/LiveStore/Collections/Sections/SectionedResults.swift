/// The elements of a collection by section, at the version that the store shows.
///
/// Every element has a section key; those with equal keys make a section. Keys that are texts are equal when
/// their bytes are. Sections stand in the order in which their first elements stand in the collection, and
/// elements in a section in the order that they have there.
///
/// Sectioned results are live: they follow the store from version to version, and inside a write transaction
/// show what it has written. ``observe(_:)`` tells how they change.
///
/// A key that a closure or a computed property makes must follow from the values of the element, and of what
/// it leads to over at most three links, alone. What else it depends on, such as the date of today, is looked
/// at when the element changes and not before; make new sectioned results when that has changed.
///
/// - Complexity: When the sections are first read or observed, every element's key is asked for once, where
///   the store is used: O(n). From then on a version in which k elements changed asks for k keys and costs
///   O(k log n).
public final class SectionedResults<Key: Hashable, SectionElement: Object>: RandomAccessCollection {
  let sections: SectionedCollection
  let keys: SectionKeys<Key>
  /// Makes sections by the same keys of the same elements of another store, if that is possible.
  let remake: (@Sendable (RankedCollection) -> SectionedResults<Key, SectionElement>)?
  /// What these were frozen from, if they are frozen.
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

  /// The element at a place.
  ///
  /// - Complexity: O(log n).
  public subscript(path: SectionedChangeSet.IndexPath) -> SectionElement {
    let tree = sections.tree
    precondition(
      path.section >= 0 && path.section < tree.count,
      "There is no section \(path.section), there are \(tree.count).")
    return element(at: path.row, of: tree.number(at: path.section), in: tree)
  }

  /// Where an object first stands, or `nil` if it is in no section.
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
    return unsafeDowncast(store.object(SectionElement.self, listed: key), to: SectionElement.self)
  }
}

extension SectionedResults: Freezable {
  /// Whether the sections stay as they are.
  public var isFrozen: Bool { store.isFrozen }

  /// The same sections as they are now; see ``Store/freeze()``. What makes their keys is not called any more.
  public func freeze() -> SectionedResults<Key, SectionElement> {
    isFrozen ? self : SectionedResults(freezing: self)
  }

  /// The live sections that these were frozen from, to be used where their store is; themselves if they are
  /// live. `nil` when they or the store are gone.
  public func thaw() -> SectionedResults<Key, SectionElement>? {
    guard isFrozen else { return self }
    return store.thaw() == nil ? nil : source
  }
}
