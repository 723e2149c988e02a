import FoundationEssentials
import Glibc
import LiveStore
import TasksModel
import TerminalUI

/// The loop that waits for keys, signals and changes, and paints: the only place that does either.
///
/// Nothing is polled periodically. A timeout exists only while something moves, while an escape sequence is
/// incomplete, while the terminal has yet to read its output, or until what is shown has to be another. All
/// pending input is handled before one frame is painted.
struct EventLoop {
  let terminal: Terminal
  let app: App
  let notifications: NotificationSource
  /// The watch of the configuration; nil if its folder is unknown.
  let configuration: ConfigurationWatch?
  let searchInbox: SearchInbox?
  /// Failures of the worker that reads dates.
  let dateFailures: Inbox<StoreError>?
  let clock: () -> Duration
  private let clockWatch = ClockWatch()
  /// The program in which the person edits texts, as a shell command.
  var editor = "vi"
  /// A closure that is called with true when background work may start, which is after the first frame, so
  /// that it does not delay that; and with false when the work has to end, because the process is about to be
  /// suspended.
  var setRunning: (Bool) -> Void = { _ in }

  /// The greatest delay of a key by work beside it.
  private static let workSlice = Duration.milliseconds(4)

  /// - Returns: The exit status.
  /// - Throws: The reason why the window cannot continue; the caller restores the terminal.
  func run() throws -> Int32 {
    var isShown = false
    while true {
      terminal.reportsMouse = app.wantsMouse
      var timeout = try paint()
      if !isShown || app.mustBeginAnew { setRunning(true) }
      (isShown, app.mustBeginAnew) = (true, false)
      if app.hasWork { timeout = min(timeout ?? app.workDelay, app.workDelay) }
      var descriptors = [
        terminal.inputDescriptor, terminal.signalDescriptor, notifications.fileDescriptor,
        // `poll` ignores a descriptor below 0.
        configuration?.fileDescriptor ?? -1, searchInbox?.descriptor ?? -1, app.presenceDescriptor,
        dateFailures?.descriptor ?? -1, app.syncSign?.fileDescriptor ?? -1, clockWatch.fileDescriptor,
      ].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let ready = poll(&descriptors, nfds_t(descriptors.count), milliseconds(timeout))
      guard ready >= 0 || errno == EINTR else {
        throw RuntimeError("cannot wait for keys: \(String(cString: strerror(errno)))")
      }
      if descriptors[2].revents != 0 { app.processNotifications() }
      if descriptors[3].revents != 0 { app.reload(from: configuration) }
      if descriptors[4].revents != 0 { app.collectFindings() }
      if descriptors[5].revents != 0 { app.lookAtWindows() }
      if descriptors[6].revents != 0, let failure = dateFailures?.take() { app.noteDateFailure(failure) }
      if descriptors[7].revents != 0 { app.lookAtSync() }
      if descriptors[8].revents != 0 {
        clockWatch.take()
        app.lookAtClock()
      }
      if ready == 0, app.hasWork, app.workDelay == .zero,
        let status = try follow(app.work(for: Self.workSlice))
      {
        return status
      }
      let escapeIsDue = terminal.escapeDeadline.map { $0 <= .now } ?? false
      guard descriptors[0].revents != 0 || descriptors[1].revents != 0 || escapeIsDue else { continue }
      var events = terminal.readEvents(hasSignals: descriptors[1].revents != 0)[...]
      while let event = app.takesText ? events.popJoiningTyped() : events.popFirst() {
        if let status = try follow(app.handle(event)) { return status }
      }
    }
  }

  /// Follows a request of the app; returns the exit status if it is to end.
  private func follow(_ request: App.Request?) throws -> Int32? {
    switch request {
    case nil: break
    case .repaint?: try repaint()
    case .suspend?: try suspend()
    case .quit(let status)?:
      app.keepUnsaved()
      return status
    case .editNote(let id, let text)?: try editNote(of: id, text)
    case .copy(let text)?:
      if !terminal.copy(text) { app.say("This terminal has no clipboard for programs.") }
    }
    return nil
  }

  /// Paints if a frame is due; returns the timeout for events, `nil` for none.
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

  /// Paints a frame, unless the file could not be read for it: the frame would then be wrong.
  private func present(at time: Duration) throws {
    let frame = app.draw(width: terminal.width, height: terminal.height, at: time)
    // Without a first frame there is nothing to keep on the screen.
    if app.lastFrame == nil { try app.context.store.requireReadable() }
    // A signal may end the program while it writes to the terminal.
    app.keepUnsaved()
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

  /// Runs a closure during which the loop does nothing else, so that the snapshot is released.
  private func standStill<Result>(during body: () throws -> Result) rethrows -> Result {
    setRunning(false)
    app.releaseSnapshot()
    defer {
      app.advance()
      setRunning(true)
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
        let (edited, wasDamaged) = try file.text()
        app.finishNote(of: id, text: edited, original: text)
        if wasDamaged { app.say("Some of what the editor wrote is no text in UTF-8; look at the note.") }
      } else {
        app.say("The editor ended with status \(status); the note is as it was.")
      }
    } catch {
      app.say("The note is as it was: \(error).")
    }
    try repaint()
  }

  /// Rounds up, so that the loop does not wake just before something is due.
  private func milliseconds(_ timeout: Duration?) -> Int32 {
    guard let timeout else { return -1 }
    let (seconds, attoseconds) = timeout.components
    return Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
