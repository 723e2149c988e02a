import FoundationEssentials

/// The old and the new objects of a file during its migration to a newer schema version.
///
/// ```swift
/// configuration.schemaVersion = 2
/// configuration.migration = { migration, oldVersion in
///   if oldVersion < 2 {
///     try migration.enumerateObjects(ofType: "Person") { old, new in
///       new?["fullName"] = "\(old?["firstName"] ?? "") \(old?["lastName"] ?? "")"
///     }
///   }
/// }
/// ```
///
/// Added properties have their defaults already, removed ones are gone, and those with another type have the
/// default of the new type; only values to be carried over remain for the closure. Everything happens in one
/// transaction: when the closure throws, or did something that is not possible, the file stays as it was and
/// opening the store throws.
///
/// A migration may be used only inside its closure. Values are those of the file: Bool is Int 0 or 1, Date
/// and UUID are String; ``MigrationObject/subscript(_:as:)`` converts them.
public final class Migration {
  /// The schema version that the file was written with.
  public let oldVersion: Int

  private let schema: Schema
  private let old: MigrationSide
  private let new: MigrationSide
  /// The new names of columns, by class and former name.
  private(set) var renamedColumns: [String: [String: String]] = [:]

  init(schema: Schema, oldVersion: Int, old: MigrationSide, new: MigrationSide) {
    self.schema = schema
    self.oldVersion = oldVersion
    self.old = old
    self.new = new
    new.schema = schema
  }

  /// Throws the first error of the closure's calls that cannot throw.
  func finish() throws(StoreError) {
    if let failure = old.failure ?? new.failure { throw failure }
  }

  /// Calls `block` with every object that the file had of a class, ordered by primary key: with its old
  /// state, and with its present one.
  ///
  /// `new` is `nil` when the class was removed, or the object was deleted earlier in the migration. Objects
  /// created in the migration are not included. Does nothing if the file had no such class.
  ///
  /// - Complexity: O(n) for n objects; one is in memory at a time.
  public func enumerateObjects(
    ofType typeName: String, _ block: (_ old: MigrationObject?, _ new: MigrationObject?) throws -> Void
  ) throws {
    guard let table = old.classTable(typeName) else { return }
    let isKnown = schema.classes.contains { $0.name == typeName }
    // The old file cannot change, so that a statement may stay open while the closure writes the new one.
    let keys = try old.keys(of: table)
    while try keys.step() {
      let key = keys.value(0)
      try block(old.object(typeName, key), isKnown ? new.object(typeName, key) : nil)
      try finish()
    }
  }

  /// Copies the values of a removed property to an added one: a value, a link or a list.
  ///
  /// - Throws: ``StoreError`` when the class has no such properties, or they are stored in different ways.
  public func renameProperty(onType typeName: String, from oldName: String, to newName: String)
    throws(StoreError)
  {
    guard let oldTable = old.classTable(typeName), let newTable = new.classTable(typeName) else {
      throw StoreError(
        .schema, "A migration renames a property of \(typeName), which the file does not have.")
    }
    func require(_ condition: Bool, _ sentence: String) throws(StoreError) {
      guard condition else {
        throw StoreError(.schema, "\(typeName).\(oldName) cannot be renamed to \(newName): \(sentence).")
      }
    }
    let hadOld = oldTable.columns.contains { $0.name == oldName } || oldTable.lists.contains(oldName)
    let hadNew = oldTable.columns.contains { $0.name == newName } || oldTable.lists.contains(newName)
    try require(hadOld, "the file has no property of the first name")
    try require(!hadNew, "the file has a property of the second name already")
    if let from = old.list(oldName, of: oldTable) {
      guard let to = new.list(newName, of: newTable) else {
        return try require(false, "one of them is a list and the other is not")
      }
      try require(from.target == to.target, "they are lists of different classes")
      let rows = try Statement(
        old.connection, "SELECT entry, owner, position, target FROM \(quoted(from.name))")
      let insert = try Statement(
        new.connection,
        "INSERT OR REPLACE INTO \(quoted(to.name)) (entry, owner, position, target) VALUES (?, ?, ?, ?)")
      while try rows.step() {
        insert.bind(rows.values(0..<4))
        try insert.run()
      }
      return
    }
    guard let from = oldTable.columns.first(where: { $0.name == oldName }),
      let to = newTable.ownColumns.first(where: { $0.name == newName })
    else { return try require(false, "the class has no property of the second name of that kind") }
    try require(from.type == to.type && from.target == to.target, "they are stored in different ways")
    try require(!to.isPrimaryKey, "a primary key cannot be changed")
    // A required property whose old value is missing keeps its default.
    let rows = try Statement(
      old.connection,
      "SELECT \(quoted(oldName)), \(newTable.key) FROM \(quoted(typeName))"
        + (to.isOptional ? "" : " WHERE \(quoted(oldName)) IS NOT NULL"))
    let update = try Statement(
      new.connection, "UPDATE \(quoted(typeName)) SET \(quoted(newName)) = ? WHERE \(newTable.key) = ?")
    while try rows.step() {
      update.bind(rows.values(0..<2))
      try update.run()
    }
    renamedColumns[typeName, default: [:]][oldName] = newName
  }

