import LibC

/// A store's file as it is now, described without the program's classes.
///
/// ```swift
/// import LiveStore
///
/// let file = try FileDescription(path: "notes.db")
/// for described in file.classes { print(described.name, described.objectCount) }
/// ```
///
/// The file is read, whatever program has made it, and neither changed nor migrated; others may write to it
/// meanwhile. The program `livestore` prints a description.
public struct FileDescription: Encodable, Equatable, Sendable {
  /// A class whose objects are in the file.
  public struct ClassDescription: Encodable, Equatable, Sendable {
    /// The name of the class, and of its table.
    public let name: String
    /// The number of objects.
    public let objectCount: Int
    /// The persisted properties: values and links in the order of the table's columns, then lists.
    public let properties: [PropertyDescription]
    /// The indexes in SQL.
    public let indexes: [String]
    /// Whether there is a full-text index.
    public let isSearchable: Bool
  }

  /// A property of a class.
  public struct PropertyDescription: Encodable, Equatable, Sendable {
    /// The kinds of properties.
    public enum Kind: String, Encodable, Sendable {
      /// A value in a column.
      case value
      /// A link to an object.
      case link
      /// A list of objects, in a table of its own.
      case list
    }

    /// The name.
    public let name: String
    /// The kind.
    public let kind: Kind
    /// The type of values in SQLite, or the class that a link or a list leads to.
    public let type: String
    /// Whether an object need not have a value.
    public let isOptional: Bool
    /// Whether it is the property by which objects are found.
    public let isPrimaryKey: Bool
    /// The number of entries in the lists of all objects; nil for a value or a link.
    public let entryCount: Int?
  }

  /// The part of the file in which the latest changes are noted.
  public struct LogDescription: Encodable, Equatable, Sendable {
    /// The number of changes.
    public let changeCount: Int
    /// The version before the first of them.
    public let oldestVersion: Int64
    /// The version of the last of them.
    public let newestVersion: Int64
  }

  /// The path, absolute and without symbolic links.
  public let path: String
  /// The version of the classes that have written the file.
  public let schemaVersion: Int
  /// The number of `PRAGMA application_id`.
  public let applicationID: Int
  /// The classes whose objects are in the file, by name.
  public let classes: [ClassDescription]
  /// The tables of other programs.
  public let otherTables: [String]
  /// The sizes of the file's parts.
  public let sizes: Store.FileSizes
  /// The latest changes; nil if no store has made the file.
  public let log: LogDescription?
  /// The processes that have the file open, as far as this one may look at them.
  public let processes: [FileUser]

  /// Describes the file at a path.
  ///
  /// - Throws: ``StoreError`` when the file cannot be read, or is no SQLite database.
  /// - Complexity: O(n) for n objects and entries, which are counted.
  public init(path: String) throws(StoreError) {
    let files = DatabaseFiles(databasePath: path)
    guard access(files.path, R_OK) == 0 else {
      throw StoreError(.fileAccess, "“\(path)” cannot be read: \(String(cString: strerror(errno))).")
    }
    // Before this process has it open for the description.
    let processes = FileUser.all(of: files)
    let connection = try FileIdentity(files: files).connect(isReadOnly: true) {
      $0.setBusyTimeout(milliseconds: Self.patience)
    }
    self = try connection.readingOneVersion { () throws(StoreError) in
      try Self(files, processes, connection)
    }
  }

  private init(
    _ files: DatabaseFiles, _ processes: [FileUser], _ connection: Connection
  ) throws(StoreError) {
    path = files.path
    self.processes = processes
    let schema = try FileSchema(connection)
    schemaVersion = Int(try connection.firstInteger("PRAGMA user_version"))
    applicationID = Int(try connection.firstInteger("PRAGMA application_id"))
    let tables = schema.tables.values.filter { $0.properties != nil }.sorted { $0.name < $1.name }
    classes = try tables.map { (table) throws(StoreError) in
      try ClassDescription(table, of: schema, connection)
    }
    let own = Set(tables.map(\.name)).union(
      tables.flatMap { table in table.lists.map { "\(table.name)_\($0)" } })
    otherTables = schema.tables.keys.filter { !own.contains($0) && !$0.hasPrefix("_livestore_") }.sorted()
    sizes = try Store.FileSizes(connection, files)
    log = try LogDescription(of: schema, connection)
  }

  private static let patience: Int32 = 5_000
}

extension FileDescription.ClassDescription {
  fileprivate init(
    _ table: FileSchema.FileTable, of schema: FileSchema, _ connection: Connection
  ) throws(StoreError) {
    name = table.name
    objectCount = Int(try connection.firstInteger("SELECT count(*) FROM \(quoted(table.name))"))
    var properties = table.ownColumns.map { column in
      FileDescription.PropertyDescription(
        name: column.name, kind: column.target == nil ? .value : .link, type: column.target ?? column.type,
        isOptional: column.isOptional && !column.isPrimaryKey, isPrimaryKey: column.isPrimaryKey,
        entryCount: nil)
    }
    for list in table.lists {
      let entries = "\(table.name)_\(list)"
      guard let target = schema.tables[entries]?.columns.last(where: { $0.target != nil })?.target else {
        continue
      }
      properties.append(
        FileDescription.PropertyDescription(
          name: list, kind: .list, type: target, isOptional: false, isPrimaryKey: false,
          entryCount: Int(try connection.firstInteger("SELECT count(*) FROM \(quoted(entries))"))))
    }
    self.properties = properties
    indexes = schema.indexes.filter { $0.table == table.name }.map(\.sql)
    isSearchable = table.isSearchable
  }
}

extension FileDescription.LogDescription {
  fileprivate init?(of schema: FileSchema, _ connection: Connection) throws(StoreError) {
    guard schema.isPrepared, schema.tables[LogTable.name] != nil else { return nil }
    let statement = try Statement(connection, "SELECT count(*), min(seq), max(seq) FROM \(LogTable.name)")
    guard try statement.step() else { return nil }
    changeCount = Int(statement.integer(0))
    newestVersion = statement.integer(2)
    oldestVersion = statement.integer(1) - 1
  }
}
