import FoundationEssentials
import LiveStore
import TasksModel
import TerminalUI

/// The state that the screens share.
final class ScreenContext {
  let store: TasksStore
  /// The appearance, from the settings and this terminal.
  private(set) var appearance: Appearance
  var settings: Settings {
    didSet {
      store.completedRows = settings.completedRows
      needsFrame = true
      updateAppearance()
    }
  }
  /// The terminal's background color, once it is known.
  var terminalBackground: RGB? {
    didSet { updateAppearance() }
  }
  var keys = KeyMap() {
    didSet { needsFrame = true }
  }
  /// The key map while a text is being typed.
  var editingKeys = EditingKeys.usual {
    didSet { needsFrame = true }
  }
  /// The capabilities of the terminal.
  private let terminal: Appearance
  /// A monotonic clock, which drives animations.
  let clock: () -> Duration
  /// Whether nothing may be changed here.
  let isReadOnly: Bool
  /// The present day in words.
  let calendar: DateWords
  /// The inbox for the results of search threads; nil if there are none.
  let searchInbox: SearchInbox?
  /// The reader of typed dates, which knows the present day.
  var dates: DateReader {
    DateReader(locale: store.dates.locale, calendar: calendar.calendar, now: calendar.now)
  }
  /// The findings about a long file before it has been read.
  let memory: FileMemory
  /// The existing tags, read when they are first needed.
  private(set) lazy var tags = makeTags()

  /// Forgets the tags, so that they are read again when needed.
  func forgetTags() { tags = makeTags() }

  private func makeTags() -> TagNames {
    let tags = TagNames(store)
    tags.onChange = { [weak self] in self?.needsFrame = true }
    return tags
  }

  /// The other windows on the file, as far as they take part.
  var otherWindows: [OtherWindow] = [] {
    didSet {
      rowsEditedElsewhere = Set(otherWindows.compactMap(\.state.activity.row))
      needsFrame = true
    }
  }
  private(set) var rowsEditedElsewhere: Set<Identifier> = []
  /// The journal of changes that came from other machines; nil if the file has not been joined.
  var syncJournal: SyncJournal?
  /// The number of the last change from another machine that was delivered before the present delivery.
  var lastArrival: Int64 = 0
  /// The last sentence about a person at another machine, which the next one replaces.
  var actorSentence: String?
  /// The message to the person, until the next key.
  var message: String? { didSet { (messageEnd, tellsOfUndo) = (nil, false) } }
  /// The moment at which the message ceases to be true; nil if it does not.
  private var messageEnd: Date?
  /// Whether the message is about what undo or redo did, which may have taken the open list away.
  var tellsOfUndo = false
  /// The reason why the file cannot be followed; nil while it can be. Nothing is written meanwhile.
  var loss: StoreError? {
    didSet {
      store.refusal = loss
      failure = failure ?? loss
      needsFrame = true
    }
  }
  /// The error that ended the observation of some rows, which have to be made anew; nil if none has.
  var endOfObservation: StoreError?
  /// Whether not even the version shown can be read.
  var isUnreadable = false
  /// The failed reads of the store that have been dealt with.
  var knownFailedReads = 0
  /// The first error of the file that was reported, for sessions that must not continue after it, such as a
  /// script.
  private(set) var failure: StoreError?
  /// The sentence on an argument that was not understood, for sessions that must not continue after it.
  private(set) var refusedArgument: String?
  /// The texts killed in the line editor, kept from one row to the next.
  var killRing = KillRing()
  /// The last search: matches are highlighted in the rows until Esc, and n moves to the next one.
  var searchPattern: SearchPattern? { didSet { lastPattern = searchPattern ?? lastPattern } }
  /// The pattern of the last search, also of one that Esc has ended: n goes on with it.
  private(set) var lastPattern: SearchPattern?
  var lastChange: CommandCall?
  /// The places in which tasks were found to wait.
  var placesWithWaiting: Set<Place> = []
  /// The tasks that show their subtasks.
  var folding = Folding()
  /// Whether the terminal is so wide that the details of tasks have columns.
  var isWide = false
  /// Whether a prompt or a question is open, whose answer is about the row that was meant when it was asked,
  /// also if another one comes under the cursor.
  var isAsking = false
  /// Whether a change has not been drawn yet.
  var needsFrame: Bool {
    get { isFrameDue }
    set {
      isFrameDue = newValue
      if newValue { generation &+= 1 }
    }
  }
  private var isFrameDue = true
  /// A number that differs whenever something else than the cursor and the time may have changed since the
  /// last frame, apart from the file.
  private(set) var generation = 0

