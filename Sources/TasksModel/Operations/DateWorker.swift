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
/// Texts that have just come from another machine are left for some seconds to the window there in which they
/// were typed: that reads them at once, in the person's time zone. Two machines that read one text would tell
/// each other's people of changes that no person made.
///
/// It leaves the lists that are kept sorted by date to the windows, although others may see one out of order
/// until then: it does not know in which of them a person types, under whose hands no row is to move.
public final class DateWorker {
  private let token: NotificationToken
  private let reader: Reader

  /// The tasks in one transaction, which bounds the time that other writers wait.
  static let batch = 200

  /// Starts the worker, on a queue of its own.
  ///
  /// - Parameters:
  ///   - store: A store of the file; it must not be read-only.
  ///   - patience: The time for which texts that came from another machine are left to that.
  ///   - onFailure: Called, on any thread, with the reason why texts cannot be read or dates cannot be
  ///     written. Some tasks then wait in the file for the next worker.
  /// - Throws: `QueryError`.
  public init(
    _ store: TasksStore, patience: Duration = .seconds(5),
    onFailure: @escaping @Sendable (StoreError) -> Void = { _ in }
  ) throws {
    let unread = try Self.unread(in: store)
    let reader = Reader(store, patience: patience, onFailure: onFailure)
    self.reader = reader
    token = unread.observe(on: .queue(reader.queue)) { change in
      switch change {
      case .initial(let tasks), .update(let tasks, _): reader.read(tasks)
      case .error(let error): onFailure(error)
      }
    }
  }

  /// The newest version of the file of which the worker has found that all texts are read; nil until then.
  public var textsRead: StoreVersion? { reader.textsRead.withLock { $0 } }

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
  private static func first(
    _ count: Int, unreadOf tasks: Results<TaskItem>, except others: Set<Identifier> = []
  ) -> [TaskItem] {
    var unread: [TaskItem] = []
    for task in tasks where task.isUnread && !others.contains(task.id) {
      unread.append(task)
      if unread.count == count { break }
    }
    return unread
  }

  /// Stops the worker. The remaining tasks are left to the next one.
  public func stop() {
    token.invalidate()
    reader.stop()
  }

  /// Stops the worker, and returns when it has ended and holds nothing of the file: before the process is
  /// suspended.
  public func stopAndWait() {
    stop()
    reader.queue.sync {}
  }

  deinit { stop() }

  /// The reading of the texts, on a queue of its own.
  private final class Reader: @unchecked Sendable {
    // The property that can be changed is used on the queue alone.

    let queue = DispatchQueue(label: "tasks.dates")
    let textsRead = Mutex<StoreVersion?>(nil)
    private let dates: DateReader
    private let writerLock: DispatchSemaphore
    private let patience: Duration
    private let onFailure: @Sendable (StoreError) -> Void
    private let stopped = DispatchSemaphore(value: 0)
    /// The unread tasks while some of them are left to another machine.
    private var tasksLeft: Results<TaskItem>?

    /// The milliseconds to wait in SQLite for another program that writes. `stopAndWait()` takes as long.
    private static let writeTimeout: Int32 = 20

    init(_ store: TasksStore, patience: Duration, onFailure: @escaping @Sendable (StoreError) -> Void) {
      dates = store.dates
      writerLock = store.writerLock
      self.patience = patience
      self.onFailure = onFailure
    }

    func stop() {
      stopped.signal()
      queue.async { self.tasksLeft = nil }
    }

    /// Waits for another program that writes; returns whether the worker was stopped.
    private func wait(milliseconds: Int) -> Bool {
      guard stopped.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return false }
      // For later calls.
      stopped.signal()
      return true
    }

    /// Reads the texts for one transaction, whose change set starts the next call.
    func read(_ tasks: Results<TaskItem>) {
      do throws(StoreError) {
        try readSome(of: tasks)
        if let failure = tasks.store.failure { throw failure }
      } catch {
        onFailure(error)
      }
    }

    private func readSome(of tasks: Results<TaskItem>) throws(StoreError) {
      // A transaction below delivers what another program has committed meanwhile before it begins to read:
      // it reads that, too.
      guard !tasks.store.isInWriteTransaction else { return }
      let arrivals = tasks.isEmpty ? [] : arrivals(in: tasks.store)
      if !arrivals.isEmpty, tasks.contains(where: { arrivals.contains($0.id) && $0.isUnread }) {
        readLater(tasks)
      }
      guard !first(1, unreadOf: tasks, except: arrivals).isEmpty else {
        guard tasksLeft == nil else { return }
        let version = try tasks.store.currentVersion()
        return textsRead.withLock { $0 = version }
      }
      var pause = 50
      repeat {
        writerLock.wait()
        defer { writerLock.signal() }
        do {
          return try tasks.store.write(waitingAtMost: Self.writeTimeout) {
            for task in first(batch, unreadOf: tasks, except: arrivals) { task.readText(by: dates) }
          }
        } catch let error as StoreError {
          // If the file cannot be written, the tasks wait in it.
          guard error.code == .busy else { throw error }
          pause = min(pause * 2, 1000)
        } catch {
          // The transaction itself throws nothing.
          return
        }
      } while !wait(milliseconds: pause)
    }

    /// The tasks that have just come from another machine, or have been changed there; none in a file that is
    /// joined to no others.
    private func arrivals(in store: Store) -> Set<Identifier> {
      let now = Int64(Date().timeIntervalSince1970 * 1000)
      let earliest = now - Int64(patience / .milliseconds(1))
      // Without a space there is no such table.
      let keys = try? store.firstValue(
        sql: "SELECT group_concat(key, char(10)) FROM _livesync_author "
          + "WHERE time BETWEEN \(earliest) AND \(now)")
      guard case .text(let text)? = keys else { return [] }
      return Set(text.split(separator: "\n").map { Identifier(String($0)) })
    }

    /// Reads the texts that the other machine has not read when it has had the time for that.
    private func readLater(_ tasks: Results<TaskItem>) {
      guard tasksLeft == nil else { return }
      tasksLeft = tasks
      let nanoseconds = Int(patience / .nanoseconds(1))
      queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
        guard let self, let tasks = tasksLeft else { return }
        tasksLeft = nil
        read(tasks)
      }
    }
  }
}
