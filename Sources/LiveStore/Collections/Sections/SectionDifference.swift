/// Two versions of the sections of a collection, and the members touched between them.
struct SectionDifference {
  typealias IndexPath = SectionedChangeSet.IndexPath

  let old: SectionTree
  let new: SectionTree
  /// All elements that differ between the two, including all that are in another section. It may contain
  /// others.
  let members: [MemberChange]

  /// - Complexity: O(k log n) for k touched elements; in addition O(m) for sections of m rows that are new or
  ///   changed places.
  func changeSet() -> SectionedChangeSet {
    let touched = touchedRows()
    var sections = ChangeSetBuilder()
    var kept: [(old: Int, new: Int, rows: ChangeSetBuilder)] = []
    for (number, rows) in touched.rows {
      let oldIndex = old.index(of: number)
      let newIndex = new.index(of: number)
      if let oldIndex, let newIndex { kept.append((oldIndex, newIndex, rows)) }
      // Sections with the same first element have kept their order.
      if oldIndex != nil || newIndex != nil, old.first(of: number) != new.first(of: number) {
        sections.append(
          TouchedRow(oldRank: oldIndex, newRank: newIndex, keyChanged: true, isModified: false))
      }
    }
    let order = sections.build()
    var changes = SectionedChangeSet(sectionsToDelete: order.deletions, sectionsToInsert: order.insertions)
    let deleted = Set(order.deletions)
    for (oldIndex, newIndex, rows) in kept where !deleted.contains(oldIndex) {
      changes.append(rows.build(), oldSection: oldIndex, newSection: newIndex)
    }
    for section in order.insertions { changes.append(allOf: section, new.count(of: new.number(at: section))) }
    for crossing in touched.crossings {
      guard let section = old.index(of: crossing.from.number), !deleted.contains(section),
        let target = new.index(of: crossing.to.number)
      else { continue }
      changes.moves.append(
        SectionedChangeSet.RowMove(
          from: IndexPath(section: section, row: crossing.from.row),
          to: IndexPath(section: target, row: crossing.to.row), isModified: crossing.isModified))
    }
    changes.sort()
    return changes
  }

  /// The change set of one section: it may appear and disappear, but its place among the others does not
  /// matter.
  ///
  /// - Complexity: O(k log n) for k touched elements; in addition O(m) when it appears with m rows.
  func changeSet(ofSection number: UInt64) -> SectionedChangeSet {
    var changes = SectionedChangeSet()
    switch (old.index(of: number), new.index(of: number)) {
    case (nil, nil): break
    case (let section?, nil): changes.sectionsToDelete = [section]
    case (nil, let section?):
      changes.sectionsToInsert = [section]
      changes.append(allOf: section, new.count(of: number))
    case (let oldSection?, let newSection?):
      if let rows = touchedRows().rows[number] {
        changes.append(rows.build(), oldSection: oldSection, newSection: newSection)
      }
    }
    return changes
  }

  private struct RowInSection {
    let number: UInt64
    let row: Int
  }

  private struct Crossing {
    let from: RowInSection
    let to: RowInSection
    let isModified: Bool
  }

  /// The touched rows of each section, and those that moved from one to another.
  private func touchedRows() -> (rows: [UInt64: ChangeSetBuilder], crossings: [Crossing]) {
    func place(_ key: RankKey?, _ tree: SectionTree) -> RowInSection? {
      guard let key, let number = tree.section(of: key), let row = tree.row(of: key, in: number) else {
        return nil
      }
      return RowInSection(number: number, row: row)
    }
    var rows: [UInt64: ChangeSetBuilder] = [:]
    var crossings: [Crossing] = []
    func touch(_ number: UInt64, old: RowInSection?, new: RowInSection?, _ member: MemberChange) {
      rows[number, default: ChangeSetBuilder()].append(
        TouchedRow(
          oldRank: old?.row, newRank: new?.row, keyChanged: member.oldKey != member.newKey,
          isModified: member.isModified))
    }
    for member in members {
      let from = place(member.oldKey, old)
      let to = place(member.newKey, new)
      if let from, let to, from.number == to.number {
        touch(from.number, old: from, new: to, member)
        continue
      }
      if let from { touch(from.number, old: from, new: nil, member) }
      if let to { touch(to.number, old: nil, new: to, member) }
      if let from, let to { crossings.append(Crossing(from: from, to: to, isModified: member.isModified)) }
    }
    return (rows, crossings)
  }
}

extension SectionedChangeSet {
  /// Adds the changes of a section that stays.
  fileprivate mutating func append(_ changes: ChangeSet, oldSection: Int, newSection: Int) {
    func old(_ row: Int) -> IndexPath { IndexPath(section: oldSection, row: row) }
    func new(_ row: Int) -> IndexPath { IndexPath(section: newSection, row: row) }
    deletions += changes.deletions.map(old)
    insertions += changes.insertions.map(new)
    modifications += changes.modifications.map(old)
    modificationsInNew += changes.modificationsInNew.map(new)
    moves += changes.moves.map { RowMove(from: old($0.from), to: new($0.to), isModified: $0.isModified) }
  }

  /// Adds the rows of a new section.
  fileprivate mutating func append(allOf section: Int, _ count: Int) {
    insertions += (0..<count).map { IndexPath(section: section, row: $0) }
  }

  /// Sections that stay keep their order, so that modifications in the old order are in the new order too.
  fileprivate mutating func sort() {
    deletions.sort()
    insertions.sort()
    modifications.sort()
    modificationsInNew.sort()
    moves.sort { $0.from < $1.from }
  }
}

#if DEBUG
  extension SectionDifference {
    /// L4: applied to the old sections, the change set yields the new ones.
    func checkApplying(_ changes: SectionedChangeSet, identity: (UnsafeRawBufferPointer) -> SQLiteValue) {
      guard old.elementCount + new.elementCount < 2_000 else { return }
      func elements(_ tree: SectionTree) -> [[SQLiteValue]] {
        (0..<tree.count).map { section in
          let number = tree.number(at: section)
          return (0..<tree.count(of: number)).map { tree.withElement(at: $0, of: number, identity) }
        }
      }
      let expected = elements(new)
      precondition(
        changes.apply(to: elements(old), from: expected) == expected,
        "The sections changed though no element did: the key of a section must follow "
          + "from the values of the element, and of what it leads to over at most three links, alone.")
    }
  }
#endif
