import FoundationEssentials
import LiveStore

final class Room: Object {
  @Persisted(primaryKey: true) var name = ""
}

final class Message: Object {
  @Persisted(primaryKey: true) var id = UUID()
  @Persisted var room: Room?
  @Persisted var author = ""
  @Persisted var text = ""
  @Persisted var sent = Date()
  /// Whether the other person has seen it.
  @Persisted var isRead = false

  override class var rules: [ObjectRule] {
    [
      .searchable(\Message.text),
      .index(\Message.room, \Message.sent),
      .references(\Message.room, onDelete: .cascade),
    ]
  }
}
