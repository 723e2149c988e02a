import LiveStore
import SyncSigns
import TasksModel
import TerminalUI

/// The app without its terminal: it handles events, and draws its state at a moment into a canvas.
final class App {
  /// A request to the owner of the terminal and the process.
  enum Request: Equatable {
    case repaint
    case suspend
    case quit(status: Int32)
    /// Edit the note of a task in another program, and then pass it to `finishNote`.
    case editNote(Identifier, text: String)
    /// Copy a text to the clipboard.
    case copy(String)
  }

  let context: ScreenContext
  let stateFile: StateFile?
  /// The text that is stored for the next start.
  var keptUnsaved: UnsavedText?
  /// The configuration as last read from the file.
  var configuration: AppConfiguration
  /// The last failure of the worker that reads dates, as the person was told.
  var dateFailure: StoreError?
  /// Whether the worker that reads dates has failed; the next key starts it again.
  var isDateWorkerIdle = false
  /// Whether input comes in lines, whose reader makes keys of them and has to know these.
  var readsLines = false {
    didSet { takeKeys() }
  }
  var screens: ScreenStack
  /// The task whose note is being edited in another program.
  var noteInEditor: Identifier? {
    didSet { updatePresence() }
  }
  private var commandHistory: [String] = []
  /// The other windows; nil if this window takes no part.
  var presence: Presence?
  /// The reader of the agent that carries the file to other machines; nil if it has not been joined.
  var syncSign: SyncSign?
  /// Follows the agent of the file if it has been joined.
  var followSync: () -> Void = {}
  /// Starts the agent again, and returns whether that was possible.
  var startSyncAgent: () -> Bool = { false }
  /// The time at which this window last started the agent again.
  var agentStartedAt: Duration?
  /// The last message about changes that were lost, and the number of the one that it names.
  var toldLoss: (message: String, number: Int64?)?
  /// Settles a lost change, and returns whether that was possible.
  var settleLostChange: (LostChange, SyncLauncher.Settlement) -> Bool = { _, _ in false }
  var takesPart = false
  var reportedWindows: [OtherWindow] = []
  let join: () throws(WindowFile.Unavailable) -> Presence?
  /// The count typed so far, for the command that follows.
  var pendingCount: Int?
  var slide: ScreenSlide?
  var lastFrame: Canvas?
  /// The state that the last frame showed; nil if it was the intermediate picture of a movement.
  var shownState: ShownState?
  /// The words about other machines and other windows in the last frame.
  var shownSummary: String?
  /// Whether the file can be followed again, so that work beside the screen has to start again.
  var mustBeginAnew = false
  var lastPaintedAt = Duration.zero
  /// The lines above the rows in the last frame.
  var titleLines = 0
  /// The lines below the rows in the last frame: one, or two for a long message.
  var statusLines = 0
  /// The lists beside the rows, where there is room.
  let listsBeside: ListsBeside
  let keptLists: KeptLists
  /// The number of the last change from another machine after which the rows were put where they belong.
  var settledArrival: Int64 = 0
  /// The rectangle of the visible screen in the last frame, and that of all rows.
  var area = CellRect(width: 0, height: 0)
  var rowsArea = CellRect(width: 0, height: 0)
  /// The hints of the bottom line in the last frame, by their columns.
  var hints: [(columns: Range<Int>, hint: Hint)] = []
  /// The number of writes of this window of which all observers have been notified.
  var deliveredWriteCount = 0
  /// The keys and pastes that came during an action in parts. They are handled when it is done.
  private var typedAhead: ArraySlice<InputEvent> = []
  /// The keys without a meaning that have been told.
  private var toldKeys: Set<Key> = []

