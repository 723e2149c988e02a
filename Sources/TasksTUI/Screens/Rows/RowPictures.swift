import TerminalUI

/// The rows drawn last. One that shows the same is neither read nor laid out again, and one that looks the
/// same as well is not drawn again: while the cursor moves, that is every row but two.
struct RowPictures {
  private struct Entry {
    let row: ListRow<RowID>
    let text: String
    let content: RowContent
    let canvas: Canvas
  }

  private var drawer: RowPicture?
  /// The rows of the last frame before what the rows show may have changed.
  private var former: [RowID: Entry] = [:]
  /// The rows drawn since then: no more than any screen shows at once.
  private var present = NearRows<Entry>(limit: 512)

  /// Begins a frame, in which rows are drawn by `drawer`.
  ///
  /// - Parameter isContentSame: Whether rows only look different.
  mutating func beginFrame(_ drawer: RowPicture, isContentSame: Bool) {
    former = [:]
    if isContentSame { return }
    if drawer == self.drawer {
      for entry in present.stored { former[entry.row.id] = entry }
    }
    present.removeAll()
    self.drawer = drawer
  }

  /// Draws a row onto a canvas that has its colors only, if it shows what it has shown since rows were last
  /// read; returns whether that is so.
  mutating func drawKnown(_ row: ListRow<RowID>, into canvas: inout Canvas) -> Bool {
    guard let entry = present[row.index], entry.content.width == canvas.width,
      // The progress of a row that is being completed is another one in each frame.
      entry.content.decoration.toggleProgress == nil
    else { return false }
    draw(entry.text, entry.content, entry, row, into: &canvas)
    return true
  }

  /// Draws a row onto a canvas that has its colors only.
  mutating func draw(
    _ text: String, isCompleted: Bool, _ decoration: RowDecoration, _ row: ListRow<RowID>,
    into canvas: inout Canvas
  ) {
    guard let drawer else { return }
    // The same text in other characters is drawn by these.
    if let entry = former[row.id] ?? present[row.index], entry.row.id == row.id,
      entry.content.width == canvas.width, entry.content.isCompleted == isCompleted,
      entry.text.utf8.count == text.utf8.count, entry.text == text, entry.content.decoration == decoration
    {
      draw(text, entry.content, entry, row, into: &canvas)
    } else {
      let content = drawer.layOut(text, isCompleted: isCompleted, decoration, width: canvas.width)
      draw(text, content, nil, row, into: &canvas)
    }
  }

  /// - Parameter entry: The row as it was drawn with this content; nil if it was not.
  private mutating func draw(
    _ text: String, _ content: RowContent, _ entry: Entry?, _ row: ListRow<RowID>, into canvas: inout Canvas
  ) {
    if let entry, entry.row.looksLike(row), entry.canvas.height == canvas.height {
      canvas = entry.canvas
    } else {
      drawer?.draw(content, row, into: &canvas)
    }
    present[row.index] = Entry(row: row, text: text, content: content, canvas: canvas)
  }
}
