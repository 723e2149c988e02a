/// A collection in sections that is kept up to date.
///
/// Section keys are computed where the store is used: for all elements when the sections are first read or
/// observed, and once in each version for those that were inserted, changed, or lead to a changed object.
/// Used by the instance only.
final class SectionedCollection {
  let ranked: RankedCollection
  private let numbering: any SectionNumbering
  /// The sections at the version that the store shows, including the writes of the open transaction; `nil` if
  /// they have not been needed. While they exist, the collection's order is known too.
  private(set) var current: SectionTree?
  /// The last known sections, until they are computed again: where they cannot be read, an index of theirs
  /// still leads to an element.
  private var forgotten: SectionTree?
  /// The sections when the open write transaction began, once the transaction has changed them.
  private var beforeWrite: SectionTree??
  /// The number of keys at which those are removed that no version uses.
  private var keyLimit = SectionedCollection.leastKeyLimit

  private static let leastKeyLimit = 64

  init(_ ranked: RankedCollection, numbering: any SectionNumbering) {
    self.ranked = ranked
    self.numbering = numbering
    ranked.store.add(self)
  }

  /// Sections of a frozen collection, which never change.
  init(frozen ranked: RankedCollection, numbering: any SectionNumbering, tree: SectionTree) {
    self.ranked = ranked
    self.numbering = numbering
    current = tree
  }

  deinit {
    ranked.store.removeSections(ObjectIdentifier(self))
  }

  /// The sections, including the writes of the open transaction.
  var tree: SectionTree {
    ranked.noteRead()
    return ranked.store.exclusively { currentTree() }
  }

  private func currentTree() -> SectionTree {
    let store = ranked.store
    store.requireOpen()
    let elements = ranked.readableTree
    if let current { return current }
    guard let elements else { return forgotten ?? SectionTree() }
    let failedReads = store.failedReads
    let tree = sections(of: elements)
    // Keys may have been computed from substitutes for values that could not be read.
    if let forgotten, store.failedReads != failedReads || store.writeFailure != nil { return forgotten }
    current = tree
    forgotten = nil
    // The sections read here become invalid if the open write is cancelled.
    if store.isInWriteTransaction { beforeWrite = .some(nil) }
    return tree
  }

  private func sections(of elements: CollectionTree) -> SectionTree {
    SectionTree(
      elements.ranks, from: elements.start, count: elements.count, section: numbering.number(ofElement:))
  }

  /// The sections at the version that the store shows, without the writes of the open transaction.
  var committed: SectionTree? { beforeWrite ?? current }

  /// Puts all elements into sections, unless they are. The collection's order is known.
  func fill() {
    guard current == nil, let elements = ranked.live.tree else { return }
    current = sections(of: elements)
    forgotten = nil
  }

  /// Does the same for an order that the open transaction has changed already.
  func fillInWrite() {
    guard current == nil else { return }
    fill()
    beforeWrite = .some(nil)
  }

  /// Discards the sections, which are computed again when they are next needed.
  func reset() {
    forgotten = current ?? forgotten
    current = nil
  }

  /// Advances the sections to a version, or to the writes of the open transaction.
  ///
  /// - Parameter members: The changed members; `nil` if they are unknown.
  /// - Complexity: O(k log n) for k changed members.
  func advance(by members: [MemberChange]?) {
    guard let members else { return reset() }
    guard var tree = current else { return }
    // Trees with two references would be copied on their first change.
    current = nil
    var removed: [RankKey] = []
    var inserted: [(key: RankKey, section: UInt64)] = []
    for member in members {
      let oldSection = member.oldKey.flatMap { tree.section(of: $0) }
      let newSection = member.newKey.map { $0.withUnsafeBytes { numbering.number(ofElement: $0) } }
      if oldSection == newSection, member.oldKey == member.newKey { continue }
      if oldSection != nil, let oldKey = member.oldKey { removed.append(oldKey) }
      if let newSection, let newKey = member.newKey { inserted.append((newKey, newSection)) }
    }
    tree.update(removing: removed, inserting: inserted)
    current = tree
  }

  /// Does the same inside a write transaction.
  func collect(_ members: [MemberChange]?) {
    guard let current, members?.isEmpty != true else { return }
    if beforeWrite == nil { beforeWrite = .some(current) }
    advance(by: members)
  }

  func didCommit() {
    beforeWrite = nil
  }

  func didCancel() {
    guard let tree = beforeWrite else { return }
    current = tree
    beforeWrite = nil
  }

  /// Whether unused keys should be removed.
  var hasManyKeys: Bool { numbering.count > keyLimit }

  /// Removes the keys of sections that are in none of the versions in use.
  ///
  /// - Parameter known: The sections at the bases of the callbacks.
  /// - Complexity: O(s) for s sections, once in as many new ones.
  func removeUnusedKeys(known: [SectionTree]) {
    var used: Set<UInt64> = []
    for tree in known + [current, committed, forgotten].compactMap({ $0 }) {
      tree.forEachSection { used.insert($0) }
    }
    numbering.removeAll(except: used)
    keyLimit = max(Self.leastKeyLimit, numbering.count * 2)
  }
}
