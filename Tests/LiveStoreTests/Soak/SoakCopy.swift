import LiveStoreFixtures
import Testing

@testable import LiveStore

/// One row of a view: what it is known by, and all that is watched of it.
struct SoakRow: Equatable {
  let key: String
  let content: String
}

/// Everything in the file at one version, read with SQL of its own, and what each collection is then by the
/// simplest reading of what was asked.
final class SoakCopy {
  struct Member {
    let id: Int
    let name: String
    let rank: Int
    let leader: Int?
  }

  struct Entry {
    let entry: String
    let target: Int
    let position: String
  }

  let members: [Int: Member]
  let pieces: [Int: String]
  let lists: [Int: [Entry]]

  init(_ store: Store) {
    func int(_ value: SQLiteValue) -> Int? { Int(sqliteValue: value) }
    func text(_ value: SQLiteValue) -> String { String(sqliteValue: value) ?? "" }
    members = Dictionary(
      uniqueKeysWithValues: store.rows("SELECT id, name, rank, leader FROM Member").map {
        let id = int($0[0]) ?? 0
        return (id, Member(id: id, name: text($0[1]), rank: int($0[2]) ?? 0, leader: int($0[3])))
      })
    pieces = Dictionary(
      uniqueKeysWithValues: store.rows("SELECT id, label FROM Piece").map { (int($0[0]) ?? 0, text($0[1])) })
    var lists: [Int: [Entry]] = [:]
    for row in store.rows(
      "SELECT owner, entry, target, position FROM Member_pieces ORDER BY owner, position, target, entry")
    {
      lists[int(row[0]) ?? 0, default: []].append(
        Entry(entry: "\(row[1])", target: int(row[2]) ?? 0, position: text(row[3])))
    }
    self.lists = lists
  }

  /// A member with all that it leads to over three links.
  private func content(_ id: Int, _ links: Int = 3) -> String {
    guard let member = members[id] else { return "none" }
    var text = "\(id) \(member.name) \(member.rank) \(member.leader ?? -1)"
    for entry in lists[id] ?? [] {
      text += " [\(entry.entry) \(entry.target) \(links > 0 ? pieces[entry.target] ?? "none" : "")]"
    }
    if links > 0, let leader = member.leader { text += " -> " + content(leader, links - 1) }
    return text
  }

  private func rows(_ members: some Sequence<Member>) -> [SoakRow] {
    members.map { SoakRow(key: "\($0.id)", content: content($0.id)) }
  }

  private var byID: [Member] { members.values.sorted { $0.id < $1.id } }
  private var byName: [Member] { members.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) } }

  var all: [SoakRow] { rows(byID) }

  var byRank: [SoakRow] {
    rows(members.values.sorted { (-$0.rank, $0.name, $0.id) < (-$1.rank, $1.name, $1.id) })
  }

  var high: [SoakRow] { rows(byName.filter { $0.rank > 2 }) }

  var named: [SoakRow] { rows(byName) }

  /// Of each rank the first by name.
  var distinct: [SoakRow] {
    var seen: Set<Int> = []
    return rows(byName.filter { seen.insert($0.rank).inserted })
  }

  var limited: [SoakRow] {
    rows(members.values.sorted { ($0.rank, $0.id) < ($1.rank, $1.id) }.prefix(5))
  }

  /// By rank, and in each rank by name.
  var sections: [[SoakRow]] {
    Set(members.values.map(\.rank)).sorted().map { rank in rows(byName.filter { $0.rank == rank }) }
  }

  var ownersOfOne: [SoakRow] { rows(byID.filter { lists[$0.id]?.contains { $0.target == 1 } ?? false }) }

  private func rows(_ entries: some Sequence<Entry>) -> [SoakRow] {
    entries.map { SoakRow(key: $0.entry, content: "\($0.target) \(pieces[$0.target] ?? "none")") }
  }

  var listOfOne: [SoakRow] { rows(lists[1] ?? []) }

  var listByLabel: [SoakRow] {
    func order(_ entry: Entry) -> (String, String, Int, String) {
      (pieces[entry.target] ?? "", entry.position, entry.target, entry.entry)
    }
    return rows((lists[1] ?? []).sorted { order($0) < order($1) })
  }

  /// All of it as text, to compare instances by.
  var text: String {
    byID.map { content($0.id) }.joined(separator: "\n") + "\(pieces.sorted { $0.key < $1.key })"
  }
}
