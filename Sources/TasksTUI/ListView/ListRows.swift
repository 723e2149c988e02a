/// The rows that a list view shows: how many, which, and how tall.
///
/// The closures may read live data. A list view asks them only about the rows near the visible ones, and
/// never again after it was given newer rows.
struct ListRows<RowID: Hashable> {
  let count: Int
  /// What makes the row at an index this row and no other. Index: 0 ..< count.
  let id: (Int) -> RowID
  /// Lines that the row at an index takes at a width of so many columns. Less than 1 counts as 1.
  let height: (_ index: Int, _ width: Int) -> Int

  init(
    count: Int, id: @escaping (Int) -> RowID,
    height: @escaping (_ index: Int, _ width: Int) -> Int = { _, _ in 1 }
  ) {
    self.count = max(0, count)
    self.id = id
    self.height = height
  }

  /// A snapshot.
  init(_ ids: [RowID], height: @escaping (_ index: Int, _ width: Int) -> Int = { _, _ in 1 }) {
    self.init(count: ids.count, id: { ids[$0] }, height: height)
  }
}

/// A row as its content is asked for.
struct ListRow<RowID: Hashable> {
  let index: Int
  let id: RowID
  /// How many rows the list has.
  let count: Int
  /// Color of the row: its place in the gradient, on the way there, flashing, lighter under the cursor.
  let background: RGB
  /// Black or white, whichever reads better on `background`.
  let foreground: RGB
  /// The cursor stands here.
  let isSelected: Bool
  /// The list is dimmed except for this row.
  let isFocused: Bool
  /// The row is lifted and goes where the cursor goes.
  let isHeld: Bool
  /// 1 when the row has just been modified, then falling to 0. Already part of `background`.
  let flash: Double
}
