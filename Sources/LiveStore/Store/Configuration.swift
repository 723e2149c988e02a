extension Store {
  /// Which file a store opens, and what is in it.
  public struct Configuration: Sendable {
    enum Location: Sendable {
      case file(String)
      case memory(String)
    }

    /// What `application_id` says in the files of LiveStore when an application does not say otherwise
    /// ("Live").
    public static let defaultApplicationID: Int32 = 0x4C69_7665

    private(set) var location: Location
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
    /// Called when the file has an older schema version, with the objects as they were and as they become,
    /// and with that version; what it throws is thrown by `Store.init`, and the file stays as it was.
    ///
    /// Needed only where the classes do not say what becomes of the values; see ``Migration``. Without a
    /// raised ``schemaVersion`` it is not called. It runs while the file is locked for writing, on the thread
    /// that opens the store.
    public var migration: (@Sendable (_ migration: Migration, _ oldVersion: Int) throws -> Void)?
    /// Whether a file of an older schema version is copied before it is migrated.
    ///
    /// The copy of `people.db`, of version 2, is `people.db.version-2` beside it, or `people.db.version-2.2`
    /// and so on where there is such a file already. It stays until a person removes it, so that there is one
    /// for each migration; only that of a migration which fails is removed, as the file is then as it was.
    /// When the copy cannot be made, as on a full disk, the file is not migrated, and `Store.init` throws. A
    /// file of this version is never copied.
    public var backsUpBeforeMigration = true
    /// Whether the file is only read: it is neither made, prepared nor migrated, and no write can begin.
    ///
    /// Such a store follows what other programs write, and may be observed and refreshed like any other. The
    /// file must hold a store of this ``schemaVersion``. SQLite's readers share a file beside the database,
    /// so its folder has to be writable, or another program must have the file open.
    public var isReadOnly = false
    /// How long a write waits for another program's, in milliseconds, before it fails with
    /// ``StoreError/Code/busy``.
    public var busyTimeout: Int32 = 5_000
    /// Whether a commit survives a failure of the power from the moment it is made; see ``Durability``.
    public var durability = Durability.normal

    /// The commits that a failure of the power, or of the operating system, may take back.
    ///
    /// Whatever it is, nothing that was committed is lost when a program ends, crashes or is killed; and a
    /// file never holds a part of a commit, nor one without those before it.
    public enum Durability: Sendable {
      /// The last moments' commits: those since SQLite last had the system write its log to the disk, which
      /// it does whenever it writes the log back into the file, every few megabytes.
      case normal
      /// None: a commit returns once the disk has it, which takes a disk's time (a tenth of a millisecond to
      /// some tens).
      ///
      /// A disk that says too early that it has something can still lose it. Another program's commits are as
      /// durable as that program makes them.
      case full
    }

    /// A store on a file, which is made if there is none; its folder must exist.
    public init(
      path: String, schemaVersion: Int = 1, applicationID: Int32 = defaultApplicationID,
      objectTypes: [Object.Type]
    ) {
      location = .file(path)
      self.schemaVersion = schemaVersion
      self.applicationID = applicationID
      self.objectTypes = objectTypes
    }

    /// The same with the path that the file's has been found to be.
    func resolved(as path: String) -> Configuration {
      guard case .file = location else { return self }
      var resolved = self
      resolved.location = .file(path)
      return resolved
    }

    /// A store in memory, shared by all stores of this process that name it, and gone with the last of them.
    public init(inMemory identifier: String, schemaVersion: Int = 1, objectTypes: [Object.Type]) {
      location = .memory(identifier)
      self.schemaVersion = schemaVersion
      applicationID = Self.defaultApplicationID
      self.objectTypes = objectTypes
    }
  }
}
