import TerminalUI

/// A notice on the last line, in place of a text that can no longer be typed: until Enter or Esc, keys that
/// were meant for the text do nothing. Without it they would be commands.
final class NoticeScreen: Screen {
  private let sentence: String
  private let context: ScreenContext

  init(_ sentence: String, _ context: ScreenContext) {
    self.sentence = sentence
    self.context = context
  }

  var title: String { sentence }
  var isEditing: Bool { true }
  var fillsTerminal: Bool { false }
  var spokenPosition: String? { "\(sentence) Enter goes on" }

  func type(_ key: Key) -> ScreenRequest? {
    guard key == Key(.enter) || context.editingKeys[key] == .cancel else { return nil }
    context.say(sentence)
    return .close
  }

  func drawBottomLine(into canvas: inout Canvas) {
    canvas.putQuestion("\(sentence) (Enter)", context.palette)
  }
}
