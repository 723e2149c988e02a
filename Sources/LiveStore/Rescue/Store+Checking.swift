extension Store {
  /// Looks for faults in a file: damaged pages and indexes, rows that refer to missing ones, tables that lack
  /// something that the classes need, and primary keys in a form by which no object is found.
  ///
  /// The check reads one version of the file, while others may write, and neither changes nor migrates it.
  ///
  /// - Parameter configuration: The file, and its classes.
  /// - Returns: The faults, a sentence each; empty if there are none.
  /// - Throws: ``StoreError`` when the file cannot be opened, because it does not exist, belongs to another
  ///   application or a newer version, or is so damaged that SQLite does not recognize it.
  /// - Complexity: O(n log n) for n rows.
  public static func faults(in configuration: Configuration) throws(StoreError) -> [String] {
    try DatabaseFile.look(at: configuration) { (file, connection) throws(StoreError) in
      var check = FileCheck(path: file.path, schema: file.schema, connection: connection)
      try check.run()
      return check.faults
    }
  }
}
