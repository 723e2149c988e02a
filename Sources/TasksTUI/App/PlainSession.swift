import Glibc
import LiveStore
import TasksModel
import TerminalUI
import VisibleText

/// The app for a screen reader, a braille display or a pipe. It reads commands as lines, and writes each
/// change as a line of words, regardless of its origin. Nothing is drawn; the same app, keys and commands do
/// the work.
///
/// A line is a command with its argument (`add Buy milk`, `2 delete`), or one key by its name (`j`, `3j`,
/// `Esc`); `rows` reads all rows. While a text is expected, a line is that text; an empty one leaves it
/// unchanged, and `Esc` cancels.
final class PlainSession {
  private let app: App
  private let store: TasksStore
  private let notifications: NotificationSource
  /// The watch of the configuration; nil if its folder is unknown.
  private let configuration: ConfigurationWatch?
  private let write: (String) throws -> Void
  private var narrator: ChangeNarrator?
  private var reportedPosition = ""
  private var reportedTitle = ""
  private var reportedLoss: StoreError?
  private var isOver = false
  private var status: Int32 = 0

  /// The app lays out its rows on a screen that is never shown.
  private static let width = 80
  private static let height = 60

  init(
    app: App, store: TasksStore, notifications: NotificationSource, configuration: ConfigurationWatch? = nil,
    write: @escaping (String) throws -> Void = { try StandardOutput.write($0 + "\n") }
  ) {
    self.app = app
    app.readsLines = true
    self.store = store
    self.notifications = notifications
    self.configuration = configuration
    self.write = write
  }

  /// Reads lines until the end of input, or until one quits; returns the exit status.
  func run(input: Int32 = STDIN_FILENO) throws -> Int32 {
    try begin()
    var pending: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    while !isOver {
      var descriptors = [
        // `poll` ignores a descriptor below 0.
        input, notifications.fileDescriptor, app.presenceDescriptor, configuration?.fileDescriptor ?? -1,
        app.syncSign?.fileDescriptor ?? -1,
      ].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&descriptors, nfds_t(descriptors.count), -1) >= 0 || errno == EINTR else {
        throw RuntimeError("cannot wait for lines: \(String(cString: strerror(errno)))")
      }
      if descriptors[2].revents != 0 { app.lookAtWindows() }
      if descriptors[3].revents != 0 { app.reload(from: configuration) }
      if descriptors[4].revents != 0 { app.lookAtSync() }
      if descriptors.dropFirst().contains(where: { $0.revents != 0 }) { try report() }
      guard descriptors[0].revents != 0 else { continue }
      let count = read(input, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { break }
      pending += buffer[..<count]
      while !isOver, let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: pending[..<end], as: UTF8.self)
        pending.removeFirst(end + 1)
        try handle(line)
      }
    }
    if !isOver, !pending.isEmpty { try handle(String(decoding: pending, as: UTF8.self)) }
    // A program that wrote all lines at once has not read the failures.
    return !isOver && app.context.loss != nil ? 1 : status
  }

  func begin() throws {
    // Windows that are open already are not reported as new.
    _ = app.takeWindowLines()
    try report()
    if !app.context.otherWindows.isEmpty {
      app.reportWindows()
      try report()
    }
    try write("Type help for the commands, rows to read the rows, and quit to leave.")
    app.followSync()
  }

  /// Runs a line, and reports the results.
  func handle(_ line: String) throws {
    let line = String(line.last == "\r" ? line.dropLast() : line[...])
    reportedPosition = ""
    let words = line.split(separator: " ", maxSplits: 1)
    if app.front.isEditing {
      type(line)
    } else if line.first == ":" {
      follow(app.run(line: String(line.dropFirst())))
    } else if words.first == "help" || line == "?" {
      try reportCommands()
      return
    } else if line == "rows" {
      for words in app.screen.spokenRows { try say(words) }
      if app.screen.spokenRows.isEmpty { try say("No rows") }
      return
    } else if !CommandTable.all.contains(where: { $0.name == words.first ?? "" }), let keys = Self.keys(line)
    {
      for key in keys { follow(app.handle(.key(key))) }
    } else {
      follow(app.run(line: line))
    }
    leaveVainSearch()
    if !isOver { try report() }
  }

  /// Ends a search that finds nothing in its list, and nothing in all lists: it would take each further
  /// line for words to search for.
  private func leaveVainSearch() {
    for key in [Key(.tab), Key(.escape)] where app.front.answersWhileTyping {
      // The order of the rows may have been read only now.
      app.advance()
      while app.hasWork { app.work(for: .seconds(1)) }
      guard app.front.foundNothing else { return }
      follow(app.handle(.key(key)))
      if !app.front.answersWhileTyping { app.say("Nothing found.") }
    }
  }

  /// A count and a key.
  private static func keys(_ line: String) -> [Key]? {
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    guard digits.count < 10, let key = Key(String(line.dropFirst(digits.count))) else { return nil }
    return digits.map { Key(.character($0)) } + [key]
  }

  private func type(_ line: String) {
    let control: (Character) -> Key = { Key(.character($0), .control) }
    if line.isEmpty { return follow(app.handle(.key(Key(.enter)))) }
    if let key = Key(line), key.typed == nil { return follow(app.handle(.key(key))) }
    // Replaces the present text.
    for key in [control("e"), control("u")] { follow(app.handle(.key(key))) }
    follow(app.handle(.paste(line)))
    // Search results are reported first.
    if !app.front.answersWhileTyping { follow(app.handle(.key(Key(.enter)))) }
  }

  private func follow(_ request: App.Request?) {
    guard case .quit(let status)? = request else { return }
    self.status = status
    isOver = true
  }

  /// Reports everything that has changed since the last report.
  private func report() throws {
    app.advance()
    repeat {
      while app.hasWork { app.work(for: .seconds(1)) }
      _ = app.draw(width: Self.width, height: Self.height, at: .zero)
      // A file that cannot be read at first ends the session.
      if app.lastFrame == nil { try app.context.store.requireReadable() }
      if app.mustBeginAnew { narrator = nil }
      app.mustBeginAnew = false
      let (place, collected) = (app.screen.place ?? .lists, app.screen.collectedTasks)
      if narrator?.isOf(place, collected) != true {
        narrator = ChangeNarrator(store: store, place: place, collected: collected)
      }
      app.advance()
    } while app.hasWork
    if app.context.loss != reportedLoss {
      reportedLoss = app.context.loss
      if let loss = reportedLoss { try say("\(loss.sentence) Until then nothing is saved.") }
    }
    for line in narrator?.takeLines() ?? [] { try say(line) }
    for line in app.takeWindowLines() { try say(line) }
    if let message = app.context.message {
      try say(message)
      app.context.message = nil
    }
    if app.context.isUnreadable { return }
    let title = app.screens.topmost(\.spokenTitle) ?? ""
    if title != reportedTitle {
      reportedTitle = title
      try say(title)
    }
    let position = app.screens.topmost(\.spokenPosition) ?? ""
    if position != reportedPosition {
      reportedPosition = position
      try say(position)
    }
  }

  private func reportCommands() throws {
    for section in KeyLegend.sections(app.context.keys, app.context.editingKeys, app.context.settings) {
      try say(section.title + ":")
      for entry in section.entries { try say("\(entry.help): \(entry.keys.joined(separator: ", "))") }
    }
    try say("Names of commands: \(CommandTable.all.map(\.name).joined(separator: ", "))")
  }

  private func say(_ words: String) throws {
    guard !words.isEmpty else { return }
    try write(words.withControlsMadeVisible)
  }
}
