import CNcurses
import CTerminal
import Glibc

/// The terminal on standard input and output: taken over by `init`, given back by `close`, and by every other
/// way the process may end (see `cterminal_guard`).
///
/// There is one at a time, used from one thread. It never blocks: the event loop waits on `inputDescriptor`
/// and `signalDescriptor` (for no longer than `escapeDeadline`) and then calls `readEvents`.
final class Terminal {
  /// How struck-through text is drawn.
  enum Strikethrough: Sendable {
    /// By the terminal itself.
    case attribute
    /// By U+0336 over each character.
    case combining
    /// Not at all: the terminal would show U+0336 as a character of its own.
    case unavailable
  }

  /// How long to wait after an ESC for the rest of a sequence before it is the Esc key.
  static let escapeDelay: Duration = .milliseconds(25)

  let colorDepth: ColorDepth
  let strikethrough: Strikethrough
  /// Nothing but ASCII can be relied on: a terminal from before Unicode.
  let isASCII: Bool
  /// Whether clicks, drags and the wheel are reported, as `mouse` events.
  var reportsMouse = false {
    didSet { if reportsMouse != oldValue, screen != nil { setMouse(reportsMouse) } }
  }

  /// Columns, at least 1.
  private(set) var width = 1
  /// Lines, at least 1.
  private(set) var height = 1

  /// Readable when keys wait.
  var inputDescriptor: Int32 { STDIN_FILENO }
  /// Readable when a signal waits.
  var signalDescriptor: Int32 { signals.descriptor }
  /// When `readEvents` has to be called though nothing became readable: what was read last may be the Esc
  /// key, or the beginning of a sequence; or events wait that were read before. `nil` at all other times.
  private(set) var escapeDeadline: ContinuousClock.Instant?

  private let signals: SignalSource
  private var decoder: InputDecoder
  private var endWasReported = false
  /// What was read while something else was waited for.
  private var unreported: [InputEvent] = []
  private var lag = TerminalLag()
  private var replies = PendingReplies()
  /// How long to wait for answers before the terminal is given back.
  private let answerPatience: Duration
  private var screen: OpaquePointer?
  private var painter: Painter
  private let description: TerminalDescription

  /// Takes the terminal over: alternate screen, no echo, keys one by one, bracketed paste.
  ///
  /// - Parameters:
  ///   - signals: made before any thread started.
  ///   - answerPatience: how long to wait for answers of the terminal before it is given back.
  /// - Throws: before anything was changed, when the terminal is none, is unknown or cannot do it.
  init(
    signals: SignalSource, answerPatience: Duration = .milliseconds(200)
  ) throws(TerminalError) {
    guard isatty(STDIN_FILENO) == 1 else { throw .notATerminal(stream: "standard input") }
    guard isatty(STDOUT_FILENO) == 1 else { throw .notATerminal(stream: "standard output") }
    Self.selectUTF8()
    let description = try TerminalDescription(type: Self.environment("TERM"), descriptor: STDOUT_FILENO)
    self.description = description
    self.signals = signals
    self.answerPatience = answerPatience
    isASCII = Self.isOld(description.type)

    var settings = termios()
    guard tcgetattr(STDOUT_FILENO, &settings) == 0 else { throw .system("tcgetattr", errno) }
    let restore = Self.restoreSequence(description)
    guard cterminal_guard(STDOUT_FILENO, restore, restore.count) else { throw .system("tcgetattr", errno) }

    // Asked for before the variant of the description takes the place of the whole.
    decoder = InputDecoder(sequences: description.keySequences(), backspace: settings.eraseCharacter)

    cterminal_guard_set_active(true)
    let opened = Self.open(description)
    guard let screen = opened.screen else {
      cterminal_guard_set_active(false)
      cterminal_unguard()
      throw .unknownType(description.type)
    }
    self.screen = screen

    var depth = ColorDepth.none
    if has_colors(), Self.environment("NO_COLOR")?.isEmpty ?? true, start_color() == OK {
      depth = opened.isDirect ? .direct : ColorDepth(colors: Int(cncurses_colors()))
    }
    colorDepth = depth
    strikethrough = opened.hasStrikethrough ? .attribute : Self.strikethroughFallback(description.type)
    let hasDefaultColors = depth != .none && use_default_colors() == OK
    painter = Painter(
      description: description, depth: depth, strikethrough: strikethrough, hasDefaultColors: hasDefaultColors
    )
    cbreak()
    noecho()
    nonl()
    intrflush(cncurses_stdscr(), false)
    // Rows are moved by drawing them; ncurses must not shift what `Painter` has placed itself.
    idlok(cncurses_stdscr(), false)
    idcok(cncurses_stdscr(), false)
    if tcgetattr(STDIN_FILENO, &settings) == 0 {
      // Ctrl-S and Ctrl-Q are keys like others. Ctrl-Z is read as one too and reported as `suspend`: the
      // system would stop a parent such as `make` at once, and the shell would have the terminal back before
      // it is in order.
      settings.c_iflag &= ~tcflag_t(IXON)
      settings.setControlCharacter(VSUSP, to: 0)
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
    def_prog_mode()
    enterModes()
    updateSize()
  }

  deinit { close() }

  /// Gives the terminal back. Calling it again does nothing.
  func close() {
    guard let screen else { return }
    self.screen = nil
    if isReading {
      leaveModes()
      delscreen(screen)
    } else {
      cterminal_give_back()
    }
    cterminal_unguard()
  }
}

// MARK: - Output

extension Terminal {
  /// Shows `canvas`, by writing what differs from the canvas shown before.
  ///
  /// Complexity: O(cells) to compare; what is written follows the change.
  func present(_ canvas: Canvas) {
    guard screen != nil, cterminal_begin_writing() else { return }
    defer { cterminal_end_writing() }
    if lag.shouldAsk(afterWriting: painter.present(canvas, width: width, height: height)) {
      Painter.askForStatus()
    }
  }

