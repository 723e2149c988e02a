import LiveStore
import TasksModel

/// What the screens have in common.
final class ScreenContext {
  let store: TasksStore
  let appearance: Appearance
  /// Monotonic; animations run by it.
  let clock: () -> Duration
  /// Nothing may be changed here.
  let isReadOnly: Bool
  /// Which day it is.
  let calendar: DateWords
  /// Where threads that search leave what they find; nil where searching is done without them.
  let searchInbox: SearchInbox?
  /// What there is to say to the person, until they strike the next key.
  var message: String?
  /// What was killed in the line editor, from one row to the next.
  var killRing = KillRing()
  /// What was searched for last: it is marked in the rows until Esc, and n goes on to the next row that has it.
  var searchPattern: SearchPattern?
  /// What was changed last, to be repeated.
  var lastChange: CommandCall?
  /// Something that is not drawn yet has changed.
  var needsFrame = true

  init(
    store: TasksStore, appearance: Appearance, isReadOnly: Bool = false, calendar: DateWords = DateWords(),
    searchInbox: SearchInbox? = nil, clock: @escaping () -> Duration
  ) {
    self.searchInbox = searchInbox
    self.isReadOnly = isReadOnly
    self.calendar = calendar
    self.store = store
    self.appearance = appearance
    self.clock = clock
  }

  /// Whether a command must not be followed because it would change something; then it is said.
  func refuses(_ command: Command) -> Bool {
    guard isReadOnly, CommandTable.description(of: command)?.group == .change else { return false }
    say("This window is read-only.")
    return true
  }

  func say(_ message: String) {
    self.message = message
    needsFrame = true
  }

  /// Says what went wrong, in the error's own sentence.
  func say(_ error: any Error) { say("\(error)") }
}

/// How things are drawn here: what the person wants and what the terminal can do.
struct Appearance: Sendable {
  var isAnimated = true
  var hasColors = true
  var strikethrough = Terminal.Strikethrough.attribute
}
