extension Store {
  /// Copies the newest version of a file into a new one, while other programs and stores read and write it.
  ///
  /// The copy is one version of the file, whole, and holds what other programs have added too. It is checked
  /// for damage before it gets its name. Nothing of the file is changed, and it is not migrated.
  ///
  /// ```swift
  /// try Store.backUp(configuration, to: "people.backup")
  /// ```
  ///
  /// - Parameters:
  ///   - configuration: Says which file.
  ///   - copy: The path of the copy, where there must be no file yet. Only the file's owner may read it.
  /// - Throws: ``StoreError`` when the file cannot be read, is not a store of this configuration, or is
  ///   damaged, and when the copy cannot be written; nothing is left at `copy` then.
  /// - Complexity: O(size of the file).
  public static func backUp(_ configuration: Configuration, to copy: String) throws(StoreError) {
    let schema = try Schema.of(configuration.objectTypes, version: configuration.schemaVersion)
    let file = try StoreFile(configuration.location)
    try DatabaseFile(identity: FileIdentity(files: file.files), configuration: configuration, schema: schema)
      .openToLook().copy(to: copy)
  }
}
