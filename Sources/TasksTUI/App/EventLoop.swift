import FoundationEssentials
import Glibc
import LiveStore
import TasksModel

/// Waits for keys, signals and changes, and paints: the only place that does either.
///
/// Nothing is polled and nothing ticks: a timeout exists only while something moves, while an escape sequence
/// is incomplete, or while the terminal has yet to read what was written. All that has come in is dealt with
/// before one frame is painted.
struct EventLoop {
  let terminal: Terminal
  let app: App
  let notifications: NotificationSource
  /// Nil where nothing says in which folder the configuration is.
  let configuration: ConfigurationWatch?
  let searchInbox: SearchInbox?
  let clock: () -> Duration
  /// The program by which the person edits texts, as the shell understands it.
  var editor = "vi"
  /// Called with true when what goes on beside the screen may begin, which is when the first frame is there:
  /// it does not delay that; and with false when it has to end, because the process is going to stand still.
  var goOn: (Bool) -> Void = { _ in }

  /// How long a key may have to wait at most for something that goes on beside it.
  private static let workSlice = Duration.milliseconds(4)

  /// - Returns: The exit status.
  /// - Throws: Why the window cannot go on; the caller gives the terminal back.
  func run() throws -> Int32 {
    var isShown = false
    while true {
      terminal.reportsMouse = app.wantsMouse
      var timeout = try paint()
      if !isShown {
        isShown = true
        goOn(true)
      }
      if app.hasWork { timeout = .zero }
      var descriptors = [
        terminal.inputDescriptor, terminal.signalDescriptor, notifications.fileDescriptor,
        // One below 0 is passed over.
        configuration?.fileDescriptor ?? -1, searchInbox?.descriptor ?? -1, app.presenceDescriptor,
      ].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let ready = poll(&descriptors, nfds_t(descriptors.count), milliseconds(timeout))
      guard ready >= 0 || errno == EINTR else {
        throw RuntimeError("cannot wait for keys: \(String(cString: strerror(errno)))")
      }
      if descriptors[2].revents != 0 { app.processNotifications() }
      try app.requireReadable()
      if descriptors[3].revents != 0 { app.reload(from: configuration) }
      if descriptors[4].revents != 0 { app.collectFindings() }
      if descriptors[5].revents != 0 { app.lookAtWindows() }
      if ready == 0, app.hasWork { app.work(for: Self.workSlice) }
      let escapeIsDue = terminal.escapeDeadline.map { $0 <= .now } ?? false
      guard descriptors[0].revents != 0 || descriptors[1].revents != 0 || escapeIsDue else { continue }
      var events = terminal.readEvents()[...]
      while let event = app.takesText ? events.popJoiningTyped() : events.popFirst() {
        switch app.handle(event) {
        case nil: break
        case .repaint?: try repaint()
        case .suspend?: try suspend()
        case .quit(let status)?: return status
        case .editNote(let id, let text)?: try editNote(of: id, text)
        }
      }
    }
  }

  /// Paints when a frame is due; returns how long to wait for events at most, `nil` for ever.
  private func paint() throws -> Duration? {
    let now = clock()
    var wait: Duration?
    if let due = app.nextFrame(after: now) {
      if due > now {
        wait = due - now
      } else if let backlog = terminal.backlog {
        wait = backlog
      } else {
        try present(at: now)
        wait = app.nextFrame(after: now).map { max(.zero, $0 - now) }
      }
    }
    if let deadline = terminal.escapeDeadline {
      let remaining = max(.zero, deadline - .now)
      wait = wait.map { min($0, remaining) } ?? remaining
    }
    return wait
  }

  /// Paints a frame, unless the file could not be read for it: then it would show what is not there.
  private func present(at time: Duration) throws {
    let frame = app.draw(width: terminal.width, height: terminal.height, at: time)
    try app.requireReadable()
    terminal.present(frame)
  }

  private func repaint() throws {
    terminal.invalidate()
    try present(at: clock())
  }

  private func suspend() throws {
    standStill { terminal.suspend() }
    try repaint()
  }

  /// Does something during which nothing else is done here, so that nothing of the file may be held.
  private func standStill<Result>(during body: () throws -> Result) rethrows -> Result {
    goOn(false)
    app.rest()
    defer {
      app.catchUp()
      goOn(true)
    }
    return try body()
  }

  private func editNote(of id: Identifier, _ text: String) throws {
    app.noteInEditor = id
    defer { app.noteInEditor = nil }
    do {
      let file = try NoteFile(text, environment: ProcessInfo.processInfo.environment)
      let status = try standStill { try terminal.run(editor, argument: file.path) }
      if status == 0 {
        app.finishNote(of: id, text: try file.text(), original: text)
      } else {
        app.say("The editor ended with status \(status); the note is as it was.")
      }
    } catch {
      app.say("The note is as it was: \(error).")
    }
    try repaint()
  }

  /// Rounded up, so that the loop does not wake just before something is due.
  private func milliseconds(_ timeout: Duration?) -> Int32 {
    guard let timeout else { return -1 }
    let (seconds, attoseconds) = timeout.components
    return Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
