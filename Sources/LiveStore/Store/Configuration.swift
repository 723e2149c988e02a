extension Store {
  /// Which file a store opens, and what is in it.
  public struct Configuration: Sendable {
    enum Location: Sendable {
      case file(String)
      case memory(String)
    }

    /// What `application_id` says in the files of LiveStore when an application does not say otherwise ("Live").
    public static let defaultApplicationID: Int32 = 0x4C69_7665

    let location: Location
    /// The version of the classes. A file with a higher one is refused.
    public var schemaVersion: Int
    /// The mark of the application in the file's header. A file with another one is refused.
    public var applicationID: Int32
    public var objectTypes: [Object.Type]
    /// How long a write waits for another program's, in milliseconds, before it fails with ``StoreError/Code/busy``.
    public var busyTimeout: Int32 = 5_000

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

    /// A store in memory, shared by all stores of this process that name it, and gone with the last of them.
    public init(inMemory identifier: String, schemaVersion: Int = 1, objectTypes: [Object.Type]) {
      location = .memory(identifier)
      self.schemaVersion = schemaVersion
      applicationID = Self.defaultApplicationID
      self.objectTypes = objectTypes
    }
  }
}
