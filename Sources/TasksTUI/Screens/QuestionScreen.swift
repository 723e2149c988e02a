import TerminalUI

/// A question on the last line that one letter answers.
final class QuestionScreen: Screen {
  private let question: String
  private let use: PromptScreen.Use
  private let context: ScreenContext
  /// A pasted answer, which Enter gives: that is how lines arrive in a session without a terminal.
  private var pasted = ""

  /// A question whose answer y performs the command that asks it; any other character does not.
  convenience init(_ question: String, _ call: CommandCall, _ context: ScreenContext) {
    self.init(question, for: .confirmed(call, question: question), context)
  }

  /// The question what several pasted lines are: as many rows, or one. Another answer drops them.
  convenience init(pasting text: String, _ context: ScreenContext) {
    let count = text.linesForRows.count.grouped
    self.init("\(count) lines: a row for each (y), or one for all (n)?", for: .pasted(text), context)
  }

  private init(_ question: String, for use: PromptScreen.Use, _ context: ScreenContext) {
    self.question = question
    self.use = use
    self.context = context
  }

  var title: String { question }
  var isEditing: Bool { true }
  var fillsTerminal: Bool { false }
  var spokenPosition: String? { "\(question) y or n" }

  func type(_ key: Key) -> ScreenRequest? {
    if key == Key(.enter) { return answer(pasted) }
    if context.editingKeys[key] == .cancel { return answer("") }
    return key.typed.map { answer(String($0)) }
  }

  func paste(_ text: String) -> ScreenRequest? {
    pasted = text
    return nil
  }

  private func answer(_ text: String) -> ScreenRequest {
    let text = text.lowercased()
    if ["y", "yes"].contains(text) { return .answer("y", use) }
    if case .pasted = use, ["n", "no"].contains(text) { return .answer("n", use) }
    context.say("Nothing was changed.")
    return .close
  }

  func drawBottomLine(into canvas: inout Canvas) { canvas.putQuestion(question + " (y/n)", context.palette) }
}
