import TasksModel
import TerminalUI

/// The columns for the details of tasks on a wide terminal, at the right of a row. A text extends over those
/// that its row leaves empty.
struct RowColumns: Equatable {
  let tags: Range<Int>
  let date: Range<Int>
  /// The number of subtasks.
  let count: Range<Int>
  let priority: Range<Int>
  /// The name of the list, where tasks are of several.
  let badge: Range<Int>

  private static let gap = 2
  private static let longestBadge = 24

  /// - Parameter badgeWidth: The width of badges in a row of the least width; 0 for none.
  init(inRow width: Int, badgeWidth: Int) {
    var end = width - RowPicture.rightMargin
    func take(_ width: Int, gap: Int) -> Range<Int> {
      defer { end -= width + gap }
      return max(0, end - width)..<max(0, end)
    }
    badge = take(badgeWidth == 0 ? 0 : min(max(badgeWidth, width / 6), Self.longestBadge), gap: 1)
    priority = take(3, gap: 1)
    count = take(5, gap: Self.gap)
    date = take(width < 100 ? 20 : 26, gap: Self.gap)
    tags = take(min(max(12, width / 6), 28), gap: Self.gap)
  }

  /// The column before which the text of a row has to end.
  func textEnd(_ decoration: RowDecoration, tags: [String], rowWidth: Int) -> Int {
    if !tags.isEmpty { return self.tags.lowerBound - Self.gap }
    if decoration.date != nil { return date.lowerBound - Self.gap }
    if let words = decoration.subtasks?.words { return count.upperBound - words.utf8.count - 1 }
    if decoration.priority != .none { return priority.lowerBound - 1 }
    if decoration.badge != nil { return badge.lowerBound - 1 }
    return rowWidth - RowPicture.rightMargin
  }

  /// Takes the tags off the end of a text, if their column has room for them.
  func split(_ text: String) -> (text: String, tags: [String]) {
    var (rest, taken) = (text[...], [String]())
    var room = tags.count
    guard text.utf8.count <= Self.longestSplit, text.utf8.contains(UInt8(ascii: "#")) else {
      return (text, [])
    }
    while let blank = rest.lastIndex(of: " ") {
      let word = String(rest[rest.index(after: blank)...])
      let width = DisplayText(word).width
      guard word.hasPrefix("#"), TaskTags.name(word) != nil else { break }
      if width > room { return (text, []) }
      room -= width + 1
      taken.insert(word, at: 0)
      rest = rest[..<blank]
      while rest.last == " " { rest.removeLast() }
    }
    // A text of tags alone stays one.
    return rest.isEmpty || taken.isEmpty ? (text, []) : (String(rest), taken)
  }

  private static let longestSplit = 4096
}