  /// Requests a frame because the cursor may have moved, and nothing else has changed.
  func requestFrameOfCursor() { isFrameDue = true }

  init(
    store: TasksStore, appearance terminal: Appearance, settings: Settings = Settings(),
    isReadOnly: Bool = false, calendar: DateWords = DateWords(), searchInbox: SearchInbox? = nil,
    findings: FileFindings? = nil, clock: @escaping () -> Duration
  ) {
    memory = FileMemory(store, findings)
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

  /// The moment of a wall clock time on the clock of frames.
  func moment(of date: Date) -> Duration {
    let seconds = date.timeIntervalSince(calendar.now())
    // At once: the clock has gone on since the caller has read it.
    guard seconds > 0 else { return .zero }
    // No frame is due in more than a month, and no number overflows.
    return clock() + .seconds(min(seconds, 2_678_400))
  }

  var palette: Palette { appearance.palette }

  /// The key to teach for a command, or the way to type the command if it has none.
  func key(_ command: Command) -> String { keys.label(for: command) }

  /// The key to teach for a command of the line editor.
  func editingKey(_ command: EditingCommand) -> String { editingKeys.label(for: command) }

  /// Whether a command is refused because it would change something; the person is then told.
  func refuses(_ command: Command) -> Bool {
    CommandTable.description(of: command)?.group == .change && refusesWriting()
  }

  /// Says that nothing can be written here, if that is so.
  func refusesWriting() -> Bool {
    if isReadOnly { say("This window is read-only.") }
    return isReadOnly
  }

  func say(_ message: String, until end: Date? = nil) {
    self.message = message
    messageEnd = end
    needsFrame = true
  }

  /// Says it where there is nothing to return.
  func say<Result>(_ message: String) -> Result? {
    say(message)
    return nil
  }

  /// Removes a message that is no longer true.
  func dropOldMessage() {
    guard let end = messageEnd, end <= calendar.now() else { return }
    message = nil
  }

  /// Says why the argument of a command cannot be taken.
  func refuse(_ sentence: String) {
    refusedArgument = refusedArgument ?? sentence
    say(sentence)
  }

  /// The subject and the verb of a sentence about rows, of which a single one is named.
  func subject(
    _ rows: [Identifier], _ noun: String, _ verb: String, _ pluralVerb: String, text: (Identifier) -> String?
  ) -> String {
    guard rows.count == 1 else { return "The \(rows.count.grouped) \(noun) \(pluralVerb)" }
    return "\((text(rows[0]) ?? "").quoted) \(verb)"
  }

  /// Says that a row is not where the person saw it.
  ///
  /// - Parameter isThere: Whether it is elsewhere now, or out of sight.
  func sayRowIsGone(isThere: Bool = false) {
    say(isThere ? "That row is no longer here." : "That row has just been deleted elsewhere.")
  }

  /// Says it where there is nothing to return.
  func sayRowIsGone<Result>() -> Result? {
    sayRowIsGone()
    return nil
  }

  /// Reports an error, in its own sentence, or in one that is short enough for a line.
  func say(_ error: any Error) {
    let storeError = error as? StoreError
    failure = failure ?? storeError
    if let storeError, storeError == loss { return say("Nothing was saved.") }
    say(storeError?.code == .busy ? "Another program writes. Try again." : storeError?.sentence ?? "\(error)")
  }

  /// Says it where there is nothing to return.
  func say<Result>(_ error: any Error) -> Result? {
    say(error)
    return nil
  }
}
