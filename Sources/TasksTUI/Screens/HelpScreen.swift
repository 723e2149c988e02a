/// The keys, made from the table of commands.
final class HelpScreen: Screen {
  private let context: ScreenContext
  private var firstLine = 0
  private var visibleLines = 1
  private var lineCount = 0

  init(context: ScreenContext) {
    self.context = context
  }

  var title: String { "Keys" }
  var summary: String {
    lineCount > visibleLines ? "\(firstLine + 1)–\(firstLine + visibleLines) of \(lineCount)" : ""
  }
  var hints: [Hint] {
    [Hint(.escape, "closes")] + (lineCount > visibleLines ? [Hint([.moveDown, .moveUp], "scroll")] : [])
  }
  var isEditing: Bool { false }
  var isGone: Bool { false }

  func perform(_ call: CommandCall) -> ScreenRequest? {
    let page = max(1, visibleLines - 1)
    switch call.command {
    case .moveDown: scroll(to: firstLine + min(call.times, lineCount))
    case .moveUp: scroll(to: firstLine - min(call.times, lineCount))
    case .pageDown: scroll(to: firstLine + page)
    case .pageUp: scroll(to: firstLine - page)
    case .halfPageDown: scroll(to: firstLine + max(1, visibleLines / 2))
    case .halfPageUp: scroll(to: firstLine - max(1, visibleLines / 2))
    case .moveToFirst: scroll(to: 0)
    case .moveToLast: scroll(to: lineCount)
    case .back, .escape, .help, .activate, .quit: return .closeHelp
    default: break
    }
    return nil
  }

  func type(_ key: Key) {}
  func paste(_ text: String) {}
  func nextFrame(after time: Duration) -> Duration? { nil }

  private func scroll(to line: Int) {
    firstLine = min(max(0, line), max(0, lineCount - visibleLines))
  }

  func draw(into canvas: inout Canvas, rect: CellRect, at time: Duration) {
    let sections = KeyLegend.sections(context.keys)
    let isWide = rect.width >= 2 * Self.columnWidth
    // Two columns of about the same height where there is room for them.
    let split = isWide ? sections.count / 2 : sections.count
    let columns = [sections[..<split], sections[split...]].map { Self.lines($0) }
    lineCount = columns.map(\.count).max() ?? 0
    visibleLines = rect.height
    scroll(to: firstLine)

    var page = Canvas(width: rect.width, height: rect.height)
    page.fill(style: context.palette.plain)
    for (index, lines) in columns.enumerated() where !lines.isEmpty {
      let left = 2 + index * (rect.width / 2)
      for (line, content) in lines.dropFirst(firstLine).prefix(rect.height).enumerated() {
        content.draw(
          into: &page, column: left, line: line, keysWidth: min(Self.keysWidth, rect.width * 2 / 5),
          context.palette)
      }
    }
    canvas.draw(page, column: rect.column, line: rect.line)
  }

  /// Columns that keys and words need side by side.
  private static let columnWidth = 58
  private static let keysWidth = 22

  private enum Line {
    case heading(String)
    case entry(keys: String, help: String)
    case empty

    func draw(into canvas: inout Canvas, column: Int, line: Int, keysWidth: Int, _ palette: Palette) {
      switch self {
      case .heading(let text):
        canvas.put(
          text, column: column, line: line,
          style: palette.onGround(palette.heading, .bold))
      case .entry(let keys, let help):
        let width = canvas.put(
          keys, column: column, line: line,
          style: palette.onGround(palette.key))
        canvas.put(
          help, column: column + max(keysWidth, width + 2), line: line,
          style: palette.plain)
      case .empty: break
      }
    }
  }

  private static func lines(_ sections: ArraySlice<KeyLegend.Section>) -> [Line] {
    var lines: [Line] = []
    for section in sections {
      lines.append(.empty)
      lines.append(.heading(section.title))
      for entry in section.entries {
        lines.append(.entry(keys: entry.keys.joined(separator: "  "), help: entry.help))
      }
    }
    return lines
  }
}
