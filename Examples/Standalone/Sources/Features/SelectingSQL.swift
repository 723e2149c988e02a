import Foundation
import LiveStore

struct TeamSize: Decodable {
  var team: String
  var members: Int
}

func selectTeams() throws {
  let store = try Store(
    Store.Configuration(path: "club.db", objectTypes: [Team.self, Badge.self, Member.self]),
    scheduler: .queue(.main))
  let sizes = try store.select(
    sql: "SELECT team, count(*) AS members FROM Member WHERE age >= ? GROUP BY team ORDER BY team", 18
  ).keyed(by: "team")

  let token = sizes.observe { change in
    if case .update(let sizes, let changes) = change {
      for index in changes.modificationsInNew { print(sizes[index]["team"], "has changed its size") }
    }
  }

  try store.write {
    try store.execute(sql: "INSERT INTO Team (name) VALUES (?)", "red")
    try store.execute(
      sql: "INSERT INTO Member (id, email, age, team) VALUES (?, ?, ?, ?)", UUID(), "bo@example.org", 40,
      "red")
  }
  for size in try sizes.decoded(as: TeamSize.self) { print(size.team, size.members) }
  token.invalidate()
}