  /// Makes the next `present` draw everything anew, for when something else has written to the terminal.
  func invalidate() { painter.invalidate() }

  /// How long to wait before it is worth looking again whether the terminal has read what was written to it;
  /// `nil` when it has. Frames are better skipped until then: `present` might wait for the terminal, and a
  /// frame that waits in a queue is out of date when it is seen. Input comes when the terminal answers.
  var backlog: Duration? {
    guard isReading else { return Self.backlogDelay }
    // Pseudo-terminals do not tell, and of a line behind them nobody knows: for those the terminal is asked
    // itself.
    var queued: Int32 = 0
    if ioctl(STDOUT_FILENO, UInt(TIOCOUTQ), &queued) == 0 && queued > 4096 { return Self.backlogDelay }
    return lag.remaining
  }

  /// Whether the terminal takes what is written to it.
  private var isReading: Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    return poll(&output, 1, 0) == 1 && Int32(output.revents) & POLLOUT != 0
  }

  private static let backlogDelay = Duration.milliseconds(16)

  /// Rings the bell, or flashes where that is what the terminal does.
  func ring() {
    guard screen != nil else { return }
    beep()
  }
}

// MARK: - Input

extension Terminal {
  /// Everything that waits, without blocking: signals first, then keys in the order they were struck. Resizes
  /// are applied, several are reported as one.
  func readEvents() -> [InputEvent] {
    guard screen != nil else { return [] }
    var events: [InputEvent] = []
    var sizeChanged = false
    for signal in signals.read() {
      switch signal {
      case SIGWINCH: sizeChanged = true
      case SIGTSTP: events.append(.suspend)
      case SIGCONT:
        // Stopped from outside, so that the modes are whatever the shell made of them meanwhile.
        enterModes()
        sizeChanged = true
        events.append(.resumed)
      default: events.append(.interrupted(signal: signal))
      }
    }
    if sizeChanged {
      updateSize()
      // Also when it has the size that it had before: it may have been another one in between, and what did
      // not fit into that is lost.
      painter.invalidate()
      events.append(.resize(width: width, height: height))
    }
    events += unreported
    unreported = []
    return events + readInput()
  }

  private func readInput() -> [InputEvent] {
    var events: [InputEvent] = []
    var received = false
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    while !endWasReported {
      var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard poll(&input, 1, 0) == 1 else { break }
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count > 0 {
        received = true
        events += decoder.decode(buffer[..<count])
      } else if count < 0 && (errno == EINTR || errno == EAGAIN) {
        break
      } else {
        // At the end a terminal stays readable for ever, with nothing to read.
        endWasReported = true
        events += decoder.flush()
        events.append(.endOfInput)
      }
    }
    if received {
      escapeDeadline = decoder.isWaiting ? .now + Self.escapeDelay : nil
    } else if let deadline = escapeDeadline, ContinuousClock.now >= deadline {
      escapeDeadline = nil
      events += decoder.flush()
    }
    return events.compactMap { event in
      switch event {
      case .statusReport:
        lag.noteAnswer()
        return nil
      case .reply(.attributes):
        replies.noteAnswer()
        return nil
      case .reply(.synchronizedOutput(let isThere)):
        painter.isSynchronized = isThere
        return nil
      default:
        return event == Self.suspendKey ? .suspend : event
      }
    }
  }

