import Dispatch
import FoundationEssentials
import LiveStore
import Synchronization

/// A worker that reads the texts of tasks in the background and stores the dates and repetitions in them,
/// regardless of the person and program that wrote the text: the job of RealmTasks' server function.
///
/// Its queue is in the file: the tasks whose text is not the one that was read last. A task leaves the queue
/// in the transaction that writes its date. It is therefore processed once, however many processes have a
/// worker, and a worker that is killed leaves the rest to the next. With an empty queue it sleeps, and costs
/// nothing.
///
/// It also stores the tags of the text, for searches by tag.
///
/// A date or a repetition that a person has set or removed is left alone. So is one that another program has
/// set. One that was read follows the text: it is removed with the words that say it, and stays unchanged
/// while they stay.
///
/// Its changes are not actions of a person, so that undo does not include them. Undoing a change of a text
/// gives the date that the text said when it was written.
///
/// It leaves the lists that are kept sorted by date to the windows, although others may see one out of order
/// until then: it does not know in which of them a person types, under whose hands no row is to move.
public final class DateWorker {
  private let token: NotificationToken
  private let queue: DispatchQueue
  private let waiting: Waiting

  /// The tasks in one transaction, which bounds the time that other writers wait.
  static let batch = 200

  /// Starts the worker, on a queue of its own.
  ///
  /// - Parameters:
  ///   - store: A store of the file; it must not be read-only.
  ///   - onFailure: Called, on any thread, with the reason why texts cannot be read or dates cannot be
  ///     written. Some tasks then wait in the file for the next worker.
  /// - Throws: `QueryError`.
  public init(_ store: TasksStore, onFailure: @escaping @Sendable (StoreError) -> Void = { _ in }) throws {
    let dates = store.dates
    let unread = try Self.unread(in: store)
    let queue = DispatchQueue(label: "tasks.dates")
    let waiting = Waiting()
    let writerLock = store.writerLock
    self.queue = queue
    self.waiting = waiting
    token = unread.observe(on: .queue(queue)) { change in
      do throws(StoreError) {
        switch change {
        case .initial(let tasks), .update(let tasks, _):
          try Self.read(tasks, dates, writerLock, waiting)
          if let failure = tasks.store.failure { throw failure }
        case .error(let error): throw error
        }
      } catch {
        onFailure(error)
      }
    }
  }

  /// The newest version of the file of which the worker has found that all texts are read; nil until then.
  public var textsRead: StoreVersion? { waiting.textsRead.withLock { $0 } }

  /// The wait for another program that writes, until the worker is stopped.
  private final class Waiting: Sendable {
    private let stopped = DispatchSemaphore(value: 0)
    let textsRead = Mutex<StoreVersion?>(nil)

    func stop() { stopped.signal() }

    /// - Returns: Whether the worker was stopped.
    func wait(milliseconds: Int) -> Bool {
      guard stopped.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return false }
      // For later calls.
      stopped.signal()
      return true
    }
  }

  /// The tasks whose texts have not been read.
  ///
  /// - Throws: `QueryError`.
  public static func unread(in store: TasksStore) throws -> Results<TaskItem> {
    try store.allTasks.filter(#Predicate<TaskItem> { $0.readText != $0.text })
  }

  /// Reads all unread texts at once, on this thread: for a program whose clock does not advance.
  ///
  /// - Parameter tasks: The result of `unread(in:)`.
  /// - Throws: `StoreError`.
  public static func readAll(_ tasks: Results<TaskItem>, _ dates: DateReader) throws {
    guard tasks.contains(where: \.isUnread) else { return }
    try tasks.store.write {
      for task in first(.max, unreadOf: tasks) { task.readText(by: dates) }
    }
  }

  /// The first tasks that are unread. Reading one takes it out of the results, and what is damaged may have
  /// more of them than can be read: they are not counted.
  private static func first(_ count: Int, unreadOf tasks: Results<TaskItem>) -> [TaskItem] {
    var unread: [TaskItem] = []
    for task in tasks where task.isUnread {
      unread.append(task)
      if unread.count == count { break }
    }
    return unread
  }

  /// Stops the worker. The remaining tasks are left to the next one.
  public func stop() {
    token.invalidate()
    waiting.stop()
  }

  /// Stops the worker, and returns when it has ended and holds nothing of the file: before the process is
  /// suspended.
  public func stopAndWait() {
    stop()
    queue.sync {}
  }

  deinit { stop() }

  /// The milliseconds to wait in SQLite for another program that writes. `stopAndWait()` takes as long.
  private static let writeTimeout: Int32 = 20

  /// Reads the texts for one transaction, whose change set starts the next call.
  private static func read(
    _ tasks: Results<TaskItem>, _ dates: DateReader, _ writerLock: DispatchSemaphore, _ waiting: Waiting
  ) throws(StoreError) {
    // A transaction below delivers what another program has committed meanwhile before it begins to read: it
    // reads that, too.
    guard !tasks.store.isInWriteTransaction else { return }
    guard tasks.contains(where: \.isUnread) else {
      let version = try tasks.store.currentVersion()
      return waiting.textsRead.withLock { $0 = version }
    }
    var pause = 50
    repeat {
      writerLock.wait()
      defer { writerLock.signal() }
      do {
        return try tasks.store.write(waitingAtMost: writeTimeout) {
          for task in first(batch, unreadOf: tasks) { task.readText(by: dates) }
        }
      } catch let error as StoreError {
        // If the file cannot be written, the tasks wait in it.
        guard error.code == .busy else { throw error }
        pause = min(pause * 2, 1000)
      } catch {
        // The transaction itself throws nothing.
        return
      }
    } while !waiting.wait(milliseconds: pause)
  }
}
