import LiveStore

extension Array {
  /// Brings the rows that a view shows up to date by a change set, and reads those rows that it names.
  package mutating func follow(_ changes: ChangeSet, _ row: (Int) -> Element) {
    for index in changes.deletions.reversed() { remove(at: index) }
    for index in changes.insertions { insert(row(index), at: index) }
    for index in changes.modificationsInNew { self[index] = row(index) }
  }
}
