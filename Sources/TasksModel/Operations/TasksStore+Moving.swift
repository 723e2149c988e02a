import FoundationEssentials
import LiveStore

extension TasksStore {
  /// Moves an open row to another place among the open ones.
  ///
  /// - Returns: `.moved`, or `.none` with `.gone`, `.neighbourGone` or `.unchanged`.
  /// - Throws: `Refusal.movingCompletedRow`; `Refusal.movingAmongCompletedRows` when the row would come to stand
  ///   below a completed one, or when it is the last open one and is to go further down; `StoreError`.
  ///
  /// Complexity: O(log n + the number of completed rows).
  @discardableResult
  public func move(
    _ id: UUID, in place: Place, to destination: Destination,
    withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    try transaction(in: place, withoutNotifying: tokens) { rows in
      guard let (row, index) = rows.find(id) else { return Edit(place: place, change: .none(.gone)) }
      guard !row.completed else { throw Refusal.movingCompletedRow }
      // The row itself is open, so there is a last one.
      let lastOpen = rows.lastOpenIndex() ?? index

      let target: Int
      switch destination {
      case .offset(let offset):
        if offset > 0, index == lastOpen, lastOpen < rows.count - 1 {
          throw Refusal.movingAmongCompletedRows
        }
        // Limited before it is added, so that no offset overflows.
        target = index + min(max(offset, -index), lastOpen - index)
      case .above(let neighbour), .below(let neighbour):
        guard neighbour != id else { return Edit(place: place, change: .none(.unchanged)) }
        guard let (_, neighbourIndex) = rows.find(neighbour) else {
          return Edit(place: place, change: .none(.neighbourGone))
        }
        // Indices after: what stood below the row has moved up by one.
        let settled = neighbourIndex > index ? neighbourIndex - 1 : neighbourIndex
        target = if case .above = destination { settled } else { settled + 1 }
        if target > lastOpen {
          throw Refusal.movingAmongCompletedRows
        }
      }

      guard target != index else { return Edit(place: place, change: .none(.unchanged)) }
      rows.move(from: index, to: target)
      let values = RowValues(row)
      return Edit(
        place: place, change: .moved(from: index, to: target, modified: false),
        before: [values], after: [values])
    }
  }
}
