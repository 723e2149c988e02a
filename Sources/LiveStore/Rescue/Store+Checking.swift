extension Store {
  /// Looks for what is wrong in a file: damaged pages and indexes, rows that lead to others which are not
  /// there, and tables that lack what the classes need.
  ///
  /// The file is read as one version of it, while others may write, and is neither changed nor migrated.
  ///
  /// - Parameter configuration: Says which file, and which classes it is to hold.
  /// - Returns: What is wrong, a sentence each; empty when nothing is.
  /// - Throws: ``StoreError`` when the file cannot be opened, because it is not there, is another
  ///   application's or of a newer version, or is so damaged that SQLite takes it for something else.
  /// - Complexity: O(n log n) for n rows.
  public static func faults(in configuration: Configuration) throws(StoreError) -> [String] {
    let schema = try Schema.of(configuration.objectTypes, version: configuration.schemaVersion)
    let file = try StoreFile(configuration.location)
    let connection = try DatabaseFile(
      identity: FileIdentity(files: file.files), configuration: configuration, schema: schema
    )
    .openToLook()
    var check = FileCheck(path: file.path, schema: schema, connection: connection)
    try check.run()
    return check.faults
  }
}
