import Dispatch
import LiveStore

/// A file of lists and tasks, opened on one scheduler: the source of the screens and the command line, with
/// every operation on it.
///
/// The operations are in `TasksStore+Adding.swift` and its neighbours. Each is one short transaction, so none
/// may be called inside another. Pending commits of others are delivered first. Then the rows are looked up
/// by their ids, never by an index that may be outdated, and the result has indices that are exact for an
/// observer that has received all deliveries. The subscriptions of the given tokens are not notified of this
/// change, but of all others. Each operation throws `StoreError`, too; `long` is the action that it is a part
/// of.
public final class TasksStore {
  /// The mark of this program's SQLite files ("Task" in ASCII); a file with another number is refused.
  public static let applicationID: Int32 = 0x5461_736B
  /// The version of the file's layout; a file with a higher one is refused.
  public static let schemaVersion = 6

  static let objectTypes: [Object.Type] = [
    TaskListList.self, TaskList.self, TaskItem.self, SavedSearch.self, UndoStep.self,
  ]

  /// The store, for observing and reading; writes go through the operations.
  public let store: Store
  /// All lists, in their order.
  public let lists: List<TaskList>
  /// The person whose actions these are, and who alone can undo them.
  public let author: String
  /// The reader of dates in texts, which also has the clock.
  public var dates: DateReader
  /// The milliseconds that an operation waits for another program that writes before it throws; nil for the
  /// usual time of a store.
  public var writeTimeout: Int32?
  /// The reason why no operation may write, such as a file that was moved; nil while all may.
  public var refusal: StoreError?
  /// The destination of rows that are completed from now on.
  public var completedRows = CompletedRows.end
  /// Whether each transaction also puts in order the lists that it changes and that are kept sorted, so that
  /// no other program sees one that is not. False for a window, which says with each scope whether its rows
  /// may move; see `RowScope.presentOrder`.
  public var sortsInTransactions = false
  /// The lock that this instance and its `DateWorker` take in order to write: a key is not refused because of
  /// the worker, whose transactions are short.
  let writerLock = DispatchSemaphore(value: 1)
  private var holdsWriterLock = false

  /// Opens the file, and writes the first content of a new one.
  ///
  /// - Parameters:
  ///   - path: The file. It is created if it is missing, its folder is not (see `DatabaseLocation`).
  ///   - isReadOnly: Whether nothing is created or changed, and every operation throws; the commits of others
  ///     are followed as usual. The file has to exist, and to have this version.
  ///   - followsCommits: False for a program that reads or writes once and ends: nothing can be observed, and
  ///     only the operations see what others commit.
  ///   - durability: Whether a commit survives a failure of the power from the moment it is made.
  ///   - author: The person whose actions these are; each author undoes only their own.
  ///   - dates: The reader of dates in texts.
  /// - Throws: `StoreError` when it cannot be opened, when it is not a file of this program, or of a newer
  ///   version; the file is then as it was.
  public convenience init(
    path: String, isReadOnly: Bool = false, followsCommits: Bool = true,
    durability: Store.Configuration.Durability = .normal, scheduler: Scheduler = .main,
    author: String = Author.current, dates: DateReader = DateReader()
  ) throws {
    var configuration = TasksStore.configuration(path)
    configuration.isReadOnly = isReadOnly
    configuration.followsCommits = followsCommits
    configuration.durability = durability
    try self.init(configuration, scheduler: scheduler, author: author, dates: dates)
  }

  /// Opens a file to read it; where its disk fails, or its folder cannot be written at all, a copy of it in
  /// memory. A full disk has no room for the file that SQLite's readers share, and is when people look for
  /// what they can do without, and copy the rest to another one.
  ///
  /// - Parameter isObserved: Whether the copy, too, has to be one that can be observed, although it never
  ///   changes.
  /// - Parameter open: The way to open it where the disk has room.
  /// - Throws: What `open` throws, if there is no copy either.
  public static func openToRead(
    _ path: String, scheduler: Scheduler, dates: DateReader = DateReader(), isObserved: Bool = false,
    _ open: () throws -> TasksStore
  ) throws -> TasksStore {
    do {
      return try open()
    } catch let error as StoreError
      where error.code == .diskFailure
      || error.code == .fileAccess && DatabaseFiles(databasePath: path).cannotBeShared
    {
      let copy = try? Store.readCopyInMemory(of: configuration(path)) {
        var configuration = $0
        configuration.followsCommits = isObserved
        return try TasksStore(configuration, scheduler: scheduler, author: Author.current, dates: dates)
      }
      guard let copy else { throw error }
      return copy
    }
  }

