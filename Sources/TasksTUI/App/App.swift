import FoundationEssentials
import LiveStore
import TasksModel

/// The app without its terminal: it handles events, and draws its state at a moment into a canvas.
final class App {
  /// A request to the owner of the terminal and the process.
  enum Request: Equatable {
    case repaint
    case suspend
    case quit(status: Int32)
    /// Edit the note of a task in another program, and then pass it to `finishNote`.
    case editNote(Identifier, text: String)
  }

  let context: ScreenContext
  let stateFile: StateFile?
  /// The configuration as last read from the file.
  var configuration: Configuration
  /// The last failure of the worker that reads dates, as the person was told.
  var dateFailure: StoreError?
  /// Whether the worker that reads dates has failed; the next key starts it again.
  var isDateWorkerIdle = false
  /// Whether input comes in lines, whose reader makes keys of them and has to know these.
  var readsLines = false {
    didSet { takeKeys() }
  }
  var screen: any Screen
  private(set) var help: HelpScreen?
  var search: SearchScreen?
  /// The note that is open.
  var note: NoteScreen?
  /// The task whose note is being edited in another program.
  var noteInEditor: Identifier? {
    didSet { updatePresence() }
  }
  /// The prompt on the bottom line, and the action for its answer.
  var prompt: (prompt: Prompt, accept: (String) -> Request?)?
  private var commandHistory: [String] = []
  /// The other windows; nil if this window takes no part.
  var presence: Presence?
  /// Whether this window takes part.
  var takesPart = false
  /// The other windows as last reported.
  var toldWindows: [OtherWindow] = []
  let join: () throws(WindowFile.Unavailable) -> Presence?
  /// The count typed so far, for the command that follows.
  var pendingCount: Int?
  private var slide: ScreenSlide?
  private(set) var lastFrame: Canvas?
  /// Whether the file can be followed again, so that work beside the screen has to start again.
  var mustBeginAnew = false
  private var lastPaintedAt = Duration.zero
  /// The lines above the rows, and the lines of the rows, in the last frame.
  private(set) var titleLines = 0
  private(set) var rowLines = 0

  /// Opens the list that was open last, otherwise the first one, otherwise the screen of all lists.
  ///
  /// - Parameters:
  ///   - join: Adds this window to those on the file; nil if it cannot take part.
  ///   - clock: A monotonic clock.
  init(
    store: TasksStore, appearance: Appearance, configuration: Configuration = Configuration(),
    stateFile: StateFile? = nil, isReadOnly: Bool = false, calendar: DateWords = DateWords(),
    searchInbox: SearchInbox? = nil,
    join: @escaping () throws(WindowFile.Unavailable) -> Presence? = { () throws(WindowFile.Unavailable) in
      nil
    },
    clock: @escaping () -> Duration
  ) {
    self.join = join
    context = ScreenContext(
      store: store, appearance: appearance, settings: configuration.settings, isReadOnly: isReadOnly,
      calendar: calendar, searchInbox: searchInbox, clock: clock)
    self.configuration = configuration
    self.stateFile = stateFile
    let named = configuration.settings.list
    let chosen = named.isEmpty ? nil : try? store.list(named: named)
    if let list = chosen ?? stateFile?.lastList.flatMap(store.list) ?? store.lists.first {
      screen = TasksScreen(context: context, list: list)
    } else {
      screen = ListsScreen(context: context)
    }
    takeKeys()
    updatePresence()
  }

  /// The screen that receives keys.
  var front: any Screen { help ?? note ?? search ?? screen }

  var message: String? { context.message }

  func clearMessage() { context.message = nil }
  func closeHelp() { help = nil }

  /// Whether clicks, drags and the wheel are used.
  var wantsMouse: Bool { context.settings.mouse }

  // MARK: Events

  /// Whether keys with a character type it.
  var takesText: Bool { prompt != nil || front.isEditing }

  func handle(_ event: InputEvent) -> Request? {
    defer { updatePresence() }
    if isDateWorkerIdle, context.loss == nil {
      isDateWorkerIdle = false
      mustBeginAnew = true
    }
    switch event {
    case .key(let key):
      context.message = nil
      context.needsFrame = true
      let isCursorWhereItWas = tryToFollow()
      defer { leaveIfGone() }
      if context.isUnreadable { return handleUnreadable(key) }
      // The person meant another row.
      if !isCursorWhereItWas, !takesText { return nil }
      return handle(key)
    case .paste(let text):
      context.message = nil
      context.needsFrame = true
      tryToFollow()
      if context.isUnreadable { return nil }
      if let prompt {
        prompt.prompt.paste(text)
      } else if front.isEditing || !context.refuses(.rows(.add)) {
        front.paste(text)
      }
      leaveIfGone()
      return nil
    case .resize:
      context.needsFrame = true
      return nil
    case .reply(.background(let color)):
      context.terminalBackground = color
      return nil
    case .mouse(let event): return context.isUnreadable ? nil : handle(event)
    case .reply: return nil
    case .suspend: return .suspend
    case .resumed:
      catchUp()
      return .repaint
    case .statusReport: return nil
    case .interrupted(let signal): return .quit(status: 128 + signal)
    // The terminal has hung up: the same as its signal.
    case .endOfInput: return .quit(status: 128 + 1)
    }
  }

