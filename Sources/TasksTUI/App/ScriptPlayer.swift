import FoundationEssentials
import LiveStore
import TasksModel
import TerminalUI

/// A player that runs a script of keys and commands in the app, without a terminal, and saves the screen.
/// Time advances only as the script says, so that the same script on the same file produces the same screens.
///
/// A line is one of these; empty lines and those that begin with `#` are ignored:
///
///     size 80x24            columns and lines of the screen
///     clock 2026-12-01 9:00 the day and the time that dates are told by; before the first key
///     animation on          movement is played too; before the first key
///     colors 256            truecolor, 256, 16, 8 or none; before the first key
///     background light      what the terminal says of itself: light or dark
///     keys j 2 d Enter      strikes keys, by their names
///     type Buy milk         types a text
///     :add-on-top Buy milk  runs a command
///     pass 100              lets so many milliseconds pass
///     settle                shows what others have written, and lets every movement end
///     save FILE             writes the screen as text; `-` is standard output
///     picture FILE          writes the screen with its colors, as `cat` shows it
///     expect Buy milk       fails when the screen does not show this text
final class ScriptPlayer {
  private let name: String
  private let lines: [String]
  private let store: TasksStore
  private let isReadOnly: Bool
  private var app: App?
  private var width = 80
  private var height = 24
  private var isAnimated = false
  private var depth = ColorDepth.direct
  private var wallClock: Date?
  /// The tasks that a window's worker would read in the background; they are read between the lines of the
  /// script.
  private var unread: Results<TaskItem>?
  private var now = Duration.zero

  /// - Parameter name: The name of the script in error messages.
  init(_ text: String, name: String, store: TasksStore, isReadOnly: Bool = false) {
    self.name = name
    self.store = store
    self.isReadOnly = isReadOnly
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Plays the script to its end, or until it quits the app.
  ///
  /// - Returns: The exit status.
  /// - Throws: `RuntimeError` with the number of the failing line; the errors of `save`.
  func run() throws -> Int32 {
    for (index, line) in lines.enumerated() {
      do {
        if let status = try play(line) { return status }
      } catch let error as RuntimeError {
        throw RuntimeError("\(name):\(index + 1): \(error)")
      }
    }
    return 0
  }

  /// Runs a line; returns the exit status if it quits the app.
  private func play(_ line: String) throws -> Int32? {
    let line = line.drop(while: \.isWhitespace)
    guard !line.isEmpty, line.first != "#" else { return nil }
    if line.first == ":" {
      let command = String(line.dropFirst())
      // The app would only say so, on the screen.
      do throws(CommandLineParser.Problem) {
        _ = try CommandLineParser.call(command)
      } catch {
        throw RuntimeError(error.message)
      }
      return try perform { $0.run(line: command) }
    }
    let verb = line.prefix { !$0.isWhitespace }
    let rest = String(line.dropFirst(verb.count).drop(while: \.isWhitespace))
    switch verb {
    case "size": try setSize(rest)
    case "clock": try setClock(rest)
    case "animation":
      guard app == nil, ["on", "off"].contains(rest) else {
        throw RuntimeError("animation is on or off, before the first key")
      }
      isAnimated = rest == "on"
    case "colors":
      guard app == nil, let depth = Self.depths[rest] else {
        throw RuntimeError("colors are truecolor, 256, 16, 8 or none, before the first key")
      }
      self.depth = depth
    case "background":
      guard ["light", "dark"].contains(rest) else { throw RuntimeError("a background is light or dark") }
      let color: RGB = rest == "light" ? .white : .black
      _ = try perform { $0.handle(.reply(.background(color))) }
    case "keys":
      for name in rest.split(separator: " ") {
        guard let key = Key(String(name)) else { throw RuntimeError("there is no key \(name)") }
        if let status = try perform({ $0.handle(.key(key)) }) { return status }
      }
    case "type":
      for character in rest {
        if let status = try perform({ $0.handle(.key(Key(.character(character)))) }) { return status }
      }
    case "pass":
      guard let milliseconds = Int(rest), (0...86_400_000).contains(milliseconds) else {
        throw RuntimeError("pass needs milliseconds")
      }
      now += .milliseconds(milliseconds)
    case "settle":
      _ = try perform { _ in nil }
      now += .seconds(5)
    case "save": try write(try screen().text + "\n", to: rest)
    case "picture": try write(try screen().sequences(depth: depth), to: rest)
    case "expect":
      guard try screen().text.contains(rest) else { throw RuntimeError("the screen does not show “\(rest)”") }
    default: throw RuntimeError("a script has no “\(verb)”")
    }
    return nil
  }

  private static let depths: [String: ColorDepth] = [
    "truecolor": .direct, "256": .twoHundredFiftySix, "16": .sixteen, "8": .eight, "none": .none,
  ]

  private func setSize(_ text: String) throws {
    let numbers = text.split(separator: "x").map { Int($0) }
    guard numbers.count == 2, let width = numbers[0], let height = numbers[1], (1...1000).contains(width),
      (1...1000).contains(height)
    else { throw RuntimeError("a size is written as 80x24, each at most 1000") }
    (self.width, self.height) = (width, height)
    _ = app?.handle(.resize(width: width, height: height))
  }

  private func setClock(_ text: String) throws {
    let numbers = text.split(whereSeparator: { "- :".contains($0) }).compactMap { Int($0) }
    guard app == nil, numbers.count == 5, (1...12).contains(numbers[1]), (1...31).contains(numbers[2]),
      (1900...9999).contains(numbers[0]), (0...23).contains(numbers[3]), (0...59).contains(numbers[4])
    else { throw RuntimeError("a clock is written as 2026-12-01 9:00, before the first key") }
    let days = LocalCalendar.days(inMonth: numbers[1], of: numbers[0])
    guard numbers[2] <= days else { throw RuntimeError("that month has only \(days) days") }
    wallClock = LocalCalendar.system.date(
      of: LocalTime(
        year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4]))
  }

