extension Store {
  /// The file that a store opens, the classes in it, and how it is used.
  public struct Configuration: Sendable {
    enum Location: Sendable {
      case file(String)
      case memory(String)
    }

    /// The `application_id` in the header of files whose application has no mark of its own ("Live").
    public static let defaultApplicationID: Int32 = 0x4C69_7665

    var location: Location
    /// The version of the classes. A file with a higher one is refused; one with a lower one is migrated when
    /// it is opened.
    ///
    /// It has to be raised whenever the persisted properties of a class change. Adding a class, and adding or
    /// removing an index, need no higher version.
    public var schemaVersion: Int
    /// The mark of the application in the file's header. A file with another one is refused.
    public var applicationID: Int32
    /// The classes whose objects the store holds: all to which their links and lists lead must be among them.
    public var objectTypes: [Object.Type]
    /// A closure that is called when the file has an older schema version, with the old and the new objects
    /// and that version. An error that it throws is thrown by `Store.init`, and the file stays as it was.
    ///
    /// Needed only where the classes do not say what becomes of the values; see ``Migration``. Unless
    /// ``schemaVersion`` is raised, it is not called. It runs while the file is locked for writing, on the
    /// thread that opens the store.
    public var migration: (@Sendable (_ migration: Migration, _ oldVersion: Int) throws -> Void)?
    /// Whether a file of an older schema version is copied before it is migrated.
    ///
    /// The copy of `people.db`, of version 2, is `people.db.version-2` beside it, or `people.db.version-2.2`
    /// and so on where that file exists already. A copy is never removed after a successful migration, so
    /// that there is one for each. After a failed one it is removed, as the file is then as it was. When the
    /// copy cannot be made, as on a full disk, the file is not migrated, and `Store.init` throws. A file of
    /// the current version is never copied.
    public var backsUpBeforeMigration = true
    /// Whether the file is only read: it is not created, prepared or migrated, and no write can begin.
    ///
    /// Such a store follows what other programs write, and may be observed and refreshed like any other. The
    /// file must hold a store of this ``schemaVersion``; it may lack rules of the classes. SQLite's readers
    /// share a file beside the database, so its folder has to be writable, or another program must have the
    /// file open.
    public var isReadOnly = false
    /// Whether the file has been prepared already: tables that it lacks have been removed since, and must not
    /// be made anew.
    var isPrepared = false
    /// Whether the store advances to the commits of others by itself. Without it, nothing of the store can be
    /// observed, and it advances only in ``Store/refresh()`` and ``Store/beginWrite(waitingAtMost:)``: for a
    /// program that reads or writes once and ends. Such a store starts no thread, and opens one connection
    /// instead of two.
    package var followsCommits = true
    /// The milliseconds that a write waits for the writes of other programs before it fails with
    /// ``StoreError/Code/busy``.
    public var busyTimeout: Int32 = 5_000
    /// A closure that is called with each statement that the store has run, and the time that SQLite has
    /// spent on it: for finding out what is slow. `nil` by default, which costs nothing.
    ///
    /// Called on the thread that has run the statement, which may be one of the library: it must not use the
    /// store. Values are not part of the statement.
    public var trace: (@Sendable (_ statement: TracedStatement) -> Void)?
    /// Whether a commit survives a failure of the power from the moment it is made; see ``Durability``.
    public var durability = Durability.normal

    /// The commits that a failure of the power, or of the operating system, may take back.
    ///
    /// With either, nothing that was committed is lost when a program ends, crashes or is killed. A file
    /// never holds a part of a commit, nor a commit without those before it.
    public enum Durability: Sendable {
      /// The commits of the last moments: those since SQLite last had the system flush the write-ahead log to
      /// the disk. SQLite does that whenever it writes the log back into the file, every few megabytes.
      case normal
      /// None: a commit returns once the disk has it. That takes from a tenth of a millisecond to some tens,
      /// depending on the disk.
      ///
      /// A disk that reports too early that data are written can still lose them. The commits of another
      /// program are as durable as that program makes them.
      case full
    }

    /// A store on a file. The file is created if it does not exist; its folder must exist.
    public init(
      path: String, schemaVersion: Int = 1, applicationID: Int32 = defaultApplicationID,
      objectTypes: [Object.Type]
    ) {
      location = .file(path)
      self.schemaVersion = schemaVersion
      self.applicationID = applicationID
      self.objectTypes = objectTypes
    }

    /// A store in memory, shared by all stores of this process that use the same identifier, and removed with
    /// the last of them, or with the process. When a process is killed, its memory is given back once another
    /// one of the same user opens a store in memory.
    public init(inMemory identifier: String, schemaVersion: Int = 1, objectTypes: [Object.Type]) {
      location = .memory(identifier)
      self.schemaVersion = schemaVersion
      applicationID = Self.defaultApplicationID
      self.objectTypes = objectTypes
    }
  }
}