  /// Creates an object of a class of the store, with the given values by property and otherwise the defaults.
  @discardableResult
  public func create(_ typeName: String, value: [String: Any] = [:]) throws(StoreError) -> MigrationObject {
    guard let objects = schema.classes.first(where: { $0.name == typeName }) else {
      throw StoreError(.schema, "A migration creates a \(typeName), which is no class of the store.")
    }
    var values = objects.newColumns()
    if let given = value[objects.key.name] {
      guard let key = objects.key.storage.column(converting: given) else {
        throw StoreError(.schema, "A \(typeName) cannot have the primary key “\(given)”.")
      }
      values[objects.primaryKey] = key
    }
    let table = schema.table(of: objects.type)
    let insert = try Statement(
      new.connection,
      "INSERT INTO \(quoted(table.name)) (\(table.columnList)) VALUES "
        + "(\(values.map { _ in "?" }.joined(separator: ", ")))")
    insert.bind(values)
    do throws(StoreError) {
      try insert.run()
    } catch {
      throw error.isConstraint
        ? StoreError(
          .schema,
          "A migration creates a \(typeName) with a primary key that another has: "
            + "\(values[objects.primaryKey].textReading ?? "").")
        : error
    }
    let object = MigrationObject(new, typeName, values[objects.primaryKey])
    for (name, value) in value where name != objects.key.name {
      object[name] = value
    }
    try finish()
    return object
  }

  /// Deletes an object of the new file, its entries in every list, and every link to it.
  public func delete(_ object: MigrationObject) throws(StoreError) {
    guard object.side === new else {
      throw StoreError(.misuse, "A migration deletes an object as it was; delete the new one.")
    }
    try new.delete(object)
  }

  /// Deletes all objects of a class. If the class is not among the store's, its table is removed too.
  ///
  /// - Returns: Whether the file had such a class.
  /// - Throws: ``StoreError`` when another removed class still leads to this one; delete its data first.
  @discardableResult
  public func deleteData(forType typeName: String) throws(StoreError) -> Bool {
    guard let table = new.classTable(typeName) else { return false }
    try new.delete(from: table)
    if schema.classes.contains(where: { $0.name == typeName }) { return true }
    let lists = table.lists.compactMap { new.list($0, of: table)?.name }
    let others = new.file.loggedTables.filter { other in
      other.name != typeName && !lists.contains(other.name)
        && other.references.contains { $0.target == typeName }
    }
    if let other = others.first {
      throw StoreError(
        .schema, "\(typeName) cannot go while \(other.name) leads to it; delete the data of that class first."
      )
    }
    for name in lists + [typeName] { try new.connection.execute("DROP TABLE \(quoted(name))") }
    try FileSchema.removeNotes(of: typeName, on: new.connection)
    if table.isSearchable {
      for sql in SearchIndex.removal(ofTable: typeName) { try new.connection.execute(sql) }
    }
    try new.readFile()
    return true
  }
}

extension StoreError {
  /// Whether a row was refused because of a value.
  var isConstraint: Bool {
    // SQLITE_CONSTRAINT
    if case .sqlite(let code) = code { code & 0xff == 19 } else { false }
  }
}