  private func handle(_ key: Key) -> Request? {
    if prompt != nil { return typeIntoPrompt(key) }
    if let search, help == nil, note == nil {
      leave(search, search.handle(key))
      return nil
    }
    if front.isEditing {
      front.type(key)
      if note?.isDone == true { note = nil }
      return nil
    }
    if let digit = key.typed?.asciiDigit, digit > 0 || pendingCount != nil {
      pendingCount = min((pendingCount ?? 0) * 10 + digit, CommandCall.greatestCount)
      return nil
    }
    let count = pendingCount
    pendingCount = nil
    // Escape only cancels a count.
    if count != nil, key == Key(.escape) { return nil }
    return context.keys[key].flatMap { perform(CommandCall($0, count: count)) }
  }

  func perform(_ call: CommandCall) -> Request? {
    guard allows(call.command) else { return nil }
    if help == nil, context.refuses(call.command) { return nil }
    switch front.perform(call) {
    case .passOn?:
      guard case .app(let command) = call.command else { return nil }
      return perform(command, call)
    case .editNote(let id)?:
      return context.store.task(id).map { .editNote(id, text: $0.notes) }
    case let request?: follow(request)
    case nil: break
    }
    return nil
  }

  private func perform(_ command: AppCommand, _ call: CommandCall) -> Request? {
    switch command {
    case .repaint: return .repaint
    case .suspend: return .suspend
    case .quit: return .quit(status: 0)
    case .help: help = HelpScreen(context: context, about: call.argument ?? "")
    case .commandLine: askForCommand(count: call.count)
    case .set: set(call.argument ?? "")
    case .theme: set("theme " + (call.argument ?? ""))
    case .windows: tellOfWindows()
    case .search: startSearch(call.argument ?? "")
    case .today: collect(.today)
    case .tag: collectTag(call)
    case .repeatChange: return repeatChange(count: call.count)
    }
    return nil
  }

  private func collectTag(_ call: CommandCall) {
    guard let name = call.argument else { return askForTag(call) }
    if let tag = TaskTags.name(name) {
      collect(.tag(tag))
    } else {
      context.say("A tag is a word with a letter in it.")
    }
  }

  private func repeatChange(count: Int?) -> Request? {
    guard var call = context.lastChange else {
      context.say("There is no change to repeat yet.")
      return nil
    }
    if let count { call.count = count }
    return perform(call)
  }

  /// Whether there is work that takes time, such as a search: `work` is then called when nothing else is due.
  var hasWork: Bool { front.hasWork }

  func work(for duration: Duration) { front.work(for: duration) }

  /// Takes over the results of search threads.
  func collectFindings() {
    if let finding = context.searchInbox?.take() { search?.take(finding) }
  }

  // MARK: The bottom line

  private func askForCommand(count: Int?) {
    let prompt = Prompt(
      ":", text: count.map { "\($0) " } ?? "", history: commandHistory,
      complete: { [context] in
        CommandLineParser.completions(of: $0, context.keys, context.settings) {
          context.tags.completions(of: $0)
        }
      })
    self.prompt = (prompt, { [unowned self] in run(line: $0) })
  }

  /// Runs a line as if it was typed after `:`.
  func run(line: String) -> Request? {
    defer { updatePresence() }
    do throws(CommandLineParser.Problem) {
      guard let call = try CommandLineParser.call(line) else { return nil }
      if commandHistory.last != line { commandHistory.append(line) }
      return perform(call)
    } catch {
      context.say(error.message)
      return nil
    }
  }

  func typeIntoPrompt(_ key: Key) -> Request? {
    guard let (prompt, accept) = prompt else { return nil }
    switch prompt.handle(key, context.editingKeys) {
    case .open: return nil
    case .cancelled:
      self.prompt = nil
      return nil
    case .accepted(let line):
      self.prompt = nil
      return accept(line)
    }
  }

  // MARK: Screens

  private func follow(_ request: ScreenRequest) {
    switch request {
    case .closeHelp: help = nil
    case .askForList(let call): askForList(call)
    case .askForDate(let call): askForDate(call)
    case .askForRepetition(let call, let task): askForRepetition(call, task: task)
    case .askForPriority(let call): askForPriority(call)
    case .openNote(let id): openNote(of: id)
    // Answered where the command was given.
    case .passOn, .editNote: break
    case .openTask(let id, let place): open(place, selecting: id)
    case .openSubtasks(let id): openSubtasks(of: id)
    case .closeSubtasks(let id, let list): closeSubtasks(of: id, list: list)
    case .addSubtask(let id):
      if openSubtasks(of: id) { _ = screen.perform(CommandCall(.rows(.add))) }
    case .showLists(let id): show(ListsScreen(context: context, selecting: id), from: .above)
    case .openList(let id): open(id)
    }
  }

