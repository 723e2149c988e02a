// The programs of PermissionRequest on two machines: one asks, the answer is given on the other. They know
// nothing of it; this one carries their file, whatever classes are in it.
//
//   swift run RequestCourier requests.db postgresql://ann@db.example.org/requests
//
// on each machine, beside `PermissionRequest ask` or `answer` on the same file, with a database that its
// owner has prepared: tasks sync init postgresql://owner@db.example.org/requests

import Foundation
import LiveStoreSync

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2 else { fatalError("usage: RequestCourier FILE URL") }
let file = SyncedFile(path: arguments[0])

do {
  if try !file.isJoined {
    _ = try file.join(ServerURL(arguments[1]), space: "requests", classes: SyncedFile.Classes())
  }
  Task.detached { [file] in
    for await status in file.statuses() where status.phase != .stopped {
      print(status.reason.isEmpty ? status.phase.rawValue : status.reason)
    }
  }
  Task.detached { [file] in
    for try await conflict in try file.newConflicts() {
      print("lost to \(conflict.author) on \(conflict.machine): \(conflict.mine)")
    }
  }
  try SyncAgent(path: file.path).run()
} catch {
  print(error)
  exit(1)
}
