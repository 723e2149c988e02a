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

  /// Checks that the lists of a class are stored completely. A page of them that contains another page's
  /// bytes, or a lower number of entries, is read like any other, and the elements on it would be missing
  /// without notice.
  ///
  /// The table of each list is compared with its indexes, in the version that the store shows. If the file
  /// has more entries than the limit, nothing is checked: it takes as long as reading them several times.
  ///
  /// - Throws: ``StoreError/Code/damaged`` when they are not complete.
  /// - Complexity: O(n log n) for the n entries of the lists of all objects of the class, up to the limit.
  public func checkLists(of type: Object.Type, upTo limit: Int) throws(StoreError) {
    try openSnapshot()
    for list in schema.lists[schema.table(of: type).index] {
      let name = quoted(schema.tables[list].name)
      let beyond = "SELECT 1 FROM \(name) LIMIT 1 OFFSET \(limit)"
      guard try connection.firstValue(beyond) == nil else { continue }
      guard try connection.firstValue("PRAGMA integrity_check(\(name))") == .text("ok") else {
        throw StoreError(
          .damaged,
          "“\(path)” is damaged: a list in it is not whole; save what can be read into a new file.")
      }
    }
  }
}
