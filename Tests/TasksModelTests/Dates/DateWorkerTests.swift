import Dispatch
import FoundationEssentials
import Glibc
import LiveStore
import Synchronization
import TestSupport
import Testing

@testable import TasksModel

/// A file in memory with windows on it, as many as one opens, and workers beside them. It is Saturday, 21
/// November 2026.
private final class Windows {
  let name = UUID().uuidString
  let place = Place.tasks(inList: TaskList.firstListID)
  let store: TasksStore
  private let source = NotificationSource()
  private(set) var workers: [DateWorker] = []
  static let calendar = LocalCalendar(secondsFromGMT: 0)

  init() throws {
    store = try Windows.open(name, source)
  }

  static func open(_ name: String, _ source: NotificationSource, day: Int = 21) throws -> TasksStore {
    let now = moment(day, 10)
    return try TasksStore(
      inMemory: name, scheduler: .fileDescriptor(source), author: "me",
      dates: DateReader(calendar: calendar, now: { now }))
  }

  static func moment(_ day: Int, _ hour: Int = 0) -> Date {
    calendar.date(of: LocalTime(year: 2026, month: 11, day: day, hour: hour))
  }

  func startWorker(on store: TasksStore? = nil) throws { workers.append(try DateWorker(store ?? self.store)) }
  func stopWorkers() { workers.removeAll() }

  /// Waits until a task is so.
  func wait(_ what: Comment, until condition: () -> Bool) throws {
    let deadline = ContinuousClock.now + Patience.duration
    store.store.processNotifications()
    while !condition() {
      let remaining = deadline - .now
      try #require(remaining > .zero, "waited in vain: \(what)")
      waitForInput(source.fileDescriptor, milliseconds: Int32(remaining.components.seconds * 1000 + 1000))
      store.store.processNotifications()
    }
  }

  func add(_ text: String) throws -> TaskItem {
    let edit = try store.add(text, to: place)
    return try #require(edit.rowID.flatMap(store.task))
  }

  /// All that there is has been read.
  func settle() throws {
    let unread = try store.store.objects(TaskItem.self).filter(
      #Predicate<TaskItem> { $0.readText != $0.text })
    let token = unread.observe { _ in }
    defer { token.invalidate() }
    try wait("everything read") { unread.isEmpty }
  }
}

/// Why a worker failed, for a test that waits for it.
private final class Failures: Sendable {
  private let causes = Mutex<[StoreError]>([])
  private let arrival = DispatchSemaphore(value: 0)

  func add(_ cause: StoreError) {
    causes.withLock { $0.append(cause) }
    arrival.signal()
  }

  func next() throws -> StoreError {
    try #require(arrival.wait(timeout: .now() + .milliseconds(Int(Patience.milliseconds))) == .success)
    return try #require(causes.withLock { $0.popLast() })
  }

  var isEmpty: Bool { causes.withLock(\.isEmpty) }
}

@Suite("The worker that reads dates")
struct DateWorkerTests {
  /// A store on a file, whose writes would wait for another one's for as long as anybody could.
  private func patientStore(_ path: String, _ source: NotificationSource) throws -> TasksStore {
    var configuration = TasksStore.configuration(path)
    configuration.busyTimeout = 3_600_000
    return try TasksStore(
      configuration, scheduler: .fileDescriptor(source), author: "me",
      dates: DateReader(calendar: Windows.calendar, now: { Windows.moment(21, 10) }))
  }

  @Test(
    "A worker that waits for another program's lock stops when it is told to, and another one does the work")
  func locked() throws {
    try withTemporaryFile { path in
      let source = NotificationSource()
      let store = try patientStore(path, source)
      defer { store.close() }
      let id = try #require(
        try store.add("Eat at 6pm", to: .tasks(inList: TaskList.firstListID)).rowID)
      let other = try TasksStore(path: path, scheduler: .fileDescriptor(NotificationSource()))
      defer { other.close() }
      try other.store.beginWrite()
      let failures = Failures()
      for _ in 0..<20 { try DateWorker(store) { failures.add($0) }.stopAndWait() }
      let worker = try DateWorker(store) { failures.add($0) }
      other.store.cancelWrite()
      while store.task(id)?.date != Windows.moment(21, 18) {
        try #require(waitForInput(source.fileDescriptor))
        store.store.processNotifications()
      }
      worker.stopAndWait()
      #expect(failures.isEmpty)
    }
  }

