extension Store {
  /// The differences of a file from the classes of a program, which opening it would remove: a sentence each,
  /// empty for a file that fits.
  ///
  /// The file is neither changed nor migrated. A program can tell with it, before it opens a file, whether a
  /// migration is to come, and what that is about.
  ///
  /// - Parameter configuration: The file, its classes and their schema version.
  /// - Throws: ``StoreError`` when the file cannot be opened, because it does not exist, belongs to another
  ///   application, or is damaged; and when it cannot be migrated, because a newer program has made it or a
  ///   primary key is another one.
  /// - Complexity: O(n) for n tables, indexes and triggers; rows are not read.
  public static func pendingMigration(of configuration: Configuration) throws(StoreError) -> [String] {
    try DatabaseFile.look(at: configuration) { (file, connection) throws(StoreError) in
      try connection.readingOneVersion { () throws(StoreError) in
        try file.update(connection).sentences()
      }
    }
  }
}

extension SchemaUpdate {
  fileprivate func sentences() throws(StoreError) -> [String] {
    var sentences: [String] = []
    if version != schema.version {
      sentences.append("The file has schema version \(version), and the classes have \(schema.version).")
    }
    sentences += schema.classes.filter { file.tables[$0.name] == nil }.map { "\($0.name) is a new class." }
    sentences += differences.flatMap(\.differences).map { "\($0.description)." }
    sentences += addedUniqueRules
    // Anything else, such as an index, is made without a migration.
    if sentences.isEmpty, try isNeeded() {
      sentences.append("Indexes, triggers or notes are not those of the classes.")
    }
    return sentences
  }

  /// A sentence for each unique rule of a class in the file that the file does not enforce yet.
  private var addedUniqueRules: [String] {
    schema.tables.filter { file.tables[$0.name] != nil }.flatMap { table in
      table.ruleIndexes.filter { index in
        index.rule.isUnique && !file.indexes.contains { $0.name == index.name && $0.sql == index.sql }
      }.map { index in
        let names = index.rule.columns.map { table.columns[$0].name }.joined(separator: " and ")
        return "\(table.name) has a new rule: no two objects have the same \(names)."
      }
    }
  }
}
