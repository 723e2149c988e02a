// A light that goes on when any program changes anything in a file.
//
//   swift run ChangeIndicator notes.db
//   sqlite3 notes.db "insert into Note (text) values ('Milk')"       # in another terminal

import Dispatch
import FoundationEssentials
import LiveStore

final class Note: Object {
  @Persisted(primaryKey: true) var id = UUID()
  @Persisted var text = ""
}

let store = try Store(
  .init(path: CommandLine.arguments.dropFirst().first ?? "notes.db", objectTypes: [Note.self]))

let token = store.observe { notification, store in
  guard notification == .didChange else { return }
  print("* something changed; notes: \(store.objects(Note.self).count)")
}

print("watching; notes: \(store.objects(Note.self).count)")
dispatchMain()
