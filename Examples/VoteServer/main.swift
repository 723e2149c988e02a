// Proposals with votes, over HTTP: a page shows them, the most wanted first, and learns of each change by a
// server-sent event, whichever browser or program made it. Rows move, and only those that changed are sent.
//
//   swift run VoteServer votes.db 8080      # then open http://127.0.0.1:8080
//   sqlite3 votes.db "UPDATE Proposal SET votes = votes + 1 WHERE text LIKE '%tea%'"

import Foundation
import LiveStore

final class Proposal: Object {
  @Persisted(primaryKey: true) var id = UUID()
  @Persisted var text = ""
  @Persisted(indexed: true) var votes = 0
}

guard CommandLine.argc == 3, let port = UInt16(CommandLine.arguments[2])
else { fatalError("usage: VoteServer FILE PORT") }
let store = try Store(.init(path: CommandLine.arguments[1], objectTypes: [Proposal.self]))
let proposals = store.objects(Proposal.self).sorted(by: \.votes, ascending: false)

@MainActor func answer(_ request: Request, to client: DispatchIO) async throws {
  switch (request.method, request.path) {
  case ("GET", "/"): await client.respond("200 OK", page, type: "text/html; charset=utf-8")
  case ("GET", "/changes"):
    await client.respond("200 OK", type: "text/event-stream")
    // Nothing is queued for a slow client: all that happens while it is sent an event is one change.
    for await change in proposals.changes {
      let steps =
        switch change {
        case .initial(let rows): [[], Array(rows.indices), []]
        case .update(_, let changes): [changes.deletions, changes.insertions, changes.modificationsInNew]
        case .error(let error): throw error
        }
      let rows = try JSONEncoder().encode(steps.dropFirst().joined().map { proposals[$0].encodable })
      await client.send("data: [\(steps), \(String(decoding: rows, as: UTF8.self))]\n\n")
    }
  case ("POST", "/proposals"):
    try store.write { try store.create(Proposal.self, value: ["text": request.body]) }
    await client.respond("204 No Content")
  case ("POST", let path) where path.hasPrefix("/votes/"):
    let id = UUID(uuidString: String(path.dropFirst("/votes/".count))) ?? UUID()  // That of no proposal.
    let chosen = try proposals.filter(#Predicate { $0.id == id })
    let count = try store.write { chosen.update(.add(1, to: \.votes)) }
    await client.respond(count == 0 ? "404 Not Found" : "204 No Content")
  default: await client.respond("404 Not Found")
  }
}

let listener = try makeListener(port: port)
let source = DispatchSource.makeReadSource(fileDescriptor: listener.socket, queue: .main)
source.setEventHandler { serve(accept(listener.socket, nil, nil), answer) }
source.activate()
print("http://127.0.0.1:\(listener.port)")
dispatchMain()
