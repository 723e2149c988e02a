extension Store {
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
