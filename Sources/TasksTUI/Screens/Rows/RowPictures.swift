/// The pictures of the rows of the last frame. A row that shows the same, on the same ground, is not drawn
/// again: while the cursor moves, that is every row but two.
struct RowPictures {
  /// Everything that a picture depends on, apart from how rows are drawn.
  private struct Subject: Equatable {
    let text: String
    let isCompleted: Bool
    let decoration: RowDecoration
    let look: ListRow<RowID>.Look
    let width: Int
    let height: Int

    static func == (a: Subject, b: Subject) -> Bool {
      // The same text in other characters is drawn by these.
      a.look == b.look && a.width == b.width && a.height == b.height && a.isCompleted == b.isCompleted
        && a.text.utf8.count == b.text.utf8.count && a.text == b.text && a.decoration == b.decoration
    }
  }

  private typealias Entry = (subject: Subject, canvas: Canvas)

  private var drawer: RowPicture?
  /// More than any screen shows at once.
  private static let mostKept = 512
  private var former: [RowID: Entry] = [:]
  private var present: [RowID: Entry] = [:]

  /// Begins a frame, in which rows are drawn by `drawer`.
  ///
  /// - Parameter isContentSame: Whether only rows that look different are drawn.
  mutating func beginFrame(_ drawer: RowPicture, isContentSame: Bool) {
    former = [:]
    if isContentSame, present.count <= Self.mostKept { return }
    former = drawer == self.drawer ? present : [:]
    present = [:]
    self.drawer = drawer
  }

  /// Draws a row onto a canvas that has its colors only.
  mutating func draw(
    _ text: String, isCompleted: Bool, _ decoration: RowDecoration, _ row: ListRow<RowID>,
    into canvas: inout Canvas
  ) {
    let subject = Subject(
      text: text, isCompleted: isCompleted, decoration: decoration, look: row.look, width: canvas.width,
      height: canvas.height)
    if let entry = former[row.id] ?? present[row.id], entry.subject == subject {
      canvas = entry.canvas
    } else {
      drawer?.draw(text, isCompleted: isCompleted, decoration, row, into: &canvas)
    }
    present[row.id] = (subject, canvas)
  }
}
