import FoundationEssentials

/// An old or a new object in a ``Migration``, accessed by the names of its class and properties.
public final class MigrationObject {
  let side: MigrationSide
  let key: SQLiteValue
  /// The name of the object's class.
  public let className: String

  init(_ side: MigrationSide, _ className: String, _ key: SQLiteValue) {
    self.side = side
    self.className = className
    self.key = key
  }

  /// The value of a property as stored in the file: Int, Double, String, Data, or `nil`; a
  /// ``MigrationObject`` for a link, an array of them for a list.
  ///
  /// A new object may be changed: to a value that the property can hold, a new object for a link, or an array
  /// of new objects for a list. Any other value, and an unknown name, ends the migration with an error.
  public subscript(name: String) -> Any? {
    get { side.value(name, of: self) }
    set { side.set(name, of: self, to: newValue) }
  }

  /// The value of a property converted to a type, as in `old["born", as: Date.self]`; `nil` if it is NULL or
  /// cannot be converted.
  public subscript<Value: SQLiteValueConvertible>(name: String, as type: Value.Type) -> Value? {
    side.column(name, of: self).flatMap { $0 == .null ? nil : Value(sqliteValue: $0) }
  }
}

/// One of the two states of a file in a migration.
final class MigrationSide {
  let connection: Connection
  private(set) var file: FileSchema
  /// The classes, if the objects may be changed.
  var schema: Schema?
  /// The first error of a call that cannot throw.
  private(set) var failure: StoreError?
  private var statements: StatementCache { connection.instance }

  init(_ connection: Connection) throws(StoreError) {
    self.connection = connection
    file = try FileSchema(connection)
  }

  func readFile() throws(StoreError) {
    file = try FileSchema(connection)
  }

  func classTable(_ name: String) -> FileSchema.FileTable? {
    file.tables[name].flatMap { $0.properties == nil ? nil : $0 }
  }

  /// The table of a list's entries, and the class of its elements.
  func list(_ name: String, of table: FileSchema.FileTable) -> (name: String, target: String)? {
    guard table.lists.contains(name), let entries = file.entries(of: name, in: table),
      let target = entries.columns.first(where: { $0.name == "target" })?.target
    else { return nil }
    return (entries.name, target)
  }

  /// A separate statement, which may stay positioned on its rows.
  func keys(of table: FileSchema.FileTable) throws(StoreError) -> Statement {
    try Statement(connection, "SELECT \(table.key) FROM \(quoted(table.name)) ORDER BY \(table.key)")
  }

  func object(_ className: String, _ key: SQLiteValue) -> MigrationObject? {
    guard let table = classTable(className) else { return nil }
    let exists = rows("SELECT 1 FROM \(quoted(className)) WHERE \(table.key) = ?", [key])
    return exists.isEmpty ? nil : MigrationObject(self, className, key)
  }

  /// The value of a property that has a column. If there is no such property, `nil`, and the migration fails.
  func column(_ name: String, of object: MigrationObject) -> SQLiteValue? {
    guard let table = classTable(object.className), table.ownColumns.contains(where: { $0.name == name })
    else {
      fail("A migration reads \(object.className).\(name), which is no property that the class has there.")
      return nil
    }
    return rows(
      "SELECT \(quoted(name)) FROM \(quoted(table.name)) WHERE \(table.key) = ?", [object.key]
    ).first
  }

  func value(_ name: String, of object: MigrationObject) -> Any? {
    if let table = classTable(object.className), let list = list(name, of: table) {
      return rows(
        "SELECT target FROM \(quoted(list.name)) WHERE owner = ? ORDER BY position, target, entry",
        [object.key]
      ).compactMap { self.object(list.target, $0) }
    }
    switch column(name, of: object) {
    case nil, .null: return nil
    case let key? where target(of: name, in: object) != nil:
      return target(of: name, in: object).flatMap { self.object($0, key) }
    case .integer(let value): return Int(value)
    case .real(let value): return value
    case .text(let value): return value
    case .malformedText(let bytes): return String(decoding: bytes, as: UTF8.self)
    case .blob(let bytes): return Data(bytes)
    }
  }