  @Test("An operation waits for the transaction of the program's own worker, and for none of another program")
  func writerLock() throws {
    try withTemporaryFile { path in
      let source = NotificationSource()
      let store = try patientStore(path, source)
      defer { store.close() }
      let reader = store.dates
      let (reading, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      store.dates = DateReader(
        calendar: Windows.calendar,
        now: {
          reading.signal()
          goOn.wait()
          return Windows.moment(21, 10)
        })
      let failures = Failures()
      let worker = try DateWorker(store) { failures.add($0) }
      store.dates = reader
      store.writeTimeout = 0
      for number in 0..<50 {
        try store.add("Eat \(number) at 6pm", to: .tasks(inList: TaskList.firstListID))
        try #require(reading.wait(timeout: .now() + .milliseconds(Int(Patience.milliseconds))) == .success)
        // In the middle of its transaction.
        goOn.signal()
        try store.add("Eat nothing", to: .tasks(inList: TaskList.firstListID))
      }
      worker.stopAndWait()
      #expect(failures.isEmpty)

      let other = try TasksStore(path: path, scheduler: .fileDescriptor(NotificationSource()))
      defer { other.close() }
      try other.store.beginWrite()
      #expect(throws: StoreError.self) { try store.add("late", to: .tasks(inList: TaskList.firstListID)) }
      other.store.cancelWrite()
      try store.add("late", to: .tasks(inList: TaskList.firstListID))
    }
  }

  @Test("What others write just before it writes is read along, and does not make it fail")
  func writtenMeanwhile() throws {
    try withTemporaryFile { path in
      let source = NotificationSource()
      let store = try patientStore(path, source)
      defer { store.close() }
      let failures = Failures()
      let worker = try DateWorker(store) { failures.add($0) }
      let other = try patientStore(path, NotificationSource())
      defer { other.close() }
      for number in 0..<400 {
        try other.store.write {
          let task = TaskItem()
          task.text = "Eat \(number) at 6pm"
          other.store.add(task)
        }
      }
      let unread = try DateWorker.unread(in: store)
      let token = unread.observe { _ in }
      defer { token.invalidate() }
      while !unread.isEmpty, failures.isEmpty {
        try #require(waitForInput(source.fileDescriptor))
        store.store.processNotifications()
      }
      worker.stopAndWait()
      #expect(failures.isEmpty, "\((try? failures.next()).map(String.init(describing:)) ?? "")")
    }
  }

  @Test("A text that has just come from another machine is left to the window there, for a time")
  func elsewhere() throws {
    try withTemporaryFile { path in
      let source = NotificationSource()
      let store = try patientStore(path, source)
      defer { store.close() }
      let program = try Connection(path: path, create: false)
      try program.execute("CREATE TABLE _livesync_author (time INTEGER, key)")
      func add(_ id: String, fromElsewhere: Bool = true) throws {
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        let note = fromElsewhere ? "INSERT INTO _livesync_author VALUES (\(now), '\(id)')" : ""
        try program.execute(
          "BEGIN; INSERT INTO TaskItem (id, text) VALUES ('\(id)', 'Eat at 6pm'); \(note); COMMIT")
      }
      func waitUntilRead(_ id: String) throws {
        while store.task(Identifier(id))?.date != Windows.moment(21, 18) {
          try #require(waitForInput(source.fileDescriptor))
          store.store.processNotifications()
        }
      }
      let patient = try DateWorker(store, patience: .seconds(3600))
      try add("theirs")
      try add("own", fromElsewhere: false)
      try waitUntilRead("own")
      #expect(store.task(Identifier("theirs"))?.isUnread == true)
      patient.stopAndWait()

      let worker = try DateWorker(store, patience: .milliseconds(200))
      try add("later")
      for id in ["theirs", "later"] { try waitUntilRead(id) }
      worker.stopAndWait()
    }
  }

  @Test("A worker that cannot read or write the file says why")
  func failure() throws {
    try withTemporaryFile { path in
      let store = try patientStore(path, NotificationSource())
      defer { store.close() }
      let failures = Failures()
      let worker = try DateWorker(store) { failures.add($0) }
      let sql = "PRAGMA legacy_alter_table = ON; ALTER TABLE TaskItem RENAME TO Away"
      #expect(system("sqlite3 '\(path)' '\(sql)'") == 0)
      #expect(try failures.next().code == .schema)
      worker.stopAndWait()
    }
  }

  @Test("A date in the text is written, follows the text, and stays while its words stay")
  func follows() throws {
    let windows = try Windows()
    try windows.startWorker()
    let task = try windows.add("Eat dinner at 6pm")
    try windows.wait("the date") { task.date == Windows.moment(21, 18) }
    #expect(task.dateOrigin == .text && task.readText == task.text)

    // The next day, in another window.
    let later = try Windows.open(windows.name, NotificationSource(), day: 22)
    windows.stopWorkers()
    try windows.startWorker(on: later)
    try later.edit(task.id, in: RowScope(windows.place), text: "Eat a good dinner at 6pm")
    try windows.wait("the text") { task.text == "Eat a good dinner at 6pm" && task.readText == task.text }
    #expect(task.date == Windows.moment(21, 18))
    try later.edit(task.id, in: RowScope(windows.place), text: "Eat dinner at 7pm")
    try windows.wait("another date") { task.date == Windows.moment(22, 19) }
    try later.edit(task.id, in: RowScope(windows.place), text: "Eat dinner")
    try windows.wait("no date") { task.date == nil }
    #expect(task.dateOrigin == .unknown)
  }

  @Test("A day of a past year is no date of the task, unless the text was read in that year")
  func pastYear() throws {
    let windows = try Windows()
    try windows.startWorker()
    let born = try windows.add("Anna, born 3 march 1985")
    let party = try windows.add("Party 24 december 2026 every year")
    try windows.wait("both read") { born.readText == born.text && party.readText == party.text }
    #expect(born.date == nil && born.dateOrigin == .unknown)
    let day = Windows.calendar.date(of: LocalTime(year: 2026, month: 12, day: 24))
    #expect(party.date == day && party.repetition == "every year")
    try windows.store.edit(born.id, in: RowScope(windows.place), text: "Call Anna (3 march 1985) tomorrow")
    try windows.wait("the other date") { born.date == Windows.moment(22) }
    try windows.store.edit(born.id, in: RowScope(windows.place), text: "Call Anna (3 march 1985) on monday")
    try windows.wait("the later one") { born.date == Windows.moment(23) }

    // The next year, in another window.
    windows.stopWorkers()
    let later = try Windows.open(windows.name, NotificationSource(), day: 100)
    try windows.startWorker(on: later)
    try later.edit(party.id, in: RowScope(windows.place), text: "A party 24 december 2026 every year")
    try windows.wait("the text") { party.text.hasPrefix("A ") && party.readText == party.text }
    #expect(party.date == day && party.repetition == "every year")
    try later.edit(party.id, in: RowScope(windows.place), text: "A party 25 december 2026 every year")
    try windows.wait("no date") { party.date == nil }
    #expect(party.repetition == "")
  }

  @Test("A date that a person has set, or removed, stays whatever the text says")
  func byHand() throws {
    let windows = try Windows()
    try windows.startWorker()
    let task = try windows.add("Eat dinner at 6pm")
    try windows.wait("the date") { task.date != nil }
    try windows.store.setDate([task.id], in: RowScope(windows.place), to: nil)
    try windows.store.edit(task.id, in: RowScope(windows.place), text: "Eat dinner at 7pm")
    try windows.settle()
    #expect(task.date == nil && task.dateOrigin == .person)
    try windows.store.setDate([task.id], in: RowScope(windows.place), to: Windows.moment(30))
    try windows.store.edit(task.id, in: RowScope(windows.place), text: "Eat dinner tomorrow")
    try windows.settle()
    #expect(task.date == Windows.moment(30))
    // One that another program has set without a word about it.
    let other = try windows.add("Sleep")
    try windows.store.store.write {
      (other.date, other.text) = (Windows.moment(29), "Sleep at 10pm")
    }
    try windows.settle()
    #expect(other.date == Windows.moment(29))
  }

  @Test("What another program writes is read too, and a text without a date is not written by anybody twice")
  func foreign() throws {
    let windows = try Windows()
    let task = TaskItem()
    task.text = "Call mother tomorrow 9:00"
    try windows.store.store.write {
      windows.store.store.add(task)
      windows.store.list(TaskList.firstListID)?.items.append(task)
    }
    #expect(task.readText == "")
    try windows.startWorker()
    try windows.wait("the date") { task.date == Windows.moment(22, 9) }
    let plain = try windows.add("Buy 3 eggs")
    #expect(plain.readText == plain.text && plain.date == nil)
    try windows.store.edit(plain.id, in: RowScope(windows.place), text: "Buy 4 eggs")
    #expect(plain.readText == plain.text)
  }

  @Test("Many windows have one date written once; what one leaves undone the next does")
  func severalWindows() throws {
    let windows = try Windows()
    // Without a worker nobody reads.
    let first = try windows.add("Eat at 6pm")
    #expect(first.readText == "" && first.date == nil)
    var changes = 0
    let token = first.observe { (change: ObjectChange<TaskItem>) in
      if case .change = change { changes += 1 }
    }
    defer { token.invalidate() }
    var others: [TasksStore] = []
    for _ in 0..<4 {
      let other = try Windows.open(windows.name, NotificationSource())
      others.append(other)
      try windows.startWorker(on: other)
    }
    try windows.wait("the date") { first.date != nil }
    let texts = (0..<450).map { "Task \($0) at 6pm" }
    try windows.store.add(texts, to: windows.place)
    try windows.settle()
    #expect(
      windows.store.list(TaskList.firstListID)?.items.allSatisfy { $0.date == Windows.moment(21, 18) } == true
    )
    #expect(changes == 1)
    windows.stopWorkers()
  }

