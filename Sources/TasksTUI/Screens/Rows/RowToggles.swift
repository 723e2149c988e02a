import TasksModel

/// Tells, of the rows in sight, which are on their way from open to completed or back: those that shine
/// because they have changed, and were drawn the other way before.
struct RowToggles {
  private var isCompleted: [Identifier: Bool] = [:]
  private var toggling: Set<Identifier> = []

  /// How far the change of a row has come, 0 … 1; nil when it is not just changing.
  ///
  /// - Parameter flash: 1 when it has just changed, falling to 0.
  mutating func progress(of id: Identifier, isCompleted: Bool, flash: Double) -> Double? {
    if let before = self.isCompleted.updateValue(isCompleted, forKey: id), before != isCompleted {
      toggling.insert(id)
    }
    if flash <= 0 { toggling.remove(id) }
    return toggling.contains(id) ? 1 - flash : nil
  }

  /// Only rows in sight are remembered.
  mutating func forget(allBut ids: [Identifier]) {
    guard isCompleted.count > 2 * ids.count + 16 else { return }
    let kept = Set(ids)
    isCompleted = isCompleted.filter { kept.contains($0.key) }
    toggling.formIntersection(kept)
  }
}
