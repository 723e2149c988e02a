import FoundationEssentials
import LiveStore

/// A file of lists and tasks, opened on one scheduler: what the screens and the command line read, and every
/// operation on it.
///
/// The operations stand in `TasksStore+Adding.swift` and its neighbours. Each is one short transaction of its
/// own, so none may be called inside another. What was committed elsewhere and is still pending is delivered
/// first; then the rows are looked up by their ids, never by an index that may be out of date, and the result
/// tells what was done in indices that are exact for whoever has seen all that was delivered. Notification
/// tokens that are handed over stay silent about this change, and about no other.
public final class TasksStore {
  /// Marks a SQLite file as one of ours ("Task" in ASCII); a file that carries another number is refused.
  public static let applicationID: Int32 = 0x5461_736B
  /// The version of the file's layout; a file with a higher one is refused.
  public static let schemaVersion = 4

  static let objectTypes: [Object.Type] = [TaskListList.self, TaskList.self, TaskItem.self, UndoStep.self]

  /// For observing and reading; writing goes through the operations.
  public let store: Store
  /// All lists, in their order.
  public let lists: List<TaskList>
  /// Whose actions these are, to be undone by nobody else.
  public let author: String
  /// Reads dates out of what is typed, and tells the time.
  public var dates: DateReader
  /// How long an operation waits for another program that writes, in milliseconds, before it throws; nil for
  /// as long as a store usually does.
  public var writeTimeout: Int32?
  /// Where a row goes that is completed from now on.
  public var completedRows = CompletedRows.end

  /// Opens the file, and fills it with its first content when it is new.
  ///
  /// - Parameters:
  ///   - path: The file. It is made when it is missing, its folder is not (see `DatabaseLocation`).
  ///   - isReadOnly: Nothing is made or changed, and every operation throws; what others write is followed as
  ///     ever. The file has to be there, and to be of this version.
  ///   - durability: Whether what is committed survives a failure of the power from that moment on.
  ///   - author: Whose actions these are; each author undoes their own.
  ///   - dates: Reads dates out of what is typed.
  /// - Throws: `StoreError` when it cannot be opened, when it is not a file of this program, or of a newer
  ///   version; the file is then left as it was.
  public convenience init(
    path: String, isReadOnly: Bool = false, durability: Store.Configuration.Durability = .normal,
    scheduler: Scheduler = .main, author: String = Author.current, dates: DateReader = DateReader()
  ) throws {
    var configuration = TasksStore.configuration(path)
    configuration.isReadOnly = isReadOnly
    configuration.durability = durability
    try self.init(configuration, scheduler: scheduler, author: author, dates: dates)
  }

  static func configuration(_ path: String) -> Store.Configuration {
    var configuration = Store.Configuration(
      path: path, schemaVersion: TasksStore.schemaVersion, applicationID: TasksStore.applicationID,
      objectTypes: TasksStore.objectTypes)
    configuration.migration = TasksStore.migrate
    return configuration
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

  /// The only `TaskListList`, which is made, together with the first list, when the file has none.
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
      // Another process may have been faster; now that the lock is ours, what is there is what there will be.
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

  /// The list with the id, or nil when there is none.
  public func list(_ id: Identifier) -> TaskList? {
    store.object(ofType: TaskList.self, forPrimaryKey: id)
  }

  /// The task with the id, or nil when there is none.
  public func task(_ id: Identifier) -> TaskItem? {
    store.object(ofType: TaskItem.self, forPrimaryKey: id)
  }

  /// Throws why the file could not be read, if it could not: what has been read since the store was opened
  /// may be wrong then.
  public func requireReadable() throws(StoreError) {
    if let failure = store.failure { throw failure }
  }

  /// Gives up the file. Nothing of this store may be used afterwards.
  public func close() {
    store.close()
  }
}