  private func started() -> App {
    if let app { return app }
    let calendar = wallClock.map { date in DateWords(now: { date }) } ?? DateWords()
    store.dates.now = calendar.now
    let app = App(
      store: store, appearance: Appearance(isAnimated: isAnimated, depth: depth),
      isReadOnly: isReadOnly, calendar: calendar, clock: { [unowned self] in now })
    self.app = app
    if !isReadOnly { unread = try? DateWorker.unread(in: store) }
    return app
  }

  /// Performs an action as on a visible screen: all pending changes are shown before it, and its own before
  /// the next one.
  private func perform(_ action: (App) -> App.Request?) throws -> Int32? {
    let app = started()
    try settle(app)
    let request = action(app)
    try settle(app)
    // A message on the screen would not be read.
    if let failure = app.context.failure { throw RuntimeError("\(failure)") }
    if let refusal = app.context.refusedArgument { throw RuntimeError(refusal) }
    if case .quit(let status)? = request { return status }
    if case .editNote? = request { throw RuntimeError("a script has no editor; it may use :note") }
    return nil
  }

  private func settle(_ app: App) throws {
    // Requests of a frame are answered after it.
    for _ in 0..<2 {
      try store.refresh()
      if let unread { try DateWorker.readAll(unread, app.context.dates) }
      app.processNotifications()
      while app.hasWork { app.work(for: .seconds(1)) }
      _ = app.draw(width: width, height: height, at: now)
      try app.context.store.requireReadable()
    }
  }

  private func screen() throws -> Canvas {
    let app = started()
    try settle(app)
    return app.draw(width: width, height: height, at: now)
  }

  private func write(_ text: String, to path: String) throws {
    guard !path.isEmpty else { throw RuntimeError("save and picture need a file") }
    if path == "-" { return try StandardOutput.write(text) }
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw RuntimeError("“\(path)” cannot be written")
    }
  }
}
