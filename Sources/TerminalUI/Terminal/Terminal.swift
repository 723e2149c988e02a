import CNcurses
import CTerminal
import FoundationEssentials
import Glibc

/// The terminal on standard input and output. `init` takes it over; `close` restores it, and so does every
/// other end of the process (see `cterminal_guard`).
///
/// There is one at a time, used from one thread. It never blocks: the event loop waits on `inputDescriptor`
/// and `signalDescriptor` (for no longer than `escapeDeadline`) and then calls `readEvents`.
package final class Terminal {
  /// The way struck-through text is drawn.
  package enum Strikethrough: Sendable {
    /// By the terminal itself.
    case attribute
    /// By U+0336 over each character.
    case combining
    /// Not at all: the terminal would show U+0336 as a separate character.
    case unavailable
  }

  /// The time to wait after an ESC for the rest of a sequence before it is the Esc key.
  static let escapeDelay: Duration = .milliseconds(25)

  package let colorDepth: ColorDepth
  package let strikethrough: Strikethrough
  /// Whether only ASCII is reliable: a terminal from before Unicode, which may print sequences that it does
  /// not understand.
  package let isASCII: Bool
  /// Whether clicks, drags and the wheel are reported, as `mouse` events.
  package var reportsMouse = false {
    didSet {
      guard reportsMouse != oldValue, screen != nil else { return }
      setMouse(reportsMouse)
      output.flush()
    }
  }

  /// The columns, at least 1.
  package private(set) var width = 1
  /// The lines, at least 1.
  package private(set) var height = 1

  /// A descriptor that is readable when input is pending.
  package var inputDescriptor: Int32 { STDIN_FILENO }
  /// A descriptor that is readable when a signal is pending.
  package var signalDescriptor: Int32 { signals.descriptor }
  /// The time at which `readEvents` has to be called though nothing became readable: the last input may be
  /// the Esc key, or the beginning of a sequence; or events are pending that were read before. `nil` at all
  /// other times.
  package private(set) var escapeDeadline: ContinuousClock.Instant?

  private let signals: SignalSource
  private var decoder: InputDecoder
  private var endWasReported = false
  /// Events that were read during another wait.
  private var unreported: [InputEvent] = []
  private var lag = TerminalLag()
  private var replies = PendingReplies()
  /// The time to wait for replies before the terminal is restored.
  private let answerPatience: Duration
  private var screen: OpaquePointer?
  private let output: TerminalOutput
  private var painter: Painter
  private let description: TerminalDescription
  /// The modes of the terminal, of the shell and of this program.
  private let shellSettings: termios
  private var programSettings: termios
  private var inputBuffer = [UInt8](repeating: 0, count: 16 * 1024)

  /// Throws if the standard input or the standard output is no terminal.
  package static func requireStreams() throws(TerminalError) {
    guard isatty(STDIN_FILENO) == 1 else { throw .notATerminal(stream: "standard input") }
    guard isatty(STDOUT_FILENO) == 1 else { throw .notATerminal(stream: "standard output") }
  }

  /// Takes the terminal over: alternate screen, no echo, keys one by one, bracketed paste.
  ///
  /// - Parameters:
  ///   - signals: Created before any thread started.
  ///   - answerPatience: The time to wait for replies of the terminal before it is restored.
  /// - Throws: Before any change, if there is no terminal, or it is unknown or incapable.
  package init(
    signals: SignalSource, answerPatience: Duration = .milliseconds(200)
  ) throws(TerminalError) {
    try Self.requireStreams()
    Self.selectUTF8()
    let description = try TerminalDescription(type: Self.environment("TERM"), descriptor: STDOUT_FILENO)
    self.description = description
    self.signals = signals
    self.answerPatience = answerPatience
    isASCII = ["vt", "ansi", "cons", "dumb"].contains { description.type.hasPrefix($0) }

    var settings = termios()
    guard tcgetattr(STDOUT_FILENO, &settings) == 0 else { throw .system("tcgetattr", errno) }
    guard let output = TerminalOutput() else { throw .system("fcntl", errno) }
    self.output = output
    shellSettings = settings
    let restore = Self.restoreSequence(description)
    guard cterminal_guard(STDOUT_FILENO, restore, restore.count) else { throw .system("tcgetattr", errno) }

    // Read before the variant replaces the description.
    decoder = InputDecoder(sequences: description.keySequences(), backspace: settings.eraseCharacter)

    cterminal_guard_set_active(true)
    let opened = Self.open(description, output)
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
    strikethrough =
      opened.hasStrikethrough
      ? .attribute : isASCII || description.type.hasPrefix("linux") ? .unavailable : .combining
    let hasDefaultColors = depth != .none && use_default_colors() == OK
    painter = Painter(
      description: description, output: output, depth: depth, strikethrough: strikethrough,
      hasDefaultColors: hasDefaultColors)
    cbreak()
    noecho()
    nonl()
    intrflush(cncurses_stdscr(), false)
    // Lines and cells are neither inserted nor deleted. ncurses scrolls all the same, which `Painter` allows
    // for where it has placed clusters itself.
    idlok(cncurses_stdscr(), false)
    idcok(cncurses_stdscr(), false)
    // A frame is written as a whole, also while a key waits.
    typeahead(-1)
    if tcgetattr(STDIN_FILENO, &settings) == 0 {
      // Ctrl-S and Ctrl-Q are ordinary keys. Ctrl-Z is read as a key too and reported as `suspend`: the
      // system would stop a parent such as `make` at once, and the shell would have the terminal before it is
      // restored.
      settings.c_iflag &= ~tcflag_t(IXON)
      settings.setControlCharacter(VSUSP, to: 0)
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
    def_prog_mode()
    programSettings = settings
    tcgetattr(STDIN_FILENO, &programSettings)
    gatherOutput()
    enterModes()
    updateSize()
  }

  /// Has the output of ncurses collected, so that it can be written a frame at a time.
  private func gatherOutput() {
    guard output.redirect() else { return }
    // ncurses still has the sequences of `newterm` in its buffer.
    delay_output(0)
    output.collect()
    // Until the screen has been left once, ncurses empties its buffer after every movement of the cursor. The
    // sequences of leaving and of returning are not for the terminal.
    endwin()
    doupdate()
    output.dropCollected()
  }

  deinit { close() }

  /// Restores the terminal. Further calls do nothing.
  package func close() {
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

  // MARK: Output

  /// Shows `canvas`, by writing the differences from the canvas shown before.
  ///
  /// Complexity: O(cells) to compare; the output depends on the change.
  package func present(_ canvas: Canvas) {
    guard screen != nil, cterminal_begin_writing() else { return }
    defer { cterminal_end_writing() }
    painter.present(canvas, width: width, height: height)
    // The terminal's status, with which every terminal replies when it has read up to this point.
    if output.count > 0, lag.shouldAsk(afterWriting: output.count) { output.append("\u{1B}[5n") }
    output.flush()
  }

  /// Makes the next `present` draw everything, for use after something else has written to the terminal.
  package func invalidate() { painter.invalidate() }

  /// The time to wait before checking again whether the terminal has read its output; `nil` if it has. Frames
  /// should be skipped until then: `present` might wait for the terminal, and a frame in a queue is outdated
  /// when it is seen. The terminal's reply arrives as input.
  package var backlog: Duration? {
    guard isReading else { return Self.backlogDelay }
    // Pseudo-terminals do not report it, and a line behind them is unknown: those terminals are asked
    // themselves.
    var queued: Int32 = 0
    if ioctl(STDOUT_FILENO, UInt(TIOCOUTQ), &queued) == 0 && queued > 4096 { return Self.backlogDelay }
    return lag.remaining
  }

  /// Whether the terminal accepts output.
  private var isReading: Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    return poll(&output, 1, 0) == 1 && Int32(output.revents) & POLLOUT != 0
  }

  private static let backlogDelay = Duration.milliseconds(16)

  /// Asks the terminal to put a text into the clipboard (OSC 52). Whether it does is its setting; it does not
  /// answer.
  ///
  /// - Returns: False for a terminal that has none.
  package func copy(_ text: String) -> Bool {
    guard !isASCII, description.type != "linux", cterminal_begin_writing() else {
      return false
    }
    defer { cterminal_end_writing() }
    output.append("\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{1B}\\")
    output.flush()
    return true
  }

  // MARK: Input

  /// Reads all pending events, without blocking: signals first, then keys in the order they were typed.
  /// Resizes are applied; several are reported as one.
  ///
  /// - Parameter hasSignals: Whether signals may be pending.
  package func readEvents(hasSignals: Bool = true) -> [InputEvent] {
    guard screen != nil else { return [] }
    var events: [InputEvent] = []
    var sizeChanged = false
    for signal in hasSignals ? signals.read() : [] {
      switch signal {
      case SIGWINCH: sizeChanged = true
      case SIGTSTP: events.append(.suspend)
      case SIGCONT:
        // Stopped from outside, so that the shell may have changed the modes meanwhile.
        enterModes()
        sizeChanged = true
        events.append(.resumed)
      default: events.append(.interrupted(signal: signal))
      }
    }
    if sizeChanged {
      updateSize()
      // Even if it has its former size: it may have been another one in between, and content that did not fit
      // is lost.
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
    while !endWasReported {
      var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard poll(&input, 1, 0) == 1 else { break }
      let count = read(STDIN_FILENO, &inputBuffer, inputBuffer.count)
      if count > 0 {
        received = true
        events += decoder.decode(inputBuffer[..<count])
        // A key, and not the beginning of a paste: there is no more.
        if count < 64 { break }
      } else if count < 0 && (errno == EINTR || errno == EAGAIN) {
        break
      } else {
        // At the end of input a terminal stays readable permanently, with nothing to read.
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

  // MARK: Suspending and resizing

  /// Suspends the process, as Ctrl-Z does: restores the terminal, stops the process and those of the same
  /// command, and takes the terminal over again when it continues. The next `present` draws everything; the
  /// size may have changed.
  ///
  /// If no shell could ever continue it, the system does not stop it and this returns at once.
  package func suspend() {
    _ = whileGivenBack(Self.stop)
  }

  /// Gives the terminal to another program, waits for its end and takes the terminal over again.
  ///
  /// - Returns: The exit status; 128 plus the signal's number if a signal has ended it.
  /// - Throws: If there is no shell to run it.
  package func run(_ program: String, argument: String) throws(TerminalError) -> Int32 {
    try whileGivenBack { () throws(TerminalError) in
      try ShellProgram.run(program, argument: argument, mask: signals.inheritedMask)
    } ?? 0
  }

  /// Runs a closure while the terminal is restored. Signals that the keyboard sends meanwhile are meant for
  /// another program.
  private func whileGivenBack<Value, Failure>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value? {
    guard screen != nil else { return nil }
    leaveModes()
    defer {
      // A continuation is handled here and must not be reported again.
      var others = SignalSource.set(of: [SIGTSTP, SIGCONT, SIGINT])
      var now = timespec(tv_sec: 0, tv_nsec: 0)
      while sigtimedwait(&others, nil, &now) > 0 {}
      enterModes()
      updateSize()
    }
    return try body()
  }

  private static func stop() {
    var standard = sigaction()
    standard.__sigaction_handler.sa_handler = SIG_DFL
    var previous = sigaction()
    sigaction(SIGTSTP, &standard, &previous)
    var stop = SignalSource.set(of: [SIGTSTP])
    var mask = sigset_t()
    kill(0, SIGTSTP)
    // The signal was pending until this line; the next one runs after SIGCONT.
    pthread_sigmask(SIG_UNBLOCK, &stop, &mask)
    pthread_sigmask(SIG_SETMASK, &mask, nil)
    sigaction(SIGTSTP, &previous, nil)
  }

  /// Enables the modes that `leaveModes` disables.
  private func enterModes() {
    cterminal_guard_set_active(true)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &programSettings)
    keypad(cncurses_stdscr(), true)
    output.collect()
    painter.enter()
    if reportsMouse { setMouse(true) }
    ask()
    output.flush()
  }

  /// Asks for properties that no description has. The replies come as input at any time; nothing waits for
  /// them.
  private func ask() {
    guard !isASCII, description.type != "linux" else { return }
    // Whether frames can be held back (DECRQM), the background (OSC 11), and the question that every terminal
    // answers (DA1), after the others.
    output.append("\u{1B}[?2026$p\u{1B}]11;?\u{1B}\\\u{1B}[c")
    replies.noteQuestion()
  }

  /// Switches reports of buttons and of movement while one is held, with decimal coordinates.
  private func setMouse(_ isOn: Bool) {
    guard description.string("kmous") != nil else { return }
    output.append(isOn ? "\u{1B}[?1002h\u{1B}[?1006h" : "\u{1B}[?1006l\u{1B}[?1002l")
  }

  private func leaveModes() {
    awaitAnswers()
    let isInterruptible = cterminal_begin_writing()
    defer { if isInterruptible { cterminal_end_writing() } }
    if reportsMouse { setMouse(false) }
    painter.leave()
    endwin()
    output.collect()
    painter.clearLastLine()
    output.flush()
    var settings = shellSettings
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    cterminal_guard_set_active(false)
  }

  /// Reads replies that are still expected: the shell would take them for typing.
  private func awaitAnswers() {
    let end = ContinuousClock.now + answerPatience
    while lag.isAnswerDue || replies.areDue, !endWasReported {
      let (seconds, attoseconds) = (end - .now).components
      let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
      var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard milliseconds > 0, poll(&input, 1, Int32(milliseconds)) == 1 else { break }
      unreported += readInput()
    }
    // The beginning of an incomplete reply is worse than the loss of keys typed in these milliseconds.
    if decoder.isWaiting || replies.areDue { tcflush(STDIN_FILENO, TCIFLUSH) }
    lag = TerminalLag()
    replies = PendingReplies()
    // Keys may have been read meanwhile, which no longer make the descriptor readable.
    if !unreported.isEmpty { escapeDeadline = .now }
  }

  /// Asks the system for the terminal's size.
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
