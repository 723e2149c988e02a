import Dispatch
import FoundationEssentials
import LiveStore

/// Reads the texts of tasks in the background and writes the dates and repetitions that they speak of,
/// whoever has typed them and in whichever program: what RealmTasks' server function did.
///
/// Its queue is in the file: the tasks whose text is not the one that was read last. A task leaves it in the
/// transaction that writes its date, so that it is worked on once, however many processes have a worker, and
/// so that whatever one of them left undone when it was killed is done by the next. With nothing to read it
/// waits, and costs nothing.
///
/// The tags of the text are noted by the way, for those who ask for them.
///
/// A date or a repetition that a person has set or taken away is left alone. So is one that somebody else has
/// set. One that was read follows the text: it goes when the words that said it go, and stays as it is while
/// they stay.
///
/// Nothing of it is an action of a person, so that undo does not know it. Who takes back a text gets the date
/// that belongs to it.
public final class DateWorker {
  private let token: NotificationToken
  private let queue: DispatchQueue
  private let waiting: Waiting

  /// Tasks in one transaction: others that wait to write wait no longer than it takes to write so many.
  static let batch = 200

  /// Begins to work, on a queue of its own.
  ///
  /// - Parameters:
  ///   - store: Tells the file; it must not be read-only.
  ///   - onFailure: Called, on any thread, with why texts cannot be read or dates not be written. Some of
  ///     them wait in the file then, for the next worker at the latest.
  /// - Throws: `QueryError`.
  public init(_ store: TasksStore, onFailure: @escaping @Sendable (StoreError) -> Void = { _ in }) throws {
    let dates = store.dates
    let unread = try Self.unread(in: store)
    let queue = DispatchQueue(label: "tasks.dates")
    let waiting = Waiting()
    self.queue = queue
    self.waiting = waiting
    token = unread.observe(on: .queue(queue)) { change in
      do throws(StoreError) {
        switch change {
        case .initial(let tasks), .update(let tasks, _):
          try Self.read(tasks, dates, waiting)
          if let failure = tasks.store.failure { throw failure }
        case .error(let error): throw error
        }
      } catch {
        onFailure(error)
      }
    }
  }

  /// Waits for another program that writes, as long as the worker has not been told to stop.
  private final class Waiting: Sendable {
    private let stopped = DispatchSemaphore(value: 0)

    func stop() { stopped.signal() }

    /// - Returns: Whether the worker has to stop.
    func wait(milliseconds: Int) -> Bool {
      guard stopped.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return false }
      // For whoever asks after that.
      stopped.signal()
      return true
    }
  }

  /// The tasks whose texts have not been read.
  ///
  /// - Throws: `QueryError`.
  public static func unread(in store: TasksStore) throws -> Results<TaskItem> {
    try store.store.objects(TaskItem.self).filter(#Predicate<TaskItem> { $0.readText != $0.text })
  }

  /// Reads all that has not been read, at once and here: for a program whose time stands still.
  ///
  /// - Parameter tasks: From `unread(in:)`.
  /// - Throws: `StoreError`.
  public static func readAll(_ tasks: Results<TaskItem>, _ dates: DateReader) throws {
    guard tasks.contains(where: isUnread) else { return }
    try tasks.store.write {
      for task in Array(tasks.lazy.filter(isUnread)) { read(task, dates) }
    }
  }

  /// Ends the work. What is left is done by the next worker.
  public func stop() {
    token.invalidate()
    waiting.stop()
  }

  /// Ends the work, and returns when none of it goes on any more and it holds nothing of the file: before the
  /// process stands still.
  public func stopAndWait() {
    stop()
    queue.sync {}
  }

  deinit { stop() }

  /// How long to wait in SQLite for another program that writes, in milliseconds: whoever wants the worker to
  /// stop waits as long.
  private static let writeTimeout: Int32 = 20

  /// Reads as many as go into one transaction; the change set of that asks for the next.
  private static func read(
    _ tasks: Results<TaskItem>, _ dates: DateReader, _ waiting: Waiting
  ) throws(StoreError) {
    guard tasks.contains(where: isUnread) else { return }
    var pause = 50
    repeat {
      do {
        return try tasks.store.write(waitingAtMost: writeTimeout) {
          for task in Array(tasks.lazy.filter(isUnread).prefix(batch)) { read(task, dates) }
        }
      } catch let error as StoreError {
        // Where the file cannot be written, the tasks wait in it.
        guard error.code == .busy else { throw error }
        pause = min(pause * 2, 1000)
      } catch {
        // The transaction itself throws nothing.
        return
      }
    } while !waiting.wait(milliseconds: pause)
  }

  /// A text that is none, which another program may have written, never becomes equal in the file to what was
  /// read of it.
  private static func isUnread(_ task: TaskItem) -> Bool { task.readText != task.text }

  static func read(_ task: TaskItem, _ dates: DateReader) {
    let text = task.text
    let oldWords = dates.words(in: task.readText)
    task.readText = text
    let tags = TaskTags.column(of: text)
    if task.tags != tags { task.tags = tags }
    let found = dates.find(in: text)
    // “At 6pm” of yesterday does not become that of today because another word was corrected.
    let isSaidAgain = found != nil && found?.words == oldWords
    setDate(of: task, to: found?.date, isSaidAgain: isSaidAgain)
    setRepetition(of: task, to: found?.repetition, isSaidAgain: isSaidAgain)
  }

  private static func setDate(of task: TaskItem, to date: Date?, isSaidAgain: Bool) {
    guard task.dateOrigin == .text || task.dateOrigin == .unknown && task.date == nil else { return }
    guard let date else {
      if task.dateOrigin == .text { (task.date, task.dateOrigin) = (nil, .unknown) }
      return
    }
    if task.dateOrigin == .text, task.date != nil, isSaidAgain { return }
    (task.date, task.dateOrigin) = (date, .text)
  }

  private static func setRepetition(of task: TaskItem, to repetition: Repetition?, isSaidAgain: Bool) {
    let origin = task.repetitionOrigin
    guard origin == .text || origin == .unknown && task.repetition.isEmpty, !task.completed else { return }
    // Without a date, which a person may have taken away, nothing comes again.
    guard let repetition, task.date != nil else {
      if origin == .text { (task.repetition, task.repetitionOrigin) = ("", .unknown) }
      return
    }
    if origin == .text, !task.repetition.isEmpty, isSaidAgain { return }
    (task.repetition, task.repetitionOrigin) = (repetition.description, .text)
  }
}