  @Test("The command line reads what it adds at once, or takes the date that is given beside it")
  func adding() throws {
    let windows = try Windows()
    try windows.store.add(["Eat at 6pm", "Sleep"], to: windows.place, readingDates: true)
    try windows.store.add(["Rise at 6am"], to: windows.place, date: Windows.moment(30), readingDates: true)
    let tasks = try #require(windows.store.list(TaskList.firstListID)).items
    #expect(tasks.map(\.date) == [Windows.moment(21, 18), nil, Windows.moment(30)])
    #expect(tasks.map(\.dateOrigin) == [.text, .unknown, .person])
    #expect(tasks.allSatisfy { $0.readText == $0.text })
  }

  @Test("Undo does not know of it: a text that is taken back takes its date along, and brings it back")
  func undo() throws {
    let windows = try Windows()
    try windows.startWorker()
    let (store, place) = (windows.store, windows.place)
    let task = try windows.add("Eat dinner")
    try store.edit(task.id, in: RowScope(place), text: "Eat dinner at 6pm")
    try windows.wait("the date") { task.date != nil }
    guard case .done(let undone) = try store.undo(showing: RowScope(place)) else {
      Issue.record("the text was not taken back")
      return
    }
    #expect(undone.words == "editing “Eat dinner”" && task.text == "Eat dinner")
    try windows.wait("no date") { task.date == nil }
    _ = try store.redo(showing: RowScope(place))
    try windows.wait("the date again") { task.date == Windows.moment(21, 18) }
    // A task that has a date by now can be taken back like any other, and comes back with it.
    _ = try store.undo(showing: RowScope(place))
    _ = try store.undo(showing: RowScope(place))
    #expect(store.list(TaskList.firstListID)?.items.isEmpty == true)
    _ = try store.redo(showing: RowScope(place))
    _ = try store.redo(showing: RowScope(place))
    let again = try #require(store.list(TaskList.firstListID)?.items.first)
    try windows.wait("the date at last") { again.date == Windows.moment(21, 18) }
    // Deleted and brought back with a date that was removed by hand: it stays removed.
    try store.setDate([again.id], in: RowScope(place), to: nil)
    try store.delete([again.id], in: RowScope(place))
    _ = try store.undo(showing: RowScope(place))
    try windows.settle()
    let restored = try #require(store.list(TaskList.firstListID)?.items.first)
    #expect(restored.date == nil && restored.dateOrigin == .person)
  }

