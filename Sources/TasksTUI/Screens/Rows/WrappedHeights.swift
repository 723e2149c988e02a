/// The heights of the texts in sight that may be longer than a line. Wrapping one takes as long as drawing
/// several rows, and a key asks for all heights more than once.
final class WrappedHeights {
  private struct Subject: Hashable {
    let text: String
    /// The same text in other characters may have another width.
    let bytes: Int
    let width: Int
  }

  private var heights: [Subject: Int] = [:]
  /// More than any screen shows at once.
  private static let mostHeights = 512

  /// The lines of a text; see `RowPicture.height(of:width:)`.
  func height(of text: String, width: Int, _ picture: RowPicture) -> Int {
    let bytes = text.utf8.count
    guard bytes > width, bytes <= Self.longestText else {
      return picture.height(of: text, width: width)
    }
    let subject = Subject(text: text, bytes: bytes, width: width)
    if let known = heights[subject] { return known }
    let height = picture.height(of: text, width: width)
    if heights.count >= Self.mostHeights { heights.removeAll() }
    heights[subject] = height
    return height
  }

  /// Longer texts are wrapped each time: finding one would take as long.
  private static let longestText = 4096
}