  /// Opens the list that was open last, otherwise the first one, otherwise the screen of all lists.
  ///
  /// - Parameters:
  ///   - join: Adds this window to those on the file; nil if it cannot take part.
  ///   - clock: A monotonic clock.
  init(
    store: TasksStore, appearance: Appearance, configuration: AppConfiguration = AppConfiguration(),
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
      calendar: calendar, searchInbox: searchInbox, findings: stateFile?.findings(about: store), clock: clock)
    listsBeside = ListsBeside(context)
    keptLists = KeptLists(context)
    self.configuration = configuration
    self.stateFile = stateFile
    if let hides = stateFile?.hidesCompleted { context.settings.hideCompleted = hides }
    let named = Self.list(namedIn: configuration, context)
    if let list = named ?? stateFile?.lastList.flatMap(store.list) ?? store.lists.first {
      screens = ScreenStack(TasksScreen(context: context, list: list))
    } else {
      screens = ScreenStack(ListsScreen(context: context))
    }
    takeKeys()
    updatePresence()
  }

  /// The rows beneath all that is open.
  var screen: any RowsScreen { screens.rows }
  /// The screen that receives keys.
  var front: any Screen { screens.front }

  /// Whether clicks, drags and the wheel are used.
  var wantsMouse: Bool { context.settings.mouse }

  // MARK: Events

  /// Whether keys with a character type it.
  var takesText: Bool { front.isEditing && !front.isCarryingOut && typedAhead.isEmpty }

  func handle(_ event: InputEvent) -> Request? {
    guard hasToWait(event) else { return handleNow(event) }
    typedAhead.append(event)
    return nil
  }

  private func hasToWait(_ event: InputEvent) -> Bool {
    switch event {
    case .key(let key) where front.isCarryingOut: context.editingKeys[key] != .cancel
    case .key, .paste: front.isCarryingOut || !typedAhead.isEmpty
    default: false
    }
  }

  private func handleNow(_ event: InputEvent) -> Request? {
    deliverOwnWrites()
    startMissingAgent()
    defer { updatePresence() }
    if isDateWorkerIdle, context.loss == nil {
      isDateWorkerIdle = false
      mustBeginAnew = true
    }
    switch event {
    case .key(let key):
      screen.letGo()
      if movesOnlyCursor(key) {
        context.requestFrameOfCursor()
      } else {
        context.message = nil
        context.needsFrame = true
      }
      let isCursorWhereItWas = tryToFollow()
      defer { leaveIfGone() }
      // The person meant another row.
      if !isCursorWhereItWas, !front.isEditing { return nil }
      return handle(key)
    case .paste(let text):
      screen.letGo()
      context.message = nil
      context.needsFrame = true
      tryToFollow()
      defer { leaveIfGone() }
      return isFrontUnreadable ? nil : follow(front.paste(text))
    case .resize:
      context.needsFrame = true
      return nil
    case .reply(.background(let color)):
      context.terminalBackground = color
      return nil
    case .mouse(let event): return handle(event)
    case .reply, .statusReport: return nil
    case .suspend: return .suspend
    case .resumed:
      advance()
      return .repaint
    case .interrupted(let signal): return interrupt(signal)
    // The terminal has hung up: the same as its signal.
    case .endOfInput: return interrupt(1)
    }
  }

  /// Whether a key moves the cursor of the rows, and changes nothing else that is on the screen.
  private func movesOnlyCursor(_ key: Key) -> Bool {
    guard case .cursor? = context.keys[key] else { return false }
    return front === screen && !screen.isEditing && !screen.hasMode && pendingCount == nil
      && context.message == nil && context.loss == nil
  }

  private func handle(_ key: Key) -> Request? {
    if isFrontUnreadable, front.isEditing { return endUnreadable(key) }
    if front.isEditing { return follow(front.type(key)) }
    if let digit = key.typed?.asciiDigit, digit > 0 || pendingCount != nil {
      pendingCount = min((pendingCount ?? 0) * 10 + digit, CommandCall.greatestCount)
      return nil
    }
    let count = pendingCount
    pendingCount = nil
    // Escape only cancels a count.
    if count != nil, key == Key(.escape) { return nil }
    guard let command = context.keys[key] else {
      tellMeaningless(key)
      return nil
    }
    return perform(CommandCall(command, count: count))
  }

  /// Says that a key does nothing, once for each: after that it is known.
  private func tellMeaningless(_ key: Key) {
    guard toldKeys.insert(key).inserted else { return }
    context.say("\(key.label) does nothing; \(context.key(.app(.help))) shows the keys that do.")
  }

  private func handle(_ event: MouseEvent) -> Request? {
    guard wantsMouse, !isFrontUnreadable else { return nil }
    if event.action == .press { context.message = nil }
    context.needsFrame = true
    pendingCount = nil
    defer { leaveIfGone() }
    if event.action == .press, event.line >= rowsArea.line + rowsArea.height,
      let hint = hints.first(where: { $0.columns.contains(event.column) }), front === screens.visible
    {
      let offset = event.column - hint.columns.lowerBound
      return hint.hint.key(at: offset, context.keys, context.editingKeys).flatMap(handle)
    }
    var event = event
    event.line -= area.line
    event.column -= area.column
    guard !(0..<area.width).contains(event.column) else { return follow(front.mouse(event)) }
    // Beside the rows none of them is meant.
    if let lines = event.wheelLines {
      listsBeside.scroll(byLines: lines)
      return nil
    }
    guard event.action == .press else { return follow(front.mouse(event)) }
    let list = listsBeside.list(atLine: event.line)
    guard list != nil || front === screen, front.makeWay(), let list else { return nil }
    return follow(.openList(list))
  }

  func perform(_ call: CommandCall) -> Request? {
    guard !isFrontUnreadable || call.command.needsNoFile else { return nil }
    let request = front.perform(call)
    if request == .passOn, case .app(let command) = call.command { return perform(command, call) }
    return follow(request)
  }

  private func perform(_ command: AppCommand, _ call: CommandCall) -> Request? {
    switch command {
    case .repaint: return .repaint
    case .suspend: return .suspend
    case .quit: return .quit(status: 0)
    // The reader of lines tells the keys itself.
    case .help: if !readsLines { screens.push(HelpScreen(context: context, about: call.argument ?? "")) }
    case .commandLine: askForCommand(count: call.count)
    case .set: set(call.argument ?? "")
    case .hide: toggleHiding()
    case .theme: set("theme " + (call.argument ?? ""))
    case .windows: reportWindows()
    case .sync: showSync()
    case .bringBack: settleLost(call.count, by: .restore)
    case .forgetLost: settleLost(call.count, by: .forget)
    case .search: startSearch(call.argument ?? "")
    case .today: collect(.today)
    case .upcoming: collect(.upcoming)
    case .waiting: collect(.waiting)
    case .done: collect(.done)
    case .archive: openArchive()
    case .tag: collectTag(call)
    case .color: setColor(call)
    case .filter: filter(call)
    case .saveSearch: saveSearch(call)
    case .keepSorted: keepSorted(call)
    case .repeatChange: return repeatChange(count: call.count)
    }
    return nil
  }

  private func collectTag(_ call: CommandCall) {
    guard let name = call.argument else { return askForTag(call) }
    if let tag = TaskTags.name(name) {
      collect(.tag(tag))
    } else {
      context.refuse("A tag is a word with a letter in it.")
    }
  }

  private func repeatChange(count: Int?) -> Request? {
    guard var call = context.lastChange else { return context.say("There is no change to repeat yet.") }
    if let count { call.count = count }
    return perform(call)
  }

  /// Whether there is work that takes time, such as a search, or a key that has waited for its end: `work` is
  /// then called when nothing else is due.
  var hasWork: Bool { screens.working.hasWork || !typedAhead.isEmpty }

  /// The time until that work may go on.
  var workDelay: Duration { nextTypedAhead == nil ? screens.working.workDelay : .zero }

  @discardableResult
  func work(for duration: Duration) -> Request? {
    guard let event = nextTypedAhead else { return follow(screens.working.work(for: duration)) }
    typedAhead.removeFirst()
    return handleNow(event)
  }

  private var nextTypedAhead: InputEvent? { front.isCarryingOut ? nil : typedAhead.first }

  /// Takes over the results of search threads.
  func collectFindings() {
    if let finding = context.searchInbox?.take() { screens.visible.take(finding) }
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
    ask(prompt, for: .command)
  }

  /// Runs a line as if it was typed after `:`.
  func run(line: String) -> Request? {
    defer { updatePresence() }
    do throws(CommandLineParser.Problem) {
      guard let call = try CommandLineParser.call(line) else { return nil }
      if commandHistory.last != line { commandHistory.append(line) }
      return perform(call)
    } catch {
      return context.say(error.message)
    }
  }

  // MARK: Screens

  func follow(_ request: ScreenRequest?) -> Request? {
    switch request {
    case nil, .passOn?: break
    case .close?: screens.pop()
    case .breakOff?:
      typedAhead = []
      screens.pop()
    case .carryOut(let work)?: push(ProgressScreen(work, context))
    case .goOn(let call)?:
      screens.pop()
      return perform(call)
    case .perform(let call)?: return perform(call)
    case .answer(let line, let use)?:
      screens.pop()
      switch use {
      case .command: return run(line: line)
      case .argument(var call):
        call.argument = line
        // Rows may have gone, or moved, since it asked.
        call.hasFoundRows = false
        return perform(call)
      case .confirmed(var call, let question):
        call.confirmed = question
        call.hasFoundRows = false
        return perform(call)
      case .pasted(let text):
        if line == "y" { return perform(CommandCall(.rows(.add), argument: text)) }
        screen.pasteIntoRow(text)
      }
    case .askAboutLines(let text)?: push(QuestionScreen(pasting: text, context))
    case .copy(let text)?:
      guard readsLines else { return .copy(text) }
      context.say("There is no clipboard without a terminal.")
    case .confirm(let question, let call)?: push(QuestionScreen(question, call, context))
    case .askForList(let call)?: askForList(call)
    case .ask(let prompt, let call)?: ask(prompt, for: .argument(of: call))
    case .renew?: renewScreens()
    case .openNote(let id)?: note(of: id).map(push)
    case .editNote(let id)?: return context.store.task(id).map { .editNote(id, text: $0.notes) }
    case .openTask(let id, let place)?:
      screens.popToRows()
      if screen.place == place { screen.select(id) } else { open(place, selecting: id) }
    case .openSubtasks(let id)?: openSubtasks(of: id)
    case .closeSubtasks(let id, let list)?: closeSubtasks(of: id, list: list)
    case .addSubtask(let id)?:
      if openSubtasks(of: id) { return perform(CommandCall(.rows(.add))) }
    case .showLists(let id)?: show(ListsScreen(context: context, selecting: id), from: .above)
    case .openList(let id)?: open(id)
    }
    return nil
  }

  /// Shows the tasks of a list; returns whether it still exists.
  @discardableResult
  func open(_ id: Identifier, selecting task: Identifier? = nil) -> Bool {
    guard let list = context.store.list(id) else {
      context.say("That list has been deleted elsewhere.")
      return false
    }
    if id != TaskList.archiveID { stateFile?.remember(list: id) }
    let beside = task == nil ? listsBeside.takePreview(of: id) : nil
    show(beside ?? TasksScreen(context: context, list: list, selecting: task), from: .below)
    return true
  }

  /// Keeps the findings about a long file for the next window; see `FileMemory.newFindings`.
  func rememberFindings(textsRead: StoreVersion?) {
    guard let stateFile, context.loss == nil,
      let findings = context.memory.newFindings(textsRead: textsRead)
    else { return }
    stateFile.remember(findings)
  }

  func show(_ next: any RowsScreen, from side: ScreenSlide.Side) {
    let old = screen
    if next is ListsScreen { listsBeside.keep(old) }
    screens.leave(for: next)
    // Beside each other, lists and tasks stay where they are.
    let areBeside = area != rowsArea || listsBeside.columns(of: rowsArea, for: next) != nil
    if context.appearance.isAnimated, screens.visible === next, let lastFrame,
      !areBeside || !(next is ListsScreen || old is ListsScreen)
    {
      slide = ScreenSlide(of: lastFrame, area, from: side, context.appearance, at: context.clock())
    }
    context.needsFrame = true
  }

  func push(_ screen: any Screen) { screens.push(screen) }

  /// Shows the same rows made anew, with the screens above them and the text that is being typed.
  func renewScreens() {
    let editing = screen.rowEditing
    context.needsFrame = true
    listsBeside.renew()
    screens.renew(screen.renewed() ?? screen)
    if let editing { screen.resume(editing) }
  }

  func leaveIfGone() {
    // Rows that cannot be read look like rows that are gone.
    guard !hasMisread, !context.isUnreadable, let departure = screen.departure else { return }
    let rescued =
      screen.rescueText() ? " \(context.editingKey(.paste)) in a row brings back what you were typing." : ""
    let undone = context.tellsOfUndo ? context.message : nil
    let sentence = (undone ?? departure.sentence) + rescued
    // They were meant for the rows that are gone.
    typedAhead = []
    let isTyping = front.isEditing && !readsLines
    show(
      departure.list.map { TasksScreen(context: context, list: $0) } ?? ListsScreen(context: context),
      from: .above)
    if isTyping, !front.isEditing {
      push(NoticeScreen(sentence, context))
    } else {
      context.say(sentence)
    }
  }
}

extension Character {
  fileprivate var asciiDigit: Int? { isASCII ? wholeNumberValue : nil }
}
