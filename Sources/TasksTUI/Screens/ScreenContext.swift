import FoundationEssentials
import LiveStore
import TasksModel

/// What the screens have in common.
final class ScreenContext {
  let store: TasksStore
  /// How things are drawn, by the settings on this terminal.
  private(set) var appearance: Appearance
  /// What the person has set.
  var settings: Settings {
    didSet {
      store.completedRows = settings.completedRows
      updateAppearance()
    }
  }
  /// The terminal's own background, once it has told.
  var terminalBackground: RGB? {
    didSet { updateAppearance() }
  }
  /// Which key asks for what.
  var keys = KeyMap() {
    didSet { needsFrame = true }
  }
  /// Which key asks for what while a text is being typed.
  var editingKeys = EditingKeys.usual {
    didSet { needsFrame = true }
  }
  /// What the terminal can do.
  private let terminal: Appearance
  /// Monotonic; animations run by it.
  let clock: () -> Duration
  /// Nothing may be changed here.
  let isReadOnly: Bool
  /// Which day it is.
  let calendar: DateWords
  /// Where threads that search leave what they find; nil where searching is done without them.
  let searchInbox: SearchInbox?
  /// Reads dates that are typed, by this day.
  var dates: DateReader {
    DateReader(locale: store.dates.locale, calendar: calendar.calendar, now: calendar.now)
  }
  /// The tags that there are, from when they are asked for first.
  private(set) lazy var tags = TagNames(store)
  /// The other windows on the file, as far as they tell of themselves.
  var otherWindows: [OtherWindow] = [] {
    didSet {
      rowsEditedElsewhere = Set(otherWindows.compactMap(\.state.activity.row))
      needsFrame = true
    }
  }
  private(set) var rowsEditedElsewhere: Set<Identifier> = []
  /// What there is to say to the person, until they strike the next key.
  var message: String?
  /// The first error of the file that was said, for what must not go on after it, as a script.
  private(set) var failure: StoreError?
  /// What was killed in the line editor, from one row to the next.
  var killRing = KillRing()
  /// What was searched for last: it is marked in the rows until Esc, and n goes on to the next row that has
  /// it.
  var searchPattern: SearchPattern?
  /// What was changed last, to be repeated.
  var lastChange: CommandCall?
  /// Which tasks show their subtasks.
  var folding = Folding()
  /// Something that is not drawn yet has changed.
  var needsFrame = true

  init(
    store: TasksStore, appearance terminal: Appearance, settings: Settings = Settings(),
    isReadOnly: Bool = false, calendar: DateWords = DateWords(), searchInbox: SearchInbox? = nil,
    clock: @escaping () -> Duration
  ) {
    self.terminal = terminal
    var settings = settings
    if !terminal.isAnimated { settings.animation = Appearance.Movement.off.rawValue }
    self.settings = settings
    appearance = settings.appearance(on: terminal, background: nil)
    self.searchInbox = searchInbox
    self.isReadOnly = isReadOnly
    self.calendar = calendar
    self.store = store
    store.completedRows = settings.completedRows
    self.clock = clock
    VisualOrder.isOn.store(appearance.ordersText, ordering: .relaxed)
  }

  private func updateAppearance() {
    let new = settings.appearance(on: terminal, background: terminalBackground)
    guard new != appearance else { return }
    appearance = new
    VisualOrder.isOn.store(new.ordersText, ordering: .relaxed)
    needsFrame = true
  }

  /// When a moment of the wall's clock comes by the one that frames go by.
  func moment(of date: Date) -> Duration {
    // No frame is due in more than a month, and no number overflows.
    clock() + .seconds(min(max(0, date.timeIntervalSince(calendar.now())), 2_678_400))
  }

  var palette: Palette { appearance.palette }

  /// The key to teach for a command, or how to type the command when it has none.
  func key(_ command: Command) -> String { keys.label(for: command) }

  /// The key to teach for a command of the line editor.
  func editingKey(_ command: EditingCommand) -> String { editingKeys.label(for: command) }

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

  /// Says what went wrong, in the error's own sentence, or in one that is short enough for a line.
  func say(_ error: any Error) {
    let storeError = error as? StoreError
    failure = failure ?? storeError
    say(storeError?.code == .busy ? "Another program writes. Try again." : "\(error)")
  }
}