  /// - Parameter task: The task with the cursor; the first if there is none with this id.
  func open(_ id: Identifier, selecting task: Identifier? = nil) {
    guard let list = context.store.list(id) else {
      return context.say("That list has been deleted elsewhere.")
    }
    stateFile?.remember(list: id)
    show(TasksScreen(context: context, list: list, selecting: task), from: .below)
  }

  func show(_ next: any Screen, from side: ScreenSlide.Side) {
    if context.appearance.isAnimated, help == nil, let lastFrame {
      slide = ScreenSlide(of: lastFrame, from: side, context.appearance, at: context.clock())
    }
    screen = next
    context.needsFrame = true
  }

  func leaveIfGone() {
    // Rows that cannot be read look like rows that are gone.
    guard screen.isGone, !hasMisread, !context.isUnreadable else { return }
    // The prompt was about the rows of the former screen.
    prompt = nil
    search = nil
    note = nil
    let tasks = screen as? TasksScreen
    let rescued =
      tasks?.rescueText() == true
      ? " \(context.editingKey(.paste)) in a row brings back what you were typing." : ""
    if let (list, sentence) = tasks?.departure {
      show(TasksScreen(context: context, list: list), from: .above)
      return context.say(sentence + rescued)
    }
    let name = DisplayText(tasks?.listName ?? screen.title, clippedTo: 30).string
    show(ListsScreen(context: context), from: .above)
    context.say("The list “\(name)” was deleted elsewhere." + rescued)
  }

  // MARK: Drawing

  /// The time of the next frame; `nil` when nothing has changed and nothing moves.
  func nextFrame(after time: Duration) -> Duration? {
    if context.needsFrame { return time }
    if slide != nil { return max(time, lastPaintedAt + ScreenSlide.frameInterval) }
    return front.nextFrame(after: time)
  }

  /// Draws the whole screen at a moment. The next key means the row under the cursor in this frame.
  func draw(width: Int, height: Int, at time: Duration) -> Canvas {
    var canvas = picture(width: width, height: height, at: time)
    if hasMisread {
      recoverFromMisreading(triesAgain: true)
      canvas = picture(width: width, height: height, at: time)
      // The next key tries again.
      if hasMisread {
        recoverFromMisreading(triesAgain: false)
        canvas = picture(width: width, height: height, at: time)
      }
    }
    if context.appearance.isASCII { canvas.useASCII() }
    return canvas
  }

  /// Lays the rows out as for a frame, which is painted later.
  func layOut(width: Int, height: Int) {
    _ = picture(width: width, height: height, at: context.clock())
    context.needsFrame = true
  }

  private func picture(width: Int, height: Int, at time: Duration) -> Canvas {
    context.needsFrame = false
    lastPaintedAt = time
    var canvas = Canvas(width: width, height: height)
    canvas.fill(style: context.palette.plain)
    // On few lines, rows come first, then the message line, then the title.
    titleLines = height > 2 ? 1 : 0
    let statusLines = height > 1 ? 1 : 0
    let lossLines = Chrome.lossLines(context, width: width, atMost: height - titleLines - statusLines)
    let rect = CellRect(
      line: titleLines, width: width, height: height - titleLines - statusLines - lossLines.count)
    rowLines = rect.height
    if context.isUnreadable, help == nil {
      if let lastFrame { canvas.copy(lastFrame, lines: 0..<titleLines + rect.height) }
    } else {
      front.draw(into: &canvas, rect: rect, at: time)
      if titleLines > 0 { Chrome.drawTitle(of: front, context, into: &canvas) }
    }
    Chrome.drawLoss(lossLines, context, into: &canvas, line: titleLines + rect.height)
    if statusLines > 0 {
      Chrome.drawStatus(
        of: front, context, count: pendingCount, windows: windowsSummary, into: &canvas, line: height - 1)
    }
    if let moving = slide {
      if var between = moving.frame(to: canvas, at: time) {
        prompt?.prompt.draw(into: &between, context.appearance)
        return between
      }
      slide = nil
    }
    if !context.isUnreadable, !hasMisread { lastFrame = canvas }
    if let help { help.drawPrompt(into: &canvas) } else if note == nil { search?.drawPrompt(into: &canvas) }
    prompt?.prompt.draw(into: &canvas, context.appearance)
    return canvas
  }
}

extension Character {
  fileprivate var asciiDigit: Int? { isASCII ? wholeNumberValue : nil }
}
