import Foundation
import LiveStore

final class Message: Object {
  @Persisted(primaryKey: true) var id = UUID()
  @Persisted var text = ""
  @Persisted var isRead = false

  override class var rules: [ObjectRule] { [.searchable(\Message.text)] }
}

func searchMessages() throws {
  let store = try Store(
    Store.Configuration(path: "messages.db", objectTypes: [Message.self]), scheduler: .queue(.main))
  let message = Message()
  message.text = "Crème brûlée for dessert"
  try store.write { store.add(message) }

  for match in try store.search(Message.self, for: "creme brul", matching: .prefixes) {
    print(match.snippet)
  }

  let unread = try store.objects(Message.self).filter(#Predicate { !$0.isRead })
  let found = try unread.search(for: "dessert")
  let token = found.observe { change in
    if case .update(let found, let changes) = change { print(changes.insertions.map { found[$0].snippet }) }
  }
  print(found.count)

  let version = try store.currentVersion()
  try store.write { message.isRead = true }
  for change in try store.changes(since: version) ?? [] {
    print(change.table, change.properties ?? [])
  }
  print(found.count)

  if try store.fileSizes().unused > 100_000_000 { try store.compact() }
  print(try store.objects(Message.self).filter(#Predicate { !$0.isRead }).explain())

  for sentence in try Store.pendingMigration(of: store.configuration) { print(sentence) }
  for described in try FileDescription(path: "messages.db").classes {
    print(described.name, described.objectCount)
  }
  token.invalidate()
}