  private func target(of name: String, in object: MigrationObject) -> String? {
    classTable(object.className)?.columns.first { $0.name == name }?.target
  }

  private func rows(_ sql: String, _ parameters: [SQLiteValue]) -> [SQLiteValue] {
    guard failure == nil else { return [] }
    do throws(StoreError) {
      return try statements.prepare(sql).all(parameters) { $0.value(0) }
    } catch {
      failure = error
      return []
    }
  }

  func set(_ name: String, of object: MigrationObject, to value: Any?) {
    guard let schema else { return fail("A migration changes an object as it was; change the new one.") }
    guard let objects = schema.classes.first(where: { $0.name == object.className }),
      let property = objects.properties.first(where: { $0.name == name })
    else { return fail("A migration sets \(object.className).\(name), which is no property of the class.") }
    guard !property.isPrimaryKey else {
      return fail("A migration sets \(object.className).\(name); a primary key cannot be changed.")
    }
    let value = value.flatMap { isNil($0) ? nil : $0 }
    let column: SQLiteValue?
    switch property.kind {
    case .list:
      return setList(property, of: object, to: value as? [MigrationObject])
    case .linkingObjects:
      column = nil
    case .link(let type):
      let target = value as? MigrationObject
      let isFitting = target.map { $0.side === self && $0.className == String(describing: type) } ?? false
      column = value == nil ? .null : isFitting ? target?.key : nil
    case .value(_, let isOptional):
      column = value.map { property.storage.column(converting: $0) } ?? (isOptional ? .null : nil)
    }
    guard let column else {
      return fail("A migration sets \(object.className).\(name) to \(value ?? "nil"), which it cannot hold.")
    }
    run(
      "UPDATE \(quoted(object.className)) SET \(quoted(name)) = ? "
        + "WHERE \(quoted(objects.key.name)) = ?", [column, object.key])
  }

  private func setList(_ property: Property, of object: MigrationObject, to elements: [MigrationObject]?) {
    guard let table = classTable(object.className), let list = list(property.name, of: table),
      let elements, elements.allSatisfy({ $0.side === self && $0.className == list.target })
    else {
      return fail(
        "A migration sets \(object.className).\(property.name) "
          + "to something else than new objects of its class."
      )
    }
    run("DELETE FROM \(quoted(list.name)) WHERE owner = ?", [object.key])
    let positions = PositionKey.keys(elements.count, between: nil, and: nil)
    for (element, position) in zip(elements, positions) {
      run(
        "INSERT INTO \(quoted(list.name)) (owner, position, target) VALUES (?, ?, ?)",
        [object.key, .text(position), element.key])
    }
  }

  func delete(_ object: MigrationObject) throws(StoreError) {
    guard let table = classTable(object.className) else { return }
    try delete(from: table, key: object.key)
  }

  /// Deletes one object, or all, and the references to it; in a migration foreign keys are off and the
  /// triggers are missing.
  func delete(from table: FileSchema.FileTable, key: SQLiteValue? = nil) throws(StoreError) {
    func change(_ sql: String, _ column: String) {
      if let key { run("\(sql) WHERE \(column) = ?", [key]) } else { run(sql, []) }
    }
    let triggers = LogTriggers(tables: file.loggedTables)
    if let logged = triggers.tables.first(where: { $0.name == table.name }) {
      for (other, column) in triggers.references(to: logged) {
        change(LogTriggers.removal(of: column, in: other), quoted(column))
      }
    }
    change("DELETE FROM \(quoted(table.name))", table.key)
    if let failure { throw failure }
  }

  private func run(_ sql: String, _ parameters: [SQLiteValue]) {
    guard failure == nil else { return }
    do throws(StoreError) {
      let statement = try statements.prepare(sql)
      statement.bind(parameters)
      try statement.run()
    } catch {
      failure = error
    }
  }

  private func fail(_ sentence: String) {
    if failure == nil { failure = StoreError(.schema, sentence) }
  }
}
