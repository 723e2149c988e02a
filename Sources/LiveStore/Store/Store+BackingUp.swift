extension Store {
  /// Copies the newest version of a file into a new one, while other programs and stores read and write it.
  ///
  /// The copy holds one complete version of the file, including the tables of other programs. It is checked
  /// for damage before it gets its name. The file itself is neither changed nor migrated.
  ///
  /// ```swift
  /// try Store.backUp(configuration, to: "people.backup")
  /// ```
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the file.
  ///   - copy: The path of the copy, at which no file may exist. Only the file's owner may read it.
  /// - Throws: ``StoreError`` when the file cannot be read, is not a store of this configuration, or is
  ///   damaged, and when the copy cannot be written; nothing is left at `copy` then.
  /// - Complexity: O(size of the file).
  public static func backUp(_ configuration: Configuration, to copy: String) throws(StoreError) {
    try DatabaseFile.look(at: configuration) { (_, connection) throws(StoreError) in
      try connection.copy(to: copy)
    }
  }

  /// Opens a copy of the newest version of a file in memory, only for reading: where the file itself cannot
  /// be opened, because SQLite has no room on a full disk for what its readers share.
  ///
  /// - Parameter open: A closure that opens a store with the configuration that it receives. The copy is
  ///   removed with the last store that it has opened.
  /// - Throws: ``StoreError`` when there is no copy, and what `open` throws.
  /// - Complexity: O(size of the file).
  package static func readCopyInMemory<R>(
    of configuration: Configuration, _ open: (Configuration) throws -> R
  ) throws -> R {
    var copy = configuration.ofCopyInMemory
    copy.isReadOnly = true
    let file = try StoreFile(copy.location)
    try backUp(configuration, to: file.path)
    return try withExtendedLifetime(file) { try open(copy) }
  }
}

extension Store.Configuration {
  /// The same for a copy of the file in memory.
  var ofCopyInMemory: Self {
    var copy = self
    copy.location = .memory("copy-\(UInt64.random(in: 0 ... .max))")
    return copy
  }
}
