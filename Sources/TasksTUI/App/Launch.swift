import CTerminal
import Glibc
import LiveStore
import SyncSigns
import TasksModel
import TerminalUI

/// The start of the app on a file and a terminal.
enum Launch {
  private static let keptMemory: Int32 = 4 << 20

  /// - Returns: The exit status.
  /// - Throws: The reason why it cannot start, a sentence. The terminal is then unchanged, and if the
  ///   terminal cannot be used, the file is not touched.
  static func run(_ options: AppOptions, environment: [String: String]) throws -> Int32 {
    try Terminal.requireStreams()
    _ = try TerminalDescription(type: environment["TERM"], descriptor: STDOUT_FILENO)
    // A frame of a large terminal takes some hundred kilobytes, sixty times a second: they are kept, instead
    // of being returned to the system and cleared anew for each frame.
    cterminal_keep_memory(keptMemory)
    // Before the store starts its threads, which inherit the blocked signals.
    let signals = try SignalSource()
    let notifications = NotificationSource()
    let (store, whyCopy) = try TasksStore.openForWindow(
      options.file, notifications, isReadOnly: options.isReadOnly, environment: environment)
    defer { store.close() }
    let isReadOnly = options.isReadOnly || whyCopy != nil
    // A key must not wait for another program for longer than a person notices.
    store.writeTimeout = 50
    let terminal = try Terminal(signals: signals)
    defer { terminal.close() }

    let start = ContinuousClock.now
    let clock = { ContinuousClock.now - start }
    var appearance = Appearance(
      isAnimated: options.isAnimated, depth: terminal.colorDepth,
      strikethrough: terminal.strikethrough, isASCII: terminal.isASCII)
    appearance.ordersText = !TextDirection.isSeenToByTerminal(environment)
    let file = ConfigurationFile(environment: environment)
    var text: String?
    var complaint: String?
    do throws(RuntimeError) { text = try file?.text() } catch { complaint = "\(error)." }
    let configuration = AppConfiguration(text ?? "")
    complaint = configuration.complaint ?? complaint
    let inbox = SearchInbox()
    let dateFailures = Inbox<StoreError>()
    let app = App(
      store: store, appearance: appearance, configuration: configuration,
      stateFile: StateFile(database: options.file, environment: environment),
      isReadOnly: isReadOnly, searchInbox: inbox,
      join: { () throws(WindowFile.Unavailable) in
        try Presence(database: options.file, author: store.author, terminal: Presence.terminal)
      },
      clock: clock)
    if let sentence = whyCopy ?? complaint ?? store.pollingSentence { app.say(sentence) }
    // A guess until the terminal answers.
    app.guessBackground(environment["COLORFGBG"])
    // A copy is followed by no agent.
    if whyCopy == nil {
      app.followSync = { [unowned app] in follow(options.file, in: app) }
    }
    var dates: DateWorker?
    defer { dates?.stop() }
    let editor = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "vi"
    let loop = EventLoop(
      terminal: terminal, app: app, notifications: notifications,
      configuration: file.map { ConfigurationWatch($0, text: text) }, searchInbox: inbox,
      dateFailures: dateFailures, clock: clock, editor: editor
    ) { isRunning in
      if isRunning, app.syncSign == nil { app.followSync() }
      dates?.stopAndWait()
      dates = nil
      // A former worker's, of a file that has been put back since.
      _ = dateFailures?.take()
      guard isRunning, !isReadOnly else { return }
      let start = { [unowned app] in
        do {
          dates = try dates ?? DateWorker(store) { dateFailures?.post($0) }
        } catch {
          app.say("Dates are not read: \(error)")
        }
      }
      if app.context.memory.areTextsRead { app.context.memory.atFirstChange(start) } else { start() }
    }
    if !isReadOnly { app.offerUnsaved() }
    do {
      let status = try loop.run()
      app.rememberFindings(textsRead: dates?.textsRead)
      return status
    } catch {
      app.keepUnsaved()
      throw error
    }
  }

  /// Has a file that was joined carried to other machines while this window is open, unless it may only be
  /// read here, and shows how it stands.
  private static func follow(_ database: String, in app: App) {
    let store = app.context.store.store
    let isReadOnly = app.context.isReadOnly
    guard SyncLauncher.isJoined(store) else { return }
    let launcher = AgentLauncher(database: database)
    app.follow(
      SyncSign(database: database, createsFile: !isReadOnly), SyncJournal(path: database),
      start: { !isReadOnly && SyncLauncher.isJoined(store) && launcher.start() },
      settle: { SyncLauncher.settle($0.number, by: $1, in: database) })
    if !isReadOnly, !launcher.start() {
      app.say("The file is joined, but not carried: tasks-sync is not installed.")
    }
  }

  /// Runs the app on lines of words instead of a terminal; returns the exit status.
  static func runPlain(
    _ path: String, stateFile: StateFile?, isReadOnly: Bool, environment: [String: String]
  ) throws -> Int32 {
    let notifications = NotificationSource()
    let (store, whyCopy) = try TasksStore.openForWindow(
      path, notifications, isReadOnly: isReadOnly, environment: environment)
    defer { store.close() }
    let isReadOnly = isReadOnly || whyCopy != nil
    let file = ConfigurationFile(environment: environment)
    let text = try file?.text()
    let configuration = AppConfiguration(text ?? "")
    let app = App(
      store: store, appearance: Appearance(isAnimated: false), configuration: configuration,
      stateFile: stateFile, isReadOnly: isReadOnly,
      join: { () throws(WindowFile.Unavailable) in
        try Presence(database: path, author: store.author, terminal: Presence.terminal)
      },
      clock: { .zero })
    if let sentence = whyCopy ?? configuration.complaint ?? store.pollingSentence { app.say(sentence) }
    if whyCopy == nil {
      app.followSync = { [unowned app] in follow(path, in: app) }
    }
    var dates: DateWorker?
    if !isReadOnly {
      do { dates = try DateWorker(store) } catch { app.say("Dates are not read: \(error)") }
    }
    let status = try PlainSession(
      app: app, store: store, notifications: notifications,
      configuration: file.map { ConfigurationWatch($0, text: text) }
    ).run()
    dates?.stopAndWait()
    // The input may have ended before the worker has read what it said. While another program writes, that
    // waits in the file for the next worker.
    if !isReadOnly, app.context.loss == nil {
      try? DateWorker.readAll(DateWorker.unread(in: store), store.dates)
    }
    return status
  }
}
