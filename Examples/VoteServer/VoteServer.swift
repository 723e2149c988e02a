import Foundation
import LiveStore

final class Proposal: Object {
  @Persisted(primaryKey: true) var id = UUID()
  @Persisted var text = ""
  @Persisted(indexed: true) var votes = 0
}

@MainActor
final class VoteServer {
  private let store: Store
  private let proposals: Results<Proposal>

  init(_ configuration: Store.Configuration) throws {
    store = try Store(configuration)
    proposals = store.objects(Proposal.self).sorted(by: \.votes, ascending: false)
  }

  func answer(_ request: Request, on connection: Connection) {
    let path = request.path.split(separator: "/")
    do {
      switch (request.method, path.first, path.count) {
      case ("GET", nil, 0): connection.respond("200 OK", "text/html", page)
      case ("GET", "changes", 1): stream(to: connection)
      case ("POST", "proposals", 1):
        let proposal = Proposal()
        proposal.text = request.body
        try store.write { store.add(proposal) }
        connection.respond("204 No Content")
      case ("POST", "votes", 2):
        let id = UUID(uuidString: String(path[1]))
        let proposal = id.flatMap { store.object(ofType: Proposal.self, forPrimaryKey: $0) }
        try store.write { proposal?.votes += 1 }
        connection.respond(proposal == nil ? "404 Not Found" : "204 No Content")
      default: connection.respond("404 Not Found")
      }
    } catch {
      connection.respond("500 Internal Server Error", "text/plain", "\(error)")
    }
  }

  /// Sends all rows, and from then on each change set, with the rows that it brings.
  private func stream(to connection: Connection) {
    connection.beginEvents()
    let token = proposals.observe { [unowned connection] change in
      do {
        switch change {
        case .initial(let rows): try connection.send("initial", Event(rows, inserted: Array(rows.indices)))
        case .update(let rows, let changes):
          let modified = changes.modificationsInNew
          try connection.send(
            "update",
            Event(rows, deletions: changes.deletions, inserted: changes.insertions, modified: modified))
        case .error(let error): throw error
        }
      } catch {
        print(error)
        connection.end()
      }
    }
    connection.onEnd = { token.invalidate() }
  }
}

private struct Event: Encodable {
  struct Row: Encodable {
    let index: Int
    let proposal: EncodableObject
  }

  let deletions: [Int], insertions: [Row], modifications: [Row]

  init(_ rows: Results<Proposal>, deletions: [Int] = [], inserted: [Int], modified: [Int] = []) {
    self.deletions = deletions
    insertions = inserted.map { Row(index: $0, proposal: rows[$0].encodable) }
    modifications = modified.map { Row(index: $0, proposal: rows[$0].encodable) }
  }
}
