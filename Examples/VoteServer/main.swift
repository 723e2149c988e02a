// Proposals with votes, over HTTP: a page shows them, the most wanted first, and learns of each change by a
// server-sent event, whichever browser or program made it. Rows move, and only those that changed are sent.
//
//   swift run VoteServer votes.db 8080      # then open http://127.0.0.1:8080
//   sqlite3 votes.db "UPDATE Proposal SET votes = votes + 1 WHERE text LIKE '%tea%'"

import Dispatch
import LiveStore

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2, let port = UInt16(arguments[1]) else { fatalError("usage: VoteServer FILE PORT") }
let server = try VoteServer(.init(path: arguments[0], objectTypes: [Proposal.self]))
let listener = try Listener(port: port) { server.answer($0, on: $1) }
print("http://127.0.0.1:\(listener.port)")
dispatchMain()