  private static let suspendKey = InputEvent.key(Key(.character("z"), .control))
}

// MARK: - Suspending and resizing

extension Terminal {
  /// What Ctrl-Z is for: gives the terminal back, stops the process and those that belong to the same
  /// command, and takes the terminal over again when it goes on. The next `present` draws everything; the
  /// size may be another then.
  ///
  /// Where no shell could ever let it go on, the system does not stop it and this returns at once.
  func suspend() {
    whileGivenBack(Self.stop)
  }

  /// Does something while the terminal is as it was found. Signals that the keyboard sends meanwhile were
  /// meant for somebody else.
  func whileGivenBack(_ body: () -> Void) {
    guard screen != nil else { return }
    leaveModes()
    body()
    // A continuation is dealt with here and must not be reported as another one.
    var others = SignalSource.set(of: [SIGTSTP, SIGCONT, SIGINT])
    var now = timespec(tv_sec: 0, tv_nsec: 0)
    while sigtimedwait(&others, nil, &now) > 0 {}
    enterModes()
    updateSize()
  }

  /// The mask of signals that a child process has to be given back.
  var inheritedMask: sigset_t { signals.inheritedMask }

  private static func stop() {
    var standard = sigaction()
    standard.__sigaction_handler.sa_handler = SIG_DFL
    var previous = sigaction()
    sigaction(SIGTSTP, &standard, &previous)
    var stop = SignalSource.set(of: [SIGTSTP])
    var mask = sigset_t()
    kill(0, SIGTSTP)
    // The signal waited for this line; the next one runs after SIGCONT.
    pthread_sigmask(SIG_UNBLOCK, &stop, &mask)
    pthread_sigmask(SIG_SETMASK, &mask, nil)
    sigaction(SIGTSTP, &previous, nil)
  }

  /// Switches the modes on that `leaveModes` switches off.
  private func enterModes() {
    cterminal_guard_set_active(true)
    reset_prog_mode()
    keypad(cncurses_stdscr(), true)
    painter.enter()
    if reportsMouse { setMouse(true) }
    ask()
  }

  /// Asks what no description tells. The answers come as input, whenever they come: nothing waits for them.
  private func ask() {
    guard !Self.isOld(description.type), description.type != "linux" else { return }
    // Whether frames can be held back (DECRQM), the background (OSC 11), and what everyone answers (DA1),
    // after the others.
    Painter.write("\u{1B}[?2026$p\u{1B}]11;?\u{1B}\\\u{1B}[c")
    replies.noteQuestion()
  }

  /// Reports of buttons and of movement while one is held, with coordinates in decimals.
  private func setMouse(_ isOn: Bool) {
    guard description.string("kmous") != nil else { return }
    Painter.write(isOn ? "\u{1B}[?1002h\u{1B}[?1006h" : "\u{1B}[?1006l\u{1B}[?1002l")
  }

  private func leaveModes() {
    awaitAnswers()
    let isInterruptible = cterminal_begin_writing()
    defer { if isInterruptible { cterminal_end_writing() } }
    if reportsMouse { setMouse(false) }
    painter.leave()
    endwin()
    painter.clearLastLine()
    cterminal_guard_set_active(false)
  }

  /// Takes in answers that are on their way: the shell would take them for typing.
  private func awaitAnswers() {
    let end = ContinuousClock.now + answerPatience
    while lag.isAnswerDue || replies.areDue, !endWasReported {
      let (seconds, attoseconds) = (end - .now).components
      let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
      var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard milliseconds > 0, poll(&input, 1, Int32(milliseconds)) == 1 else { break }
      unreported += readInput()
    }
    // The beginning of one that has not come whole is worse than what may have been typed in these
    // milliseconds.
    if decoder.isWaiting || replies.areDue { tcflush(STDIN_FILENO, TCIFLUSH) }
    lag = TerminalLag()
    replies = PendingReplies()
    // Keys may have been struck meanwhile. They make nothing readable any more.
    if !unreported.isEmpty { escapeDeadline = .now }
  }

  /// Asks the terminal for its size.
  private func updateSize() {
    var size = winsize()
    var (columns, lines) = (0, 0)
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 {
      (columns, lines) = (Int(size.ws_col), Int(size.ws_row))
    }
    // Serial lines do not know.
    if columns <= 0 { columns = description.number("cols") ?? 80 }
    if lines <= 0 { lines = description.number("lines") ?? 24 }
    resize_term(Int32(lines), Int32(columns))
    let changed = columns != width || lines != height
    (width, height) = (columns, lines)
    if changed { painter.invalidate() }
  }
}
