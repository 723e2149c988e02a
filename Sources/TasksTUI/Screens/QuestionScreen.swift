/// A question on the last line: y performs the command that asks it, any other character does not.
final class QuestionScreen: Screen {
  private let question: String
  private let call: CommandCall
  private let context: ScreenContext
  /// A pasted answer, which Enter gives: that is how lines arrive in a session without a terminal.
  private var pasted = ""

  init(_ question: String, _ call: CommandCall, _ context: ScreenContext) {
    self.question = question
    self.call = call
    self.context = context
  }

  var title: String { question }
  var isEditing: Bool { true }
  var fillsTerminal: Bool { false }
  var needsFile: Bool { false }
  var spokenPosition: String? { "\(question) y or n" }

  func type(_ key: Key) -> ScreenRequest? {
    if key == Key(.enter) { return answer(pasted) }
    if context.editingKeys[key] == .cancel { return answer("n") }
    return key.typed.map { answer(String($0)) }
  }

  func paste(_ text: String) { pasted = text }

  private func answer(_ text: String) -> ScreenRequest {
    if ["y", "yes"].contains(text.lowercased()) { return .answer("", .confirmed(call)) }
    context.say("Nothing was changed.")
    return .close
  }

  func drawBottomLine(into canvas: inout Canvas) {
    let answers = " (y/n) "
    let text = DisplayText(question, clippedTo: max(0, canvas.width - answers.utf8.count - 1)).string
    canvas.putPrompt(text + answers, LineEditor(), hints: "", context.palette)
  }
}
