extension Store {
  /// Saves what can be read of a damaged file into a new one.
  ///
  /// The damaged file is read page by page, so that rows are found which no other page leads to any more, and
  /// is not changed. Of transactions that are in its write-ahead log only, those that are whole there count.
  /// The new file has the tables that the damaged one had, other programs' too, in its schema version;
  /// entries of lists and links that lead to objects which are lost are taken out.
  ///
  /// Bytes that have become others inside a text or a number cannot be told from those that were meant:
  /// SQLite keeps no sums of them.
  ///
  /// No store of this process may have the file open: reading it in this way would let go of SQLite's locks.
  ///
  /// - Parameters:
  ///   - configuration: Says which file, and which classes are in it where it cannot tell any more.
  ///   - newFile: The path of the new file, where there must be none yet. Only the file's owner may read it.
  /// - Returns: What was saved and what is lost.
  /// - Throws: ``StoreError`` when the damaged file cannot be read at all or the new one cannot be written;
  ///   nothing is left at `newFile` then.
  /// - Complexity: O(n log n) for n rows, in memory of the file's size.
  public static func rescue(
    _ configuration: Configuration, to newFile: String
  ) throws(StoreError) -> RescueReport {
    let schema = try Schema.of(configuration.objectTypes, version: configuration.schemaVersion)
    let file = try StoreFile(configuration.location)
    var report = RescueReport()
    try NewFile.write(newFile) { (partial) throws(StoreError) in
      let damaged = try withExtendedLifetime(snapshot(file, configuration, schema)) { () throws(StoreError) in
        try DamagedFile(path: file.path)
      }
      var rescued = try RescuedFile(at: partial, from: damaged, schema: schema, configuration)
      report = try rescued.fill()
    }
    return report
  }

  /// Keeps the log from being started anew while the file is read, where SQLite can open it: others may be
  /// writing.
  private static func snapshot(
    _ file: StoreFile, _ configuration: Configuration, _ schema: Schema
  ) -> Connection? {
    let database = DatabaseFile(
      identity: FileIdentity(files: file.files), configuration: configuration, schema: schema)
    guard let connection = try? database.openToLook() else { return nil }
    _ = connection.executeResult("BEGIN")
    _ = try? connection.firstValue("SELECT count(*) FROM sqlite_schema")
    return connection
  }
}
