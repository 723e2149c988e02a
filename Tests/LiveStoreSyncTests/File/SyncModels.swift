import LiveStore

final class Root: Object {
  @Persisted(primaryKey: true) var id: Int = 0
  @Persisted var folders: List<Folder>
}

final class Folder: Object {
  @Persisted(primaryKey: true) var id: String = ""
  @Persisted var name: String = ""
  @Persisted var notes: List<Note>
}

final class Note: Object {
  @Persisted(primaryKey: true) var id: String = ""
  @Persisted var text: String = ""
  @Persisted var count: Int = 0
  @Persisted var related: Note?
  @Persisted var steps: List<Note>
}

/// A class that stays on its machine.
final class Secret: Object {
  @Persisted(primaryKey: true) var id: Int = 0
  @Persisted var text: String = ""
}