  static func configuration(_ path: String) -> Store.Configuration {
    Store.Configuration(
      path: path, schemaVersion: TasksStore.schemaVersion, applicationID: TasksStore.applicationID,
      objectTypes: TasksStore.objectTypes)
  }

  /// Opens a store that lives as long as an instance with this identifier is open.
  public convenience init(
    inMemory identifier: String, scheduler: Scheduler = .main, author: String = Author.current,
    dates: DateReader = DateReader()
  ) throws {
    try self.init(
      Store.Configuration(
        inMemory: identifier, schemaVersion: TasksStore.schemaVersion, objectTypes: TasksStore.objectTypes),
      scheduler: scheduler, author: author, dates: dates)
  }

  init(
    _ configuration: Store.Configuration, scheduler: Scheduler, author: String, dates: DateReader
  ) throws {
    self.author = author
    self.dates = dates
    store = try Store(configuration, scheduler: scheduler)
    lists = try TasksStore.listOfLists(in: store, isReadOnly: configuration.isReadOnly).items
  }

  /// The only `TaskListList`, which is created, together with the first list, if the file has none.
  private static func listOfLists(in store: Store, isReadOnly: Bool) throws -> TaskListList {
    if let existing = store.object(ofType: TaskListList.self, forPrimaryKey: TaskListList.onlyID) {
      return existing
    }
    if let failure = store.failure { throw failure }
    if isReadOnly {
      throw StoreError(
        .schema, "The file holds no lists yet; open it for writing once, so that they are made.")
    }
    return try store.write {
      // Another process may have created it first; now that this one has the lock, that no longer changes.
      if let existing = store.object(ofType: TaskListList.self, forPrimaryKey: TaskListList.onlyID) {
        return existing
      }
      let listOfLists = TaskListList()
      store.add(listOfLists)
      let first: TaskList
      if let existing = store.object(ofType: TaskList.self, forPrimaryKey: TaskList.firstListID) {
        first = existing
      } else {
        first = TaskList()
        first.id = TaskList.firstListID
        first.text = TaskList.firstListText
        store.add(first)
      }
      listOfLists.items.append(first)
      return listOfLists
    }
  }

  /// The number of transactions of this instance, also of those that were rolled back. After one, those who
  /// observe rows of the instance are notified on a turn, or by `refresh`.
  public private(set) var writeCount = 0

  /// The longest time to wait for a transaction of the worker; only a disk that hangs takes that long.
  private static let longestOwnWrite = DispatchTimeInterval.seconds(1)

  /// Runs the transaction of an operation.
  ///
  /// - Throws: What `body` throws, after which nothing has been written, or `StoreError`.
  func write<R>(withoutNotifying tokens: [NotificationToken] = [], _ body: () throws -> R) throws -> R {
    if let refusal { throw refusal }
    let takesLock = !holdsWriterLock && writerLock.wait(timeout: .now() + Self.longestOwnWrite) == .success
    if takesLock { holdsWriterLock = true }
    defer {
      if takesLock {
        holdsWriterLock = false
        writerLock.signal()
      }
    }
    defer { writeCount &+= 1 }
    return try store.write(waitingAtMost: writeTimeout, withoutNotifying: tokens) {
      let result = try body()
      if sortsInTransactions { try sortChangedLists() }
      return result
    }
  }

  /// The list with the id, or nil when there is none.
  public func list(_ id: Identifier) -> TaskList? {
    row(id, of: TaskList.self)
  }

  /// The task with the id, or nil when there is none.
  public func task(_ id: Identifier) -> TaskItem? {
    row(id, of: TaskItem.self)
  }

  /// Throws the reason if the file could not be read: values that have been read since the store was opened
  /// may be wrong then.
  public func requireReadable() throws(StoreError) {
    if let failure { throw failure }
  }

  /// Removes a file that holds nothing but what a new one does, if no other program has it open. The store
  /// can only be closed afterwards.
  public func removeUnusedFile() {
    store.removeFile {
      let all = store.objects(TaskList.self)
      return all.count == 1 && all.first?.id == TaskList.firstListID
        && all.first?.text == TaskList.firstListText
        && allTasks.isEmpty && store.objects(UndoStep.self).isEmpty && store.objects(SavedSearch.self).isEmpty
    }
  }

  /// Closes the file. Nothing of this store may be used afterwards.
  public func close() {
    store.close()
  }
}
