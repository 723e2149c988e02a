/// The note in a file that it has all that some classes need. An opening that finds it need not compare the
/// tables, which takes longer than reading some rows.
///
/// Under a digest of the classes it keeps one of what was compared with them. Any change of the tables makes
/// another one, as do other classes and other versions of this library, regardless of who made it.
struct SchemaStamp {
  /// The version of the tables and triggers that this library makes for the same classes.
  static let revision = 4

  private static let prefix = "fits "
  private let name: String
  /// The digest of the file.
  private let present: String
  /// The digest that was noted.
  private let noted: SQLiteValue?

  /// Reads the note and the file.
  ///
  /// - Returns: `nil` for a file without notes, and for classes with a full-text index: its rows say whether
  ///   it has to be built anew.
  /// - Complexity: O(n) for n bytes of the statements that created the tables, indexes and triggers.
  init?(of schema: Schema, on connection: Connection) throws(StoreError) {
    guard schema.searchIndexes.isEmpty,
      try connection.firstValue("SELECT 1 FROM sqlite_schema WHERE name = \(literal(FileSchema.notes))")
        != nil
    else { return nil }
    let name = Self.prefix + schema.digest
    self.name = name
    noted = try connection.firstValue(
      "SELECT value FROM \(FileSchema.notes) WHERE name = \(literal(name))")
    present = try connection.schemaDigest
  }

  /// Whether the file was found to fit, and is unchanged.
  var isValid: Bool { noted == .text(present) }

  /// Notes that the file fits, which has just been found, in a transaction.
  func write(on connection: Connection) throws(StoreError) {
    // Those of other classes that the file had before its last change are of no use either.
    try connection.execute(
      """
      DELETE FROM \(FileSchema.notes) WHERE name GLOB '\(Self.prefix)*' AND value <> \(literal(present));
      INSERT OR REPLACE INTO \(FileSchema.notes) VALUES (\(literal(name)), \(literal(present)))
      """)
  }

  /// Notes that the file fits, if it is still as it was read. This only saves time: another program that
  /// writes is not waited for, and an error is left to those who have something to write.
  func writeIfPossible(on connection: Connection) {
    let deadline = connection.busyDeadline
    connection.busyDeadline = .now
    defer {
      if connection.isInTransaction { _ = connection.executeResult("ROLLBACK") }
      connection.busyDeadline = deadline
    }
    do throws(StoreError) {
      try connection.execute("BEGIN IMMEDIATE")
      guard try connection.schemaDigest == present else { return }
      try write(on: connection)
      try connection.execute("COMMIT")
    } catch {}
  }
}

extension Schema {
  /// A digest of all that the tables, indexes and triggers of the classes are made from.
  fileprivate var digest: String {
    var digest = Digest()
    digest.add("\(SchemaStamp.revision) \(version)")
    for table in tables {
      digest.add(table.creation())
      for index in table.indexCreations.sorted(by: { $0.key < $1.key }) { digest.add(index.value) }
      guard case .objects(let objects) = table.role else { continue }
      for property in objects.storedProperties { digest.add(property.name) }
      for owner in objects.notes(of: table.rules.owners) { digest.add(owner) }
    }
    return digest.text
  }
}

extension Connection {
  /// A digest of the file's version, its tables, indexes and triggers, and the notes about its classes.
  fileprivate var schemaDigest: String {
    get throws(StoreError) {
      var digest = Digest()
      digest.add(String(try firstInteger("PRAGMA user_version")))
      // The other notes change with what is written.
      let parts = try Statement(
        self,
        """
        SELECT name, sql FROM (SELECT name, sql FROM sqlite_schema ORDER BY rowid)
        UNION ALL SELECT name, value FROM \(FileSchema.notes)
          WHERE substr(name, 1, instr(name, ' ')) IN ('class ', 'checks ', 'owners ')
        UNION ALL SELECT name, NULL FROM \(FileSchema.notes) WHERE name GLOB 'search *'
        """)
      while try parts.step() {
        for column in 0..<2 { parts.withUTF8(column) { digest.add($0) } }
      }
      return digest.text
    }
  }
}

/// A digest of texts, the same for the same texts in every process.
private struct Digest {
  private var value = FNV1a.start

  mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add($0) }
  }

  /// Adds the bytes of a text, and one that no text contains.
  mutating func add(_ utf8: UnsafeBufferPointer<UInt8>) {
    value = FNV1a.hash(CollectionOfOne(0xFF), from: FNV1a.hash(utf8, from: value))
  }

  var text: String { String(value, radix: 16) }
}
