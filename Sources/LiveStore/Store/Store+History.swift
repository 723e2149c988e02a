/// The history of the file, as far as its log is kept.
extension Store {
  /// The number by which the change log names this store as the writer of a change; another one each time a
  /// store is opened.
  public var writerID: Int64 { origin }

  /// The version that the store shows, for ``changes(since:)``.
  ///
  /// - Throws: ``StoreError`` when the file cannot be read, or in a write transaction that has changed
  ///   something: that has no version yet.
  public func currentVersion() throws(StoreError) -> StoreVersion {
    try readingHistory { statements throws(StoreError) in try LoggedChange.newestVersion(on: statements) }
  }

  /// The rows that have been touched since a version, by any program, up to the version that the store shows:
  /// in the order of the transactions, each row as often as a transaction has touched it.
  ///
  /// A touched row need not be different now. The log has some 16,000 changes, or 8 MB of them; where it does
  /// not reach back, compare with what is known of the objects.
  ///
  /// - Parameter version: An earlier result of ``currentVersion()``, from any store of the file, also from a
  ///   former run of the program.
  /// - Returns: The changes; `nil` where the log does not have all of them any more, where a transaction has
  ///   touched more than 100,000 rows, and where the file is not the one of that version.
  /// - Complexity: O(k) for k changes.
  public func changes(since version: StoreVersion) throws(StoreError) -> [LoggedChange]? {
    try readingHistory { statements throws(StoreError) in
      try LoggedChange.changes(since: version, schema: schema, on: statements)
    }
  }

  private func readingHistory<R>(_ read: (StatementCache) throws(StoreError) -> R) throws(StoreError) -> R {
    confinement.require()
    requireOpen()
    try requireReadable()
    guard !isInWriteTransaction || (recorder.isEmpty && recorder.isComplete) else {
      throw StoreError(.misuse, "A write transaction has no version yet; ask after it has been committed.")
    }
    return try exclusively { () throws(StoreError) in try read(reader.statements) }
  }
}
