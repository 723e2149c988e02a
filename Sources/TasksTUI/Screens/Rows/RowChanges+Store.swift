import LiveStore
import TasksModel

extension RowChanges {
  /// The changes of a change set of the store, for the list view that shows the collection.
  init(_ changes: ChangeSet) {
    self.init(
      deletions: changes.deletions, insertions: changes.insertions, modifications: changes.modifications,
      moves: changes.moves.map { Move(from: $0.from, to: $0.to, isModified: $0.isModified) })
  }

  /// The changes of an operation here, to be shown at once.
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

  /// The number of rows before a draft after this change, if there were `old` before it: it stays after the
  /// row it was after.
  func draftPlace(old: Int) -> Int {
    let number = survivorsBefore(old: old)
    return number == 0 ? 0 : newIndex(ofSurvivor: number - 1) + 1
  }

  /// These changes, which delete the row at `old`, for a list that keeps showing that row as a draft.
  ///
  /// - Returns: The changes, and the number of rows before the draft afterwards.
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
