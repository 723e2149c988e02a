import TerminalUI

/// A line that is typed at the bottom of the screen, with its completions listed above it.
final class Prompt: Equatable {
  struct Completion: Equatable {
    /// The whole line.
    var text: String
    /// The text in the list.
    var title: String
    /// The description.
    var words = ""
    var keys = ""
    /// The value to accept instead of the line, if several lines may look alike.
    var value: String?
  }

  enum Outcome: Equatable {
    case open
    case cancelled
    /// The line, with the chosen completion or, for a prompt that requires one, the first.
    case accepted(String)
  }

  let label: String
  private(set) var editor: LineEditor
  /// The lines typed at such prompts before, the oldest first.
  private let history: [String]
  private var age = 0
  /// Whether only a listed completion can be accepted.
  private let isChoice: Bool
  private let complete: (String) -> [Completion]
  /// The sentence in place of completions where none fits the line; nil for none.
  private let note: ((String) -> String?)?
  /// Whether Enter was the last key, and there was nothing yet to accept.
  private(set) var awaitsChoice = false
  /// The listed completions, and the one that was copied into the line.
  private(set) var completions: [Completion] = []
  private(set) var chosen: Int?

  init(
    _ label: String, text: String = "", isChoice: Bool = false, history: [String] = [],
    note: ((String) -> String?)? = nil, complete: @escaping (String) -> [Completion]
  ) {
    self.label = label
    self.history = history
    self.isChoice = isChoice
    self.note = note
    self.complete = complete
    editor = LineEditor(text)
    completions = complete(text)
  }

  static func == (one: Prompt, other: Prompt) -> Bool { one === other }

  /// A prompt that accepts one of some names. It lists those that begin with what is typed, with words about
  /// each.
  static func choice(
    _ label: String, note: @escaping (String) -> String?,
    among choices: @escaping () -> [(name: String, words: String)]
  ) -> Prompt {
    Prompt(label, isChoice: true, note: note) { typed in
      choices().filter { $0.name.lowercased().hasPrefix(typed.lowercased()) }
        .map { Completion(text: $0.name, title: $0.name, words: $0.words) }
    }
  }

  /// The sentence on why nothing is listed; nil if something is, or a line is free.
  var words: String? { completions.isEmpty ? note?(editor.text) : nil }

  func handle(_ key: Key, _ keys: EditingKeys = .usual) -> Outcome {
    awaitsChoice = false
    switch (keys[key], key.description) {
    // As in a shell, unless they have another meaning.
    case (.lineUp?, "C-p"), (nil, "C-p"): recall(by: 1)
    case (.lineDown?, "C-n"), (nil, "C-n"): recall(by: -1)
    case (.lineDown?, _), (_, "Tab"): choose(by: 1)
    case (.lineUp?, _), (_, "S-Tab"): choose(by: -1)
    case (.deleteLeft?, _) where editor.isEmpty: return .cancelled
    case (_, "C-c"): return .cancelled
    default:
      switch editor.handle(key, keys) {
      case .commit: return accept()
      case .cancel: return .cancelled
      case .handled: update()
      case .ignored: break
      }
    }
    return .open
  }

  func paste(_ text: String) {
    editor.paste(text)
    update()
  }

  /// Updates the completions after their source has changed.
  func refresh() {
    if chosen == nil { update() }
  }

  private func update() {
    chosen = nil
    completions = complete(editor.text)
  }

  private func accept() -> Outcome {
    guard isChoice else { return .accepted(editor.text) }
    guard let completion = chosen.map({ completions[$0] }) ?? completions.first else {
      awaitsChoice = true
      return .open
    }
    return .accepted(completion.value ?? completion.text)
  }

  /// Cycles through the completions; the line becomes the selected one, and the list stays.
  private func choose(by step: Int) {
    guard !completions.isEmpty else { return }
    let next =
      if let chosen { (chosen + step + completions.count) % completions.count } else {
        step > 0 ? 0 : completions.count - 1
      }
    chosen = next
    editor = LineEditor(completions[next].text)
    // The only completion: the text after it can be completed next.
    if completions.count == 1 { update() }
  }

  private func recall(by step: Int) {
    let age = age + step
    guard (0...history.count).contains(age) else { return }
    self.age = age
    editor = LineEditor(age == 0 ? "" : history[history.count - age])
    update()
  }

  private static let mostCompletions = 8
  private static let mostLinesOfWords = 3

  /// Draws the prompt on the last line, and its completions on those above.
  func draw(into canvas: inout Canvas, _ appearance: Appearance) {
    let line = canvas.height - 1
    guard line >= 0 else { return }
    canvas.putPrompt(label(inWidth: canvas.width), editor, hints: "", appearance.palette)
    drawCompletions(into: &canvas, above: line, appearance)
  }

  /// The label, which leaves to the typed text at least half of a narrow terminal.
  private func label(inWidth width: Int) -> String {
    let most = max(width / 2, width - Self.leastTypedWidth)
    guard DisplayText(label).width > most else { return label }
    return DisplayText(String(label.dropLast(2)), clippedTo: max(1, most - 2)).string + ": "
  }

  private static let leastTypedWidth = 20

  private func drawCompletions(into canvas: inout Canvas, above line: Int, _ appearance: Appearance) {
    let palette = appearance.palette
    if let words { return drawWords(words, into: &canvas, above: line, palette) }
    let count = min(Self.mostCompletions, completions.count, line - 1)
    guard count > 0 else { return }
    // The chosen completion is always in sight.
    let first = min(max(0, (chosen ?? 0) - count + 1), completions.count - count)
    let titleWidth = min(
      completions[first..<first + count].map { DisplayText($0.title).width }.max() ?? 0, canvas.width / 2)
    for offset in 0..<count {
      let completion = completions[first + offset]
      var style = Style(foreground: palette.panelText, background: palette.panel)
      if first + offset == chosen {
        style = Style(
          foreground: palette.chosen.contrastingText, background: palette.chosen,
          attributes: appearance.hasColors ? .bold : .reverse)
      }
      let place = line - count + offset
      canvas.fill(line: place, height: 1, style: style)
      let keys = DisplayText(completion.keys)
      let room = canvas.width - titleWidth - 4 - keys.width - 2
      let hasWords = !completion.words.isEmpty && room > 8
      let end =
        hasWords ? titleWidth : max(titleWidth, canvas.width - 3 - (keys.width > 0 ? keys.width + 2 : 0))
      canvas.put(DisplayText(completion.title, clippedTo: end), column: 2, line: place, style: style)
      if hasWords {
        canvas.put(
          DisplayText(completion.words, clippedTo: room), column: titleWidth + 4, line: place, style: style)
      }
      if keys.width > 0, canvas.width > min(end, DisplayText(completion.title).width) + keys.width + 4 {
        canvas.put(keys, column: canvas.width - keys.width - 1, line: place, style: style)
      }
    }
  }

  private func drawWords(_ words: String, into canvas: inout Canvas, above line: Int, _ palette: Palette) {
    let most = min(Self.mostLinesOfWords, line - 1)
    guard most > 0 else { return }
    let style = Style(foreground: palette.panelText, background: palette.panel)
    let lines = DisplayText.lines(ofMessage: words, width: canvas.width - 3, atMost: most)
    for (place, text) in zip((line - lines.count)..., lines) {
      canvas.fill(line: place, height: 1, style: style)
      canvas.put(text, column: 2, line: place, style: style)
    }
  }
}
