import Glibc
import LiveStore
import TasksModel

extension TasksStore {
  /// Opens the file for the command line.
  ///
  /// - Parameters:
  ///   - notifications: The source that tells of what others commit; nil for a command that does not wait for
  ///     it.
  ///   - isReadOnly: Whether nothing is created or written.
  /// - Throws: A sentence for people; the file is as it was.
  static func open(
    _ path: String, _ notifications: NotificationSource?, isReadOnly: Bool = false,
    environment: [String: String]
  ) throws -> TasksStore {
    let durability: Store.Configuration.Durability
    switch environment["TASKS_DURABILITY"] {
    case nil, "", "normal": durability = .normal
    case "full": durability = .full
    case let other?: throw RuntimeError("TASKS_DURABILITY is normal or full, not “\(other)”")
    }
    if !isReadOnly { try DatabaseLocation.makeFolders(for: path) }
    do {
      return try TasksStore(
        path: path, isReadOnly: isReadOnly, followsCommits: notifications != nil, durability: durability,
        scheduler: .fileDescriptor(notifications ?? NotificationSource()),
        dates: DateReader(locale: DateLocale(environment: environment)))
    } catch let error as StoreError where isReadOnly {
      if SmallFile.isMissing(path) {
        throw RuntimeError("“\(path)” is not there, and --read-only makes no file")
      }
      guard error.code == .schema else { throw error }
      throw RuntimeError(
        "“\(path)” is of an older version of tasks, or holds no lists yet; "
          + "open it once without --read-only, which brings it up to date")
    }
  }

  /// Opens the file for a window; where its disk fails, a copy of it, to be read only.
  ///
  /// - Returns: The store, and for a copy the sentence that says why it is one.
  /// - Throws: A sentence for people, as ``open(_:_:isReadOnly:environment:)`` does.
  static func openForWindow(
    _ path: String, _ notifications: NotificationSource, isReadOnly: Bool, environment: [String: String]
  ) throws -> (store: TasksStore, whyCopy: String?) {
    var failure: StoreError?
    let store = try openToRead(
      path, scheduler: .fileDescriptor(notifications),
      dates: DateReader(locale: DateLocale(environment: environment)), isObserved: true
    ) {
      do {
        return try open(path, notifications, isReadOnly: isReadOnly, environment: environment)
      } catch let error as StoreError {
        failure = error
        throw error
      }
    }
    return (store, failure.map { "\($0) This window shows a copy, to be read only." })
  }

  /// Throws if there is no file, or an empty one: a command that needs what is in it must not make one for
  /// nothing.
  static func requireFile(_ path: String) throws(RuntimeError) {
    if SmallFile.isMissing(path) {
      throw RuntimeError("there is no file “\(path)”; tasks add TEXT makes it")
    }
    if SmallFile.isEmpty(path), SmallFile.isMissing(path + "-wal") {
      throw RuntimeError("“\(path)” is empty; tasks add TEXT puts a first task into it")
    }
  }

  /// Opens the file for a command that only reads: nothing is created, and a file that may only be read is
  /// read, and so is one on a full disk.
  ///
  /// - Throws: A sentence for people, also when there is no file.
  static func openToRead(
    _ path: String, _ notifications: NotificationSource?, environment: [String: String]
  ) throws -> TasksStore {
    try requireFile(path)
    func open() throws -> TasksStore { try openFileToRead(path, notifications, environment: environment) }
    // A copy would never change.
    if notifications != nil { return try open() }
    return try openToRead(
      path, scheduler: .fileDescriptor(NotificationSource()),
      dates: DateReader(locale: DateLocale(environment: environment)), open)
  }

  private static func openFileToRead(
    _ path: String, _ notifications: NotificationSource?, environment: [String: String]
  ) throws -> TasksStore {
    // A command that only reads does not migrate an older file.
    if DatabaseHeader.isOfOlderVersion(in: path) {
      do {
        return try open(path, notifications, isReadOnly: true, environment: environment)
      } catch is RuntimeError {
        throw RuntimeError(
          "“\(path)” is of an older version of tasks; a window, or a command that changes something, "
            + "brings it up to date")
      }
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let isReadOnly = access(path, W_OK) != 0 || access(folder, W_OK) != 0
    return try open(path, notifications, isReadOnly: isReadOnly, environment: environment)
  }

  /// A sentence for a person who follows the file while the system watches no more files for them; otherwise
  /// `nil`.
  var pollingSentence: String? {
    guard store.isPolling else { return nil }
    return "What other programs change shows up to a tenth of a second late: the system watches no more "
      + "files for you (see fs.inotify.max_user_instances in sysctl)."
  }
}
