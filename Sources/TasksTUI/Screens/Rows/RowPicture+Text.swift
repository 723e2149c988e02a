import TasksModel
import TerminalUI

/// A row as it is laid out for a width, apart from its look.
struct RowContent {
  let isCompleted: Bool
  let decoration: RowDecoration
  let width: Int
  /// The number of characters of the text that is in the lines.
  let length: Int
  let lines: [RowPicture.Line]
  /// The tags in the lines, by characters.
  let tags: [(range: Range<Int>, color: RGB)]
  /// The tags beside the lines.
  let ownTags: [String]
}

extension RowPicture {
  /// The indentation of the further lines of a text, if it has the width for it.
  private static let continuationIndentation = 2
  private static let leastIndentedWidth = 20

  func layOut(_ text: String, isCompleted: Bool, _ decoration: RowDecoration, width: Int) -> RowContent {
    let (text, ownTags) = split(text, inRow: width)
    return RowContent(
      isCompleted: isCompleted, decoration: decoration, width: width, length: text.count,
      lines: lines(of: text, width: textWidth(ofRow: width, decoration, tags: ownTags)),
      tags: isCompleted ? [] : tags(in: text), ownTags: ownTags)
  }

  /// The first lines of a text; the last one ends with an ellipsis if there are more.
  func lines(of text: String, width: Int) -> [Line] {
    if text.utf8.count <= width {
      let text = DisplayText(text)
      return [Line(text, in: text.direction, width: width)]
    }
    // A little more than can be seen, to find out whether there is more.
    let characters = text.beginning(width * Self.maximumHeight + width + 1)
    var beginning = DisplayText(characters)
    if characters.utf8.count < text.utf8.count, beginning.width <= width * Self.maximumHeight {
      // A letter with marks without end.
      beginning = DisplayText(clusters: beginning.clusters + DisplayText("…").clusters)
    }
    let direction = beginning.direction
    let indentation = width < Self.leastIndentedWidth ? 0 : Self.continuationIndentation
    let ranges = beginning.wrapped(to: width, thenTo: width - indentation)
    return ranges.prefix(Self.maximumHeight).enumerated().map { number, range in
      var clusters = beginning.clusters[range]
      if number == Self.maximumHeight - 1, ranges.count > Self.maximumHeight {
        clusters = beginning.clusters[range.lowerBound...]
      } else {
        // Spaces at a break may hang over the edge.
        while clusters.last?.isSpace == true { clusters.removeLast() }
      }
      let own = number == 0 ? 0 : indentation
      return Line(
        DisplayText(clusters: Array(clusters)).clipped(to: width - own), start: range.lowerBound,
        in: direction, width: width, indentedBy: own)
    }
  }

  struct Line {
    let text: DisplayText
    /// The index of its first cluster in the whole text.
    let start: Int
    /// The visual order, if a part runs from right to left.
    let order: VisualOrder?
    /// The first column: right-to-left text ends at the right edge.
    let indentation: Int

    init(
      _ text: DisplayText, start: Int = 0, in direction: TextDirection?, width: Int, indentedBy own: Int = 0
    ) {
      self.text = text
      self.start = start
      order = direction.flatMap { VisualOrder(of: text.clusters, in: $0) }
      indentation = direction == .rightToLeft ? max(0, width - own - text.width) : own
    }

    /// The columns on this line of a range of the whole text's clusters.
    func columns(of range: Range<Int>) -> [Range<Int>] {
      let first = max(0, range.lowerBound - start)
      let last = min(text.clusters.count, range.upperBound - start)
      guard first < last else { return [] }
      guard let order else {
        let column = indentation + text.columns(of: 0..<first)
        return [column..<column + text.columns(of: first..<last)]
      }
      return (first..<last).map { index in
        let column = indentation + order.columns[index]
        return column..<column + text.clusters[index].width
      }
    }

    /// The columns of the first `count` of its columns, in the reading direction.
    func columns(ofFirst count: Int) -> Range<Int> {
      let start = order?.direction == .rightToLeft ? text.width - count : 0
      return indentation + start..<indentation + start + count
    }
  }

  /// The tags in a text. Each name always has the same one of the palette's colors.
  func tags(in text: String) -> [(range: Range<Int>, color: RGB)] {
    let ranges = TaskTags.ranges(in: String(text.prefix(Self.longestTagged)))
    guard !ranges.isEmpty else { return [] }
    let characters = Array(text.prefix(Self.longestTagged))
    let colors = appearance.palette.tags
    return ranges.map { range in
      let name = String(characters[range]).lowercased()
      let number = name.utf8.reduce(UInt32(5381)) { $0 &* 33 ^ UInt32($1) }
      return (range, colors[Int(number % UInt32(colors.count))])
    }
  }

  /// Later parts of a text are out of sight.
  private static let longestTagged = 2000
}
