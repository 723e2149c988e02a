/// A section of ``SectionedResults``: the elements with one key, in their order, at the version that the
/// store shows.
///
/// A section is identified by its key. After its last element was removed it is empty and ``isInvalidated``;
/// when an element with its key is added it is valid again.
public final class ResultsSection<Key: Hashable, SectionElement: Object>: RandomAccessCollection {
  /// The key that the elements have in common.
  public let key: Key

  let results: SectionedResults<Key, SectionElement>

  init(_ results: SectionedResults<Key, SectionElement>, _ key: Key) {
    self.results = results
    self.key = key
  }

  /// Whether the section does not exist at present.
  public var isInvalidated: Bool { isEmpty }

  /// The first index, zero.
  public var startIndex: Int { 0 }

  /// The number of elements.
  public var endIndex: Int { count }

  /// The number of elements; zero while the section is invalid.
  ///
  /// - Complexity: O(log n).
  public var count: Int {
    let tree = results.sections.tree
    return results.keys.number(of: key).map { tree.count(of: $0) } ?? 0
  }

  /// The element at an index.
  ///
  /// - Complexity: O(log n).
  public subscript(index: Int) -> SectionElement {
    let tree = results.sections.tree
    guard let number = results.keys.number(of: key) else {
      preconditionFailure("The section has no element \(index), there is no section with its key.")
    }
    return results.element(at: index, of: number, in: tree)
  }
}

extension ResultsSection: Identifiable {
  /// The key.
  public var id: Key { key }
}