  @Test(
    "On a later day, undo and redo give back the dates that the texts said when they were written",
    arguments: ["Milk", "Milk on 22 november", "Milk every friday", "Milk in 3 days"])
  func laterUndo(text: String) throws {
    let windows = try Windows()
    try windows.startWorker()
    let scope = RowScope(windows.place)
    let task = try windows.add("Milk tomorrow, every month")
    try windows.settle()
    let before = RowValues(task)
    #expect(before.date == Windows.moment(22) && before.details.repetition == "every month")
    try windows.store.edit(task.id, in: scope, text: text)
    try windows.settle()
    let after = RowValues(task)
    windows.stopWorkers()
    let later = try Windows.open(windows.name, NotificationSource(), day: 25)
    for _ in 0..<2 {
      _ = try later.undo(showing: scope)
      #expect(later.task(task.id).map { RowValues($0) } == before)
      _ = try later.undo(showing: scope)
      #expect(later.task(task.id) == nil)
      _ = try later.redo(showing: scope)
      #expect(later.task(task.id).map { RowValues($0) } == before)
      _ = try later.redo(showing: scope)
      #expect(later.task(task.id).map { RowValues($0) } == after)
      #expect(later.allTasks.allSatisfy { !$0.isUnread })
    }
  }

  @Test(
    "What was done to a task with the date or repetition of its text is redone, also before the text is read",
    arguments: 0..<6)
  func redo(number: Int) throws {
    let windows = try Windows()
    let (store, place) = (windows.store, windows.place)
    try windows.startWorker()
    let task = try windows.add(number == 1 ? "Pay rent every month" : "Call Anna")
    if number != 1 { try store.edit(task.id, in: RowScope(place), text: "Call Anna tomorrow") }
    try windows.wait("the date") { task.date != nil }
    let scope = RowScope(place)
    let other = try #require(try store.add("Other", to: .lists).rowID)
    switch number {
    case 0: try store.delete([task.id], in: scope)
    case 1: try store.toggleCompleted([task.id], in: scope)
    case 2: try store.setDate([task.id], in: scope, to: Windows.moment(27))
    case 3: try store.setRepetition([task.id], in: scope, to: Repetition("every week"))
    case 4: try store.move([task.id], in: scope, toList: other)
    default: try store.add("Ask for the number tomorrow", to: .subtasks(of: task.id))
    }
    windows.stopWorkers()
    func values() -> [RowValues] { store.allTasks.sorted(by: \.text).map { RowValues($0) } }
    let done = values()
    // On another day the text says another date.
    for (day, steps) in [(21, 2), (21, 3), (21, 4), (22, 4)] {
      let store = try Windows.open(windows.name, NotificationSource(), day: day)
      let steps = number == 1 ? min(steps, 3) : steps
      for _ in 0..<steps { _ = try store.undo(showing: scope) }
      for _ in 0..<steps {
        let result = try store.redo(showing: scope)
        guard case .done = result else {
          Issue.record("day \(day), \(steps) steps: \(result)")
          return
        }
      }
      try windows.store.store.refresh()
      if day == 21, number != 5 { #expect(values() == done, "\(steps) steps") }
    }
  }

  @Test("Undo of a date or repetition set by hand gives what the text says, read before or not")
  func undoByHand() throws {
    let windows = try Windows()
    let (store, scope) = (windows.store, RowScope(windows.place))
    func changed(_ change: (inout TaskChanges) -> Void) -> TaskChanges {
      var changes = TaskChanges()
      change(&changes)
      return changes
    }
    let weekly = Repetition("every week")
    let operations: [(text: String, run: (Identifier) throws -> Edit)] = [
      ("Call Anna tomorrow", { try store.setDate([$0], in: scope, to: Windows.moment(30)) }),
      ("Call Anna tomorrow", { try store.change($0, changed { $0.date = .some(Windows.moment(30)) }) }),
      ("Call Anna tomorrow", { try store.change($0, changed { ($0.date, $0.text) = (.some(nil), "Anna") }) }),
      ("Pay every month", { try store.setRepetition([$0], in: scope, to: weekly) }),
      ("Pay every month", { try store.change($0, changed { $0.repetition = .some(weekly) }) }),
      ("Pay every month", { try store.setDate([$0], in: scope, to: nil) }),
    ]
    for (number, operation) in operations.enumerated() {
      let read = try windows.add(operation.text)
      try windows.startWorker()
      try windows.settle()
      windows.stopWorkers()
      let task = try windows.add(operation.text)
      _ = try operation.run(task.id)
      try windows.startWorker()
      try windows.settle()
      _ = try store.undo(showing: scope)
      try windows.settle()
      windows.stopWorkers()
      #expect(task.date == read.date && task.date != nil, "\(number)")
      #expect(task.repetition == read.repetition && task.dateOrigin == .text, "\(number)")
    }
  }
}
