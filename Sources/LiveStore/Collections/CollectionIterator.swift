/// An iterator over the elements that a collection has when the iteration begins, in the order that they have
/// then. The loop may change them, and so the collection, or begin a write that shows the changes of others.
///
/// Elements that were deleted before the loop reaches them are left out.
///
/// - Complexity: O(1) for each element. The order is read as far as the loop goes, and completely when the
///   store changes before the loop ends.
public struct CollectionIterator<Element: Object>: IteratorProtocol {
  private enum Source {
    case elements(IndexingIterator<[Element]>)
    case iteration(Iteration)
  }

  private var source: Source

  /// The elements of a list that belongs to no store.
  init(_ elements: [Element]) {
    source = .elements(elements.makeIterator())
  }

  init(_ ranked: RankedCollection) {
    source = .iteration(Iteration(ranked))
  }

  init(_ ranked: RankedCollection, section number: UInt64, of tree: SectionTree) {
    source = .iteration(Iteration(ranked, section: number, of: tree))
  }

  /// The next element, or `nil` when there is none.
  public mutating func next() -> Element? {
    switch source {
    case .elements(var elements):
      defer { source = .elements(elements) }
      return elements.next()
    case .iteration(let iteration):
      return iteration.nextRow().map { unsafeDowncast($0.object(), to: Element.self) }
    }
  }
}

/// An iteration of a collection in a store.
final class Iteration {
  private enum Order {
    /// Only the first elements have been read, and the store has not changed since.
    case head
    case whole(CollectionTree)
    case section(SectionTree, number: UInt64)
  }

  private let ranked: RankedCollection
  private let elements: Table
  private let beginning: StoreState
  private var order: Order
  /// The primary keys of the elements read ahead, and the index of the next one among them. Only one loop
  /// uses these, so that access to them is not checked on each turn.
  @exclusivity(unchecked) private var keys: [SQLiteValue] = []
  @exclusivity(unchecked) private var place = 0
  private var readCount = 0
  /// The index of the row returned last, among the elements of the beginning.
  var index: Int { readCount - keys.count + place - 1 }
  /// The values of the rows of `keys`, and the state of the store when they were read ahead.
  @exclusivity(unchecked) private var ahead: (state: StoreState, images: [RowImage?])?
  /// The row returned last, if its values had not been read then.
  @exclusivity(unchecked) private var unread: _ManagedRow?
  /// The number of rows of the first batch whose values the loop has read itself; `nil` after that batch.
  private var readByLoop: Int? = 0
  /// Whether the loop reads most rows, so that reading them together costs less.
  private var isReadingAhead = false

  private static let batch = 64

  init(_ ranked: RankedCollection) {
    let store = ranked.store
    self.ranked = ranked
    elements = ranked.query.elements
    ranked.noteRead()
    beginning = store.state
    order = .head
    // In a write the next statement may change the order.
    if store.isInWriteTransaction || store.exclusively({ ranked.live.tree != nil }) {
      order = .whole(ranked.tree)
    } else {
      store.add(self)
    }
  }

  init(_ ranked: RankedCollection, section number: UInt64, of tree: SectionTree) {
    self.ranked = ranked
    elements = ranked.query.elements
    beginning = ranked.store.state
    order = .section(tree, number: number)
  }

  /// Reads the whole order before it changes.
  func readWhole() {
    if case .head = order { order = .whole(ranked.tree) }
  }

  /// The row of the next element that was not deleted, or `nil` at the end.
  func nextRow() -> _ManagedRow? {
    let store = ranked.store
    if let row = unread.take(), row.hasValues { readByLoop? += 1 }
    while true {
      if place == keys.count { readBatch() }
      guard place < keys.count else { return nil }
      let row = store.row(elements, keys[place])
      place += 1
      let state = store.state
      if !row.hasValues {
        if let ahead, ahead.state == state, let values = ahead.images[place - 1] {
          row.adopt(values)
        } else if readByLoop != nil {
          unread = row
        }
      }
      if state == beginning {
        row.setListed()
        return row
      }
      if !row.isDeleted { return row }
    }
  }

  private func readBatch() {
    if let readByLoop, readCount > 0 {
      isReadingAhead = readByLoop * 2 > keys.count
      self.readByLoop = nil
    }
    readKeys()
    readAhead()
  }

  /// Reads the values of the rows of `keys` if that can be done in one pass through the table.
  private func readAhead() {
    ahead = nil
    let store = ranked.store
    guard isReadingAhead, !store.isFrozen, keys.count > 1 else { return }
    let ordered = keys.map { OrderedKey($0) }
    guard zip(ordered, ordered.dropFirst()).allSatisfy({ $0 < $1 }) else {
      // One by one they are found as fast.
      isReadingAhead = false
      return
    }
    do throws(StoreError) {
      try store.requireReadable()
      let state = store.state
      var cursor = try store.reader.cursor(elements)
      var images: [RowImage?] = []
      images.reserveCapacity(ordered.count)
      let columns = 0..<elements.columns.count
      for key in ordered {
        guard try cursor.find(key) else {
          images.append(nil)
          continue
        }
        images.append(cursor.row.withLock { cursor.row.values(columns) })
      }
      ahead = (state, images)
    } catch {
      // The loop may never need the row that cannot be read.
      isReadingAhead = false
    }
  }

  private func readKeys() {
    keys.removeAll(keepingCapacity: true)
    place = 0
    if case .head = order {
      if let head = ranked.headKeys(from: readCount) {
        keys = head
        readCount += head.count
        return
      }
      readWhole()
    }
    switch order {
    case .head: break
    case .whole(let tree):
      let query = ranked.query
      var keys = keys
      self.keys = []
      tree.forEachEntry(from: readCount) { entry in
        keys.append(query.element(of: entry))
        return keys.count < Self.batch
      }
      self.keys = keys
    case .section(let tree, let number):
      let count = tree.count(of: number)
      while readCount + keys.count < count, keys.count < Self.batch {
        keys.append(tree.withElement(at: readCount + keys.count, of: number) { ranked.query.element(of: $0) })
      }
    }
    readCount += keys.count
  }
}

extension Results {
  /// An iterator over the elements that the results have now; see ``CollectionIterator``.
  public func makeIterator() -> CollectionIterator<Element> { CollectionIterator(ranked) }
}

extension ResultsSection {
  /// An iterator over the elements that the section has now; see ``CollectionIterator``.
  public func makeIterator() -> CollectionIterator<SectionElement> {
    let tree = results.sections.tree
    guard let number = results.keys.number(of: key) else { return CollectionIterator([]) }
    return CollectionIterator(results.sections.ranked, section: number, of: tree)
  }
}

extension SectionedResults {
  /// An iterator over the present sections. A section that was removed before the loop reaches it is empty.
  ///
  /// - Complexity: O(s) for s sections.
  public func makeIterator() -> IndexingIterator<[ResultsSection<Key, SectionElement>]> {
    allKeys.map { ResultsSection(self, $0) }.makeIterator()
  }
}
