import TasksModel
import TerminalEmulator

@testable import TasksTUI

/// The part that can be compared of a screen whose texts may hold anything: their letters and digits, which
/// every terminal draws alike.
enum RandomPicture {
  struct Line {
    /// Nil: anything.
    var text: String?
    var isStruck: Bool
  }

  /// In order of the alphabet: how they stand depends on what runs from right to left among them.
  static func essence(_ text: some StringProtocol) -> String {
    let isKept = { (scalar: Unicode.Scalar) in
      ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
    }
    return String(String.UnicodeScalarView(text.unicodeScalars.filter(isKept).sorted()))
  }

  /// The top line of the screen of a list: its name, the number of open tasks once they are counted, and the
  /// order in which they are kept.
  static func title(of list: ForeignDatabase.Row) -> String {
    guard !list.tasks.isEmpty else { return essence(list.text) }
    let order = RowOrder(rawValue: list.order).map { "by \($0.words)" } ?? ""
    return essence(list.text + "\(list.tasks.count { !$0.isCompleted })open" + order)
  }

  /// The lines below the title.
  static func lines(of screen: ScreenParser) -> [Line] {
    (1..<max(2, screen.lines - 1)).map {
      Line(text: essence(screen.text(line: $0)), isStruck: screen.isStruck(line: $0))
    }
  }

  static func agree(_ shown: [Line], _ expected: [Line]) -> Bool {
    guard shown.count >= expected.count else { return false }
    let isAsExpected = zip(shown, expected).allSatisfy { shown, expected in
      guard let text = expected.text else { return true }
      // Of a row without letters there may be nothing to strike through.
      return shown.text == text && (shown.isStruck == expected.isStruck || text.count < 2)
    }
    return isAsExpected && shown.dropFirst(expected.count).allSatisfy { $0.text?.isEmpty ?? true }
  }

  /// The letters of the row with the cursor.
  static func rowUnderCursor(_ screen: ScreenParser) -> String? {
    for line in 1..<max(2, screen.lines - 1) {
      let text = screen.text(line: line)
      guard text.hasPrefix("›") else { continue }
      return self.text(of: text)
    }
    return nil
  }

  /// The letters of a row's text, without the priority at its right end.
  static func text(of line: String) -> String {
    let rest = row(of: line)
    return essence(rest.firstRange(of: "   ").map { rest[..<$0.lowerBound] } ?? rest)
  }

  /// The letters of a row that ends before any gap: one of these is before the list at its right end, which
  /// may be two blanks behind the text. The text may have as many in it.
  static func texts(of line: String) -> [String] {
    var rest = row(of: line)
    var texts = [essence(rest)]
    while let end = rest.ranges(of: "  ").last {
      rest = rest[..<end.lowerBound]
      texts.append(essence(rest))
    }
    return texts
  }

  private static func row(of line: String) -> Substring { line.dropFirst(2).drop { $0 == " " } }
}
