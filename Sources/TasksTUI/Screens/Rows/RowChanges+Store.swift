import LiveStore
import TasksModel

extension RowChanges {
  /// A change set of the store, for the list view that shows the collection.
  init(_ changes: ChangeSet) {
    self.init(
      deletions: changes.deletions, insertions: changes.insertions, modifications: changes.modifications,
      moves: changes.moves.map { Move(from: $0.from, to: $0.to, isModified: $0.isModified) })
  }

  /// What an operation did here, to be mirrored.
  init(_ change: Edit.Change) {
    switch change {
    case .inserted(let index): self = .insertion(at: index)
    case .deleted(let index): self = .deletion(at: index)
    case .moved(let from, let to, let modified): self = .move(from: from, to: to, isModified: modified)
    case .modified(let index): self = .modification(at: index)
    case .cleared(let indices): self.init(deletions: indices)
    case .several(let difference):
      self.init(
        deletions: difference.deletions, insertions: difference.insertions,
        modifications: difference.modifications,
        moves: difference.moves.map { Move(from: $0.from, to: $0.to, isModified: $0.isModified) })
    case .none: self.init()
    }
  }

  /// How many rows stand in front of a draft after this change that had `old` in front of it before: it stays
  /// behind the row it stood behind.
  func draftPlace(old: Int) -> Int {
    let number = survivorsBefore(old: old)
    return number == 0 ? 0 : newIndex(ofSurvivor: number - 1) + 1
  }

  /// These changes, which delete the row at `old`, as a list sees them that goes on showing that row as a
  /// draft.
  ///
  /// - Returns: the changes, and how many rows stand in front of the draft afterwards.
  func keepingDeletedRow(_ old: Int) -> (changes: RowChanges, place: Int) {
    let place = draftPlace(old: old)
    func after(_ index: Int) -> Int { index >= place ? index + 1 : index }
    var result = self
    result.deletions.removeAll { $0 == old }
    result.insertions = insertions.map(after)
    result.modifications = (modifications + [old]).sorted()
    result.moves = moves.map { Move(from: $0.from, to: after($0.to), isModified: $0.isModified) }
    return (result, place)
  }
}
