import FoundationEssentials
import LiveStore
import TasksModel

/// The app without its terminal: takes events, and draws itself into a canvas as it looks at a moment.
final class App {
  /// What is to be done with the terminal or the process.
  enum Request: Equatable {
    case repaint
    case suspend
    case quit(status: Int32)
  }

  private let context: ScreenContext
  private let keyMap = KeyMap()
  private let stateFile: StateFile?
  private(set) var screen: any Screen
  private var help: HelpScreen?
  private var slide: ScreenSlide?
  private var lastFrame: Canvas?
  private var lastPaintedAt = Duration.zero

  /// Opens in the list that was open last, else in the first one, else on the screen of all lists.
  ///
  /// - Parameter clock: monotonic.
  init(
    store: TasksStore, appearance: Appearance, stateFile: StateFile? = nil, clock: @escaping () -> Duration
  ) {
    context = ScreenContext(store: store, appearance: appearance, clock: clock)
    self.stateFile = stateFile
    if let list = stateFile?.lastList.flatMap(store.list) ?? store.lists.first {
      screen = TasksScreen(context: context, list: list)
    } else {
      screen = ListsScreen(context: context)
    }
  }

  /// The screen that has the keys.
  private var front: any Screen { help ?? screen }

  var message: String? { context.message }

  // MARK: Events

  func handle(_ event: InputEvent) -> Request? {
    switch event {
    case .key(let key):
      context.message = nil
      context.needsFrame = true
      defer { leaveIfGone() }
      if front.isEditing {
        front.type(key)
        return nil
      }
      guard let command = keyMap[key] else { return nil }
      return perform(command)
    case .paste(let text):
      context.message = nil
      front.paste(text)
      leaveIfGone()
      return nil
    case .resize:
      context.needsFrame = true
      return nil
    case .suspend: return .suspend
    case .resumed:
      catchUp()
      return .repaint
    case .interrupted(let signal): return .quit(status: 128 + signal)
    // The terminal has hung up: what its signal would have done.
    case .endOfInput: return .quit(status: 128 + 1)
    }
  }

  func perform(_ command: Command) -> Request? {
    switch command {
    case .repaint: return .repaint
    case .suspend: return .suspend
    case .quit where help == nil: return .quit(status: 0)
    case .help where help == nil:
      help = HelpScreen()
      return nil
    default:
      if let request = front.perform(command) { follow(request) }
      return nil
    }
  }

  /// Delivers what others have changed.
  func processNotifications() {
    context.store.store.processNotifications()
    leaveIfGone()
  }

  /// Moves to the newest version, after the process has not run for a while.
  func catchUp() {
    do {
      try context.store.store.refresh()
    } catch {
      context.say(error)
    }
    leaveIfGone()
    context.needsFrame = true
  }

  // MARK: Screens

  private func follow(_ request: ScreenRequest) {
    switch request {
    case .closeHelp: help = nil
    case .showLists(let id): show(ListsScreen(context: context, selecting: id), from: .above)
    case .openList(let id):
      guard let list = context.store.list(id) else {
        return context.say("That list has been deleted elsewhere.")
      }
      stateFile?.remember(list: id)
      show(TasksScreen(context: context, list: list), from: .below)
    }
  }

  private func show(_ next: any Screen, from side: ScreenSlide.Side) {
    if context.appearance.isAnimated, help == nil, let lastFrame {
      slide = ScreenSlide(of: lastFrame, from: side, at: context.clock())
    }
    screen = next
    context.needsFrame = true
  }

  private func leaveIfGone() {
    guard screen.isGone else { return }
    let text = (screen as? TasksScreen)?.rescueText() ?? false
    let name = DisplayText(screen.title, clippedTo: 30).string
    show(ListsScreen(context: context), from: .above)
    context.say(
      "The list “\(name)” was deleted elsewhere."
        + (text ? " Ctrl-Y in a row brings back what you were typing." : ""))
  }

  // MARK: Drawing

  /// When the next frame is due; `nil` when nothing has changed and nothing moves.
  func nextFrame(after time: Duration) -> Duration? {
    if context.needsFrame { return time }
    if slide != nil { return max(time, lastPaintedAt + ScreenSlide.frameInterval) }
    return front.nextFrame(after: time)
  }

  /// The whole screen as it looks at a moment. A key that comes next means the row under the cursor in this frame.
  func draw(width: Int, height: Int, at time: Duration) -> Canvas {
    context.needsFrame = false
    lastPaintedAt = time
    var canvas = Canvas(width: width, height: height)
    canvas.fill(style: Style(foreground: .white, background: .black))
    // Rows come first, then the line that says what happened, then the title.
    let titleLines = height > 2 ? 1 : 0
    let statusLines = height > 1 ? 1 : 0
    let rect = CellRect(line: titleLines, width: width, height: height - titleLines - statusLines)
    front.draw(into: &canvas, rect: rect, at: time)
    if titleLines > 0 { Chrome.drawTitle(of: front, into: &canvas) }
    if statusLines > 0 {
      Chrome.drawStatus(of: front, message: context.message, into: &canvas, line: height - 1)
    }
    if let moving = slide {
      if let between = moving.frame(to: canvas, at: time) { return between }
      slide = nil
    }
    lastFrame = canvas
    return canvas
  }
}
