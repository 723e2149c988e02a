import TasksModel
import TerminalUI

/// The rows of a list view: their number, identities and heights.
///
/// The closures may read live data. A list view calls them only for rows near the visible ones, and never
/// again after it has received newer rows.
struct ListViewRows<RowID: Hashable> {
  let count: Int
  /// The identity of the row at an index. Index: 0 ..< count.
  let id: (Int) -> RowID
  /// The lines of the row at an index at a width in columns. Less than 1 counts as 1.
  let height: (_ index: Int, _ width: Int) -> Int

  init(
    count: Int, id: @escaping (Int) -> RowID,
    height: @escaping (_ index: Int, _ width: Int) -> Int = { _, _ in 1 }
  ) {
    self.count = max(0, count)
    self.id = id
    self.height = height
  }

  /// Fixed rows.
  init(_ ids: [RowID], height: @escaping (_ index: Int, _ width: Int) -> Int = { _, _ in 1 }) {
    self.init(count: ids.count, id: { ids[$0] }, height: height)
  }
}

/// A row whose content is to be drawn.
struct ListRow<RowID: Hashable> {
  let index: Int
  let id: RowID
  /// The number of rows of the list.
  let count: Int
  /// The color of the row: that of its place in the gradient, or in transition, flashing, lighter under the
  /// cursor.
  let background: RGB
  /// Black or white, whichever is more legible on `background`.
  let foreground: RGB
  /// Whether the cursor is on the row.
  let isSelected: Bool
  /// Whether the list is dimmed except for this row.
  let isFocused: Bool
  /// Whether the row is held and moves with the cursor.
  let isHeld: Bool
  /// 1 when the row has just been modified, then falling to 0. Already part of `background`.
  let flash: Double

  /// Whether the other row is drawn in the same way if its content is the same, wherever it is.
  func looksLike(_ other: ListRow) -> Bool {
    (background, isSelected, isFocused, isHeld, flash)
      == (other.background, other.isSelected, other.isFocused, other.isHeld, other.flash)
  }
}

enum RowID: Hashable {
  /// The object with this primary key.
  case object(Identifier)
  /// The row that is being typed and is not in the file yet.
  case draft
}
