import LiveStore

/// Words to search for, under a name.
public final class SavedSearch: Object {
  /// The name, as typed.
  @Persisted(primaryKey: true) public var name: String = ""
  /// The words, as typed into a search.
  @Persisted public var words: String = ""
}
