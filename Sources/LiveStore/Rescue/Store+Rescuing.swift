extension Store {
  /// Saves everything that can be read of a damaged file into a new one.
  ///
  /// The damaged file is read page by page, so that rows are found to which no other page leads any more, and
  /// is not changed. Of the transactions in its write-ahead log, those that are complete count. The new file
  /// has the tables of the damaged one, including those of other programs, and its schema version. Entries of
  /// lists and links that lead to lost objects are removed.
  ///
  /// Changed bytes inside a text or a number cannot be recognized, because SQLite stores no checksums of
  /// them.
  ///
  /// No store of this process may have the file open: reading it in this way would drop SQLite's locks.
  ///
  /// - Parameters:
  ///   - configuration: The file, and its classes for the parts that it no longer describes.
  ///   - newFile: The path of the new file, at which no file may exist. Only the file's owner may read it.
  /// - Returns: The rows saved, and the losses.
  /// - Throws: ``StoreError`` when the damaged file cannot be read at all or the new one cannot be written;
  ///   no file is left at `newFile` then.
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

  /// Keeps the log from being restarted while the file is read, if SQLite can open it: other programs may be
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
