import TasksModel

/// A record of the rows in sight that are being completed or reopened: those that flash because they have
/// changed, and were drawn in the other state before.
struct RowToggles {
  private var isCompleted: [Identifier: Bool] = [:]
  private var toggling: Set<Identifier> = []

  /// The progress of a row's change, 0 … 1; nil if it is not changing.
  ///
  /// - Parameter flash: 1 when it has just changed, falling to 0.
  mutating func progress(of id: Identifier, isCompleted: Bool, flash: Double) -> Double? {
    if let before = self.isCompleted.updateValue(isCompleted, forKey: id), before != isCompleted {
      toggling.insert(id)
    }
    if flash <= 0 { toggling.remove(id) }
    return toggling.contains(id) ? 1 - flash : nil
  }

  /// Forgets rows that are out of sight.
  mutating func forget(allBut ids: [Identifier]) {
    guard isCompleted.count > 2 * ids.count + 16 else { return }
    let kept = Set(ids)
    isCompleted = isCompleted.filter { kept.contains($0.key) }
    toggling.formIntersection(kept)
  }
}
