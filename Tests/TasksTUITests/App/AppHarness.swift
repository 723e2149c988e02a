import FoundationEssentials
import Glibc
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

/// The app on a file of its own, without a terminal: keys go in, frames come out, and time passes when a test
/// says so.
final class AppHarness {
  let folder = TemporaryFolder()
  let store: TasksStore
  let notifications: NotificationSource
  let app: App
  private let time = Time()
  var width: Int
  var height: Int
  private(set) var frame = Canvas(width: 0, height: 0)
  private var frameCount = 0

  private final class Time: @unchecked Sendable {
    // Only the test that owns the harness uses it.
    var now = Duration.zero
    var hook: (() -> Void)?
    /// The time that passes whenever the monotonic clock is read.
    var step = Duration.zero
    /// The seconds by which the clock on the wall has jumped.
    var jump = 0.0

    func tick() -> Duration {
      now += step
      return now
    }

    /// The time since the start for the clock on the wall.
    func read() -> Double {
      let hook = hook
      self.hook = nil
      hook?()
      return Double(now.components.seconds) + jump
    }
  }

  /// - Parameters:
  ///   - tasks: of the list that is open; upper-case ones are completed.
  ///   - hasListsBeside: Whether the lists stand beside their tasks, on a frame that is wide enough.
  ///   - date: what the clock on the wall shows at first, in Greenwich; nil for the present, here.
  init(
    _ tasks: [String] = [], width: Int = 40, height: Int = 12, isAnimated: Bool = false,
    stateFile: Bool = false, appearance: Appearance? = nil,
    configuration: AppConfiguration = AppConfiguration(),
    isReadOnly: Bool = false, date: LocalTime? = nil, hasPresence: Bool = false, hasListsBeside: Bool = false
  ) throws {
    self.width = width
    self.height = height
    notifications = NotificationSource()
    store = try TasksStore(path: folder("tasks.db"), scheduler: .fileDescriptor(notifications))
    try Self.fill(store, with: tasks)
    var calendar = DateWords()
    if let date {
      let start = Self.calendar.date(of: date)
      calendar = DateWords(calendar: Self.calendar) { [time] in
        start.addingTimeInterval(time.read())
      }
      store.dates = DateReader(calendar: calendar.calendar, now: calendar.now)
    }
    let state = stateFile ? StateFile(database: folder("tasks.db"), environment: ["HOME": folder.path]) : nil
    app = App(
      store: store, appearance: appearance ?? Appearance(isAnimated: isAnimated),
      configuration: configuration, stateFile: state, isReadOnly: isReadOnly, calendar: calendar,
      join: { [store, folder] () throws(WindowFile.Unavailable) in
        guard hasPresence else { return nil }
        return try Presence(database: folder("tasks.db"), author: store.author, terminal: "pts/0")
      },
      clock: { [time] in time.tick() })
    if !hasListsBeside { app.context.settings.listsBeside = "off" }
    try settle()
  }

  static let calendar = LocalCalendar(secondsFromGMT: 0)

  private static func fill(_ store: TasksStore, with tasks: [String]) throws {
    guard !tasks.isEmpty else { return }
    let list = try #require(store.list(TaskList.firstListID))
    try store.store.write {
      for text in tasks {
        let task = TaskItem()
        task.text = text
        task.completed = text.first?.isUppercase == true
        store.store.add(task)
        list.items.append(task)
      }
    }
  }

  /// Another instance on the same file, as another process would have it.
  func other(author: String = "another person") throws -> TasksStore {
    try TasksStore(
      path: folder("tasks.db"), scheduler: .fileDescriptor(NotificationSource()), author: author)
  }

  /// Another window, as another process would have it.
  func otherWindow(author: String = "Anna", terminal: String = "pts/7") throws -> Presence {
    try Presence(database: folder("tasks.db"), author: author, terminal: terminal)
  }

  /// Does something when the clock on the wall is read next.
  func whenTimeIsRead(_ body: @escaping () -> Void) { time.hook = body }

  var place: Place { .tasks(inList: TaskList.firstListID) }
  var tasks: [TaskItem] { store.list(TaskList.firstListID).map { Array($0.items) } ?? [] }

  /// The tasks in order, completed ones in brackets.
  var line: String { tasks.map { $0.completed ? "[\($0.text)]" : $0.text }.joined(separator: " ") }

  // MARK: In

  /// Strikes keys, by name, and draws after each, as the event loop does when nobody types faster than it
  /// paints.
  @discardableResult
  func press(_ keys: String...) throws -> App.Request? {
    var request: App.Request?
    for name in keys {
      let key = try #require(Key(name), "no key \(name)")
      request = app.handle(.key(key))
      draw()
    }
    return request
  }

  /// Types a command after `:`.
  func command(_ line: String) throws {
    try press(":")
    type(line)
    try press("Enter")
    try settle()
  }

  func type(_ text: String) {
    for character in text { _ = app.handle(.key(Key(.character(character)))) }
    draw()
  }

  /// Moves to the newest version and delivers what changed, without waiting for the background.
  func catchUp() throws {
    try store.store.refresh()
    app.processNotifications()
  }

  /// Delivers everything, lets every movement end, and draws.
  func settle() throws {
    try catchUp()
    draw()
    // The data that a first frame has asked for arrive after it.
    try catchUp()
    while app.hasWork { app.work(for: .milliseconds(1)) }
    draw()
    pass(.seconds(2))
    draw()
  }

  func pass(_ duration: Duration) { time.now += duration }
  /// Sets the clock on the wall, as a person does, or a machine that wakes up.
  func setClock(bySeconds seconds: Double) { time.jump += seconds }
  /// Lets time pass whenever the program looks at its clock, as in work that takes long.
  func passAtEachLook(_ duration: Duration) { time.step = duration }
  var now: Duration { time.now }

  // MARK: Out

  /// Draws a frame, and requires of every other one that it is the same when everything is drawn anew.
  @discardableResult
  func draw() -> Canvas {
    frame = app.draw(width: width, height: height, at: time.now)
    frameCount += 1
    if frameCount.isMultiple(of: 2) {
      app.context.needsFrame = true
      let anew = app.draw(width: width, height: height, at: time.now)
      #expect(frame == anew, "Frame \(frameCount):\n\(frame.text)\ninstead of\n\(anew.text)")
    }
    return frame
  }

  /// The lines of the frame, without the mark at the right edge that tells which rows are in sight.
  var texts: [String] {
    frame.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var line = line
      if line.last == "▐" {
        line.removeLast()
        while line.last == " " { line.removeLast() }
      }
      return String(line)
    }
  }

  var title: String { texts.first?.trimmingSpaces ?? "" }
  /// The words below the rows, on one line or two.
  var status: String { texts.suffix(app.statusLines).map(\.trimmingSpaces).joined(separator: " ") }

  /// The texts of the rows from top to bottom, without the cursor's mark.
  var rows: [String] {
    texts.dropFirst().dropLast(app.statusLines).map { String($0.dropFirst(2)) }.filter { !$0.isEmpty }
  }

  /// The row with the cursor's mark.
  var selected: String? {
    texts.dropFirst().dropLast(app.statusLines).first { $0.hasPrefix("›") || $0.hasPrefix("◉") }
      .map { String($0.dropFirst(2)) }
  }
}

extension String {
  var trimmingSpaces: String {
    var text = self[...]
    while text.first == " " { text = text.dropFirst() }
    while text.last == " " { text = text.dropLast() }
    return String(text)
  }
}

extension App {
  /// The message on the bottom line, until the next key.
  var message: String? { context.message }
}
