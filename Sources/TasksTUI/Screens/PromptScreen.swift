import TerminalUI

/// A prompt on the last line, above the screen that it was opened from.
final class PromptScreen: Screen {
  /// The use of the line that is typed.
  enum Use: Equatable {
    case command
    case argument(of: CommandCall)
    /// The answer yes, to the question of a command.
    case confirmed(CommandCall, question: String)
    /// The answer, to whether each pasted line is a row.
    case pasted(String)
  }

  let prompt: Prompt
  private let use: Use
  private let context: ScreenContext

  init(_ prompt: Prompt, for use: Use, _ context: ScreenContext) {
    self.prompt = prompt
    self.use = use
    self.context = context
  }

  var title: String { prompt.label }
  var isEditing: Bool { true }
  var fillsTerminal: Bool { false }

  var spokenPosition: String? {
    let choices = prompt.completions.prefix(12).map(\.title).joined(separator: ", ")
    return prompt.label + (choices.isEmpty ? prompt.words ?? "" : "One of: \(choices)")
  }

  func type(_ key: Key) -> ScreenRequest? {
    switch prompt.handle(key, context.editingKeys) {
    case .open: nil
    case .cancelled: .close
    case .accepted(let line): .answer(line, use)
    }
  }

  func paste(_ text: String) -> ScreenRequest? {
    prompt.paste(text)
    return nil
  }

  func drawBottomLine(into canvas: inout Canvas) { prompt.draw(into: &canvas, context.appearance) }
}
