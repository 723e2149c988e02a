import LiveStore

@testable import TasksTUI
@testable import TerminalUI

/// A list view over an array, drawn into a canvas: what a screen does, and nothing more.
struct ListViewHarness {
  struct Item: Equatable {
    var id: Int
    var text: String
    var height = 1
  }

  var items: [Item]
  var list: ListView<Int>
  var width: Int
  var height: Int
  private(set) var frame: Canvas
  /// Indices that content was asked for in the last frame.
  private(set) var drawn: [Int] = []
  /// Flashes in the last frame, by index.
  private(set) var flashes: [Int: Double] = [:]

  init(_ items: [Item], width: Int = 20, height: Int = 10) {
    self.items = items
    self.width = width
    self.height = height
    list = ListView(rows: Self.rows(items))
    list.scrollMargin = 0
    frame = Canvas(width: 0, height: 0)
  }

  /// `count` rows with the texts "row0", "row1" … and their indices as identities.
  init(count: Int, width: Int = 20, height: Int = 10) {
    self.init((0..<count).map { Item(id: $0, text: "row\($0)") }, width: width, height: height)
  }

  static func rows(_ items: [Item]) -> ListViewRows<Int> {
    ListViewRows(count: items.count, id: { items[$0].id }, height: { index, _ in items[index].height })
  }

  mutating func apply(_ changes: ChangeSet, _ items: [Item], isLocal: Bool = false, at seconds: Double) {
    self.items = items
    list.apply(changes, newRows: Self.rows(items), isLocal: isLocal, at: .seconds(seconds))
  }

  mutating func delete(_ index: Int, at seconds: Double) {
    var items = items
    items.remove(at: index)
    apply(.deletion(at: index), items, at: seconds)
  }

  mutating func insert(_ item: Item, at index: Int, at seconds: Double) {
    var items = items
    items.insert(item, at: index)
    apply(.insertion(at: index), items, at: seconds)
  }

  mutating func move(_ from: Int, to: Int, at seconds: Double) {
    var items = items
    items.insert(items.remove(at: from), at: to)
    apply(.move(from: from, to: to), items, at: seconds)
  }

  @discardableResult mutating func draw(at seconds: Double, isContentSame: Bool = false) -> Canvas {
    let items = items
    var canvas = Canvas(width: width, height: height)
    var drawn: [Int] = []
    var flashes: [Int: Double] = [:]
    list.draw(
      into: &canvas, rect: CellRect(width: width, height: height), at: .seconds(seconds),
      isContentSame: isContentSame
    ) { row, picture in
      drawn.append(row.index)
      if row.flash > 0 { flashes[row.index] = row.flash }
      Self.write(items[row.index], row, into: &picture)
    }
    self.drawn = drawn
    self.flashes = flashes
    frame = canvas
    return canvas
  }

  /// The text on the first line, "+" on the others; "会" is two columns wide.
  static func write(_ item: Item, _ row: ListRow<Int>, into picture: inout Canvas) {
    var column = 0
    for character in item.text {
      let columns = character == "会" ? 2 : 1
      guard column + columns <= picture.width else { break }
      picture[column, 0].text = String(character)
      picture[column, 0].width = UInt8(columns)
      if columns == 2 {
        picture[column + 1, 0].text = ""
        picture[column + 1, 0].width = 0
      }
      column += columns
    }
    for line in 0..<picture.height where line > 0 && picture.width > 0 { picture[0, line].text = "+" }
    if row.isFocused, picture.width > 0 { picture.cursor = (min(column, picture.width - 1), 0) }
  }

  /// The text of a line of the last frame, blocks as they are, without blanks at the end.
  func text(_ line: Int) -> String {
    var result = (0..<frame.width).map { frame[$0, line].text }.joined()
    while result.last == " " { result.removeLast() }
    return result
  }

  var texts: [String] { (0..<frame.height).map(text) }

  /// The line that holds a text in the last frame.
  func line(of text: String) -> Int? { texts.firstIndex { $0.contains(text) } }
}

extension ListView {
  /// Whether drawing at `time` and a moment later gives different pictures.
  func isAnimating(at time: Duration) -> Bool { Motion.seconds(time) < settlesAt }
}
