import LiveStore

/// Searches with a name, which every window on the file has.
extension TasksStore {
  /// The searches with a name, by name; live.
  public var savedSearches: Results<SavedSearch> { store.objects(SavedSearch.self).sorted(by: \.name) }

  /// The search with a name, in any case; one in exactly this case comes first.
  public func savedSearch(named name: String) -> SavedSearch? {
    if let exact = store.object(ofType: SavedSearch.self, forPrimaryKey: name) { return exact }
    let name = name.lowercased()
    return savedSearches.first { $0.name.lowercased() == name }
  }

  /// Saves words to search for under a name, as one line; empty ones remove it.
  ///
  /// - Returns: The words that had the name before; nil if there were none.
  /// - Throws: `Refusal.longName`, `StoreError`.
  @discardableResult
  public func saveSearch(_ words: String, as name: String) throws -> String? {
    let (words, name) = (words.trimmedForRow, TaskWords.line(name).trimmedForRow)
    return try write {
      let known = savedSearch(named: name)
      let before = known?.words
      if words.isEmpty {
        known.map(store.delete)
      } else if let known {
        if known.words != words { known.words = words }
      } else {
        if name.utf8.count > Identifier.greatestLength { throw Refusal.longName }
        let search = SavedSearch()
        (search.name, search.words) = (name, words)
        store.add(search)
      }
      return before
    }
  }
}
