import TerminalUI

/// The keys, made from the table of commands; all of them, or those that match some words.
final class HelpScreen: Screen {
  private let context: ScreenContext
  private var firstLine = 0
  private var visibleLines = 1
  private var lineCount = 0
  private var pattern: SearchPattern
  /// The words, while they are being typed.
  private var editor: LineEditor?

  /// - Parameter words: The words to match; if empty, all keys are shown.
  init(context: ScreenContext, about words: String = "") {
    self.context = context
    pattern = SearchPattern(words)
  }

  var title: String { pattern.isEmpty ? "Keys" : "Keys: \(pattern.text)" }
  var summary: String {
    lineCount > visibleLines ? "\(firstLine + 1)–\(firstLine + visibleLines) of \(lineCount)" : ""
  }
  var hints: [Hint] {
    [Hint(.screen(.escape), pattern.isEmpty ? "close" : "show all"), Hint(.app(.search))]
      + (lineCount > visibleLines ? [Hint([.cursor(.down), .cursor(.up)], "scroll")] : [])
  }
  var isEditing: Bool { editor != nil }
  var isAboutRows: Bool { false }
  var needsFile: Bool { false }

  func perform(_ call: CommandCall) -> ScreenRequest? {
    switch call.command {
    case .cursor(let command):
      let offset = command.offset(times: call.times, count: lineCount, height: visibleLines)
      scroll(to: firstLine + (offset ?? 0))
    case .screen(.back), .screen(.escape):
      guard !pattern.isEmpty else { return .close }
      show("")
    case .screen(.activate): return .close
    case .app(let command): return perform(command, call)
    case .screen(.open), .rows, .tasks:
      context.say("That key is for rows; \(context.key(.screen(.escape))) closes this page.")
    }
    return nil
  }

  private func perform(_ command: AppCommand, _ call: CommandCall) -> ScreenRequest? {
    switch command {
    case .help, .quit: return .close
    case .search:
      if let words = call.argument { show(words) } else { editor = LineEditor(pattern.text) }
    case .today, .upcoming, .waiting, .done, .hide, .archive, .tag, .repeatChange, .color, .keepSorted,
      .filter, .saveSearch:
      break
    case .commandLine, .set, .theme, .windows, .sync, .bringBack, .forgetLost, .repaint, .suspend:
      return .passOn
    }
    return nil
  }

  private func show(_ words: String) {
    pattern = SearchPattern(words)
    firstLine = 0
  }

  func mouse(_ event: MouseEvent) -> ScreenRequest? { .scroll(by: event) }

  func type(_ key: Key) -> ScreenRequest? {
    guard var editor else { return nil }
    switch context.editingKeys[key] {
    case .lineDown?: scroll(to: firstLine + 1)
    case .lineUp?: scroll(to: firstLine - 1)
    case .pageDown?: scroll(to: firstLine + max(1, visibleLines - 1))
    case .pageUp?: scroll(to: firstLine - max(1, visibleLines - 1))
    case .deleteLeft? where editor.isEmpty: self.editor = nil
    default:
      switch editor.handle(key, context.editingKeys) {
      case .commit: self.editor = nil
      case .cancel:
        self.editor = nil
        show("")
      case .handled:
        self.editor = editor
        if editor.text != pattern.text { show(editor.text) }
      case .ignored: break
      }
    }
    return nil
  }

  func paste(_ text: String) -> ScreenRequest? {
    editor?.paste(text)
    if let editor { show(editor.text) }
    return nil
  }

  private func scroll(to line: Int) {
    firstLine = min(max(0, line), max(0, lineCount - visibleLines))
  }

  func draw(into canvas: inout Canvas, rect: CellRect, at time: Duration) {
    let all = KeyLegend.sections(
      context.keys, context.editingKeys, context.settings, tellsValues: true)
    let sections =
      pattern.isEmpty
      ? [KeyLegend.essentials(context.keys)] + all
      : (all + [KeyLegend.shell]).compactMap { $0.about(pattern) }
    let isWide = rect.width >= 2 * Self.columnWidth && sections.count > 1
    // Two columns of about the same height if there is space for them.
    let split = isWide ? sections.count / 2 : sections.count
    let width = (isWide ? rect.width / 2 : rect.width) - 3
    let keysWidth = min(Self.keysWidth, rect.width * 2 / 5)
    let columns = [sections[..<split], sections[split...]].map {
      Self.lines($0, width: width, keysWidth: keysWidth)
    }
    lineCount = columns.map(\.count).max() ?? 0
    visibleLines = rect.height
    scroll(to: firstLine)

    var page = Canvas(width: rect.width, height: rect.height)
    page.fill(style: context.palette.plain)
    for (index, lines) in columns.enumerated() where !lines.isEmpty {
      let left = 2 + index * (rect.width / 2)
      for (line, content) in lines.dropFirst(firstLine).prefix(rect.height).enumerated() {
        content.draw(into: &page, column: left, line: line, context.palette)
      }
    }
    canvas.draw(page, column: rect.column, line: rect.line)
    if sections.isEmpty { canvas.putNotice(["No key matches"], in: rect, context.palette) }
  }

  func drawBottomLine(into canvas: inout Canvas) {
    guard let editor else { return }
    let hints = "\(context.editingKey(.keep)) keep  \(context.editingKey(.cancel)) show all"
    canvas.putPrompt("/", editor, hints: hints, context.palette)
  }

  /// The columns for keys and words side by side.
  private static let columnWidth = 58
  private static let keysWidth = 22

  private enum Line {
    case heading(String)
    /// `column` is the start of the words.
    case entry(keys: String, help: String, column: Int)
    case empty

    func draw(into canvas: inout Canvas, column: Int, line: Int, _ palette: Palette) {
      switch self {
      case .heading(let text):
        canvas.put(text, column: column, line: line, style: palette.onGround(palette.heading, .bold))
      case .entry(let keys, let help, let indent):
        canvas.put(keys, column: column, line: line, style: palette.onGround(palette.key))
        canvas.put(help, column: column + indent, line: line, style: palette.plain)
      case .empty: break
      }
    }
  }

  /// The minimum of columns for words beside the keys; otherwise they continue on the lines below.
  private static let leastWordsWidth = 20
  private static let indent = 4

  private static func lines(
    _ sections: ArraySlice<KeyLegend.Section>, width: Int, keysWidth: Int
  ) -> [Line] {
    var lines: [Line] = []
    for section in sections {
      lines.append(.empty)
      lines += DisplayText.lines(of: section.title, wrappedTo: width).map(Line.heading)
      for entry in section.entries {
        var keys = entry.keys.joined(separator: "  ")
        var column = max(keysWidth, DisplayText(keys).width + 2)
        if width - column < min(leastWordsWidth, DisplayText(entry.help).width) {
          lines.append(.entry(keys: keys, help: "", column: column))
          (keys, column) = ("", indent)
        }
        for words in DisplayText.lines(of: entry.help, wrappedTo: width - column) {
          lines.append(.entry(keys: keys, help: words, column: column))
          keys = ""
        }
      }
    }
    return lines
  }
}
