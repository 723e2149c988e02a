import FoundationEssentials
import Testing

@testable import LiveStore

@Suite("Unique rules")
struct UniqueRuleTests {
  private let file = TestFile()
  private let test: TestStore
  private var store: Store { test.store }
  private var members: Results<Club.Member> { store.objects(Club.Member.self) }

  init() throws {
    test = try Club.open(file)
    try store.write {
      let team = Club.Team("red")
      store.add([Club.Member(1, "a", team: team, number: 1), Club.Member(2, "b", team: team, number: 2)])
      store.add([Club.Member(3), Club.Member(4)])
    }
  }

  @Test("A second object with the same values is refused with a sentence, and the file stays as it was")
  func refused() throws {
    let added = #expect(throws: StoreError.self) { try store.write { store.add(Club.Member(9, "a")) } }
    #expect(added?.description.contains("another Member has the same email") == true)
    let assigned = #expect(throws: StoreError.self) {
      try store.write {
        members[3].team = members[0].team
        members[3].number = 2
      }
    }
    #expect(assigned?.description.contains("another Member has the same team and number") == true)
    #expect(members.count == 4 && members[3].team == nil)
    // Without a value nothing is compared.
    try store.write { store.add(Club.Member(5)) }
  }

  @Test("With update an object takes the place of the one with the same values, which keeps its key")
  func update() throws {
    let seen = test.observe(members)
    let badge = Club.Badge(7)
    let added = Club.Member(50, "b")
    added.badge = badge
    added.age = 33
    try store.write { store.add(added, update: .modified) }
    #expect(
      added.id == 2 && added.age == 33 && added.badge?.id == 7 && added.number == 0 && added.team == nil)
    #expect(members.map(\.id) == [1, 2, 3, 4])
    try store.refresh()
    #expect(seen.change == ChangeSet(mod: [1]))
    // Objects that lead to it lead to the existing one.
    let friend = Club.Member(60)
    friend.sponsor = Club.Member(61, "a", team: members[0].team, number: 1)
    try store.write { store.add(friend, update: .modified) }
    #expect(friend.sponsor?.id == 1 && members.map(\.id) == [1, 2, 3, 4, 60])
    // By two properties, of which one leads to an object that is added too.
    let team = Club.Team("red")
    try store.write { store.add(Club.Member(70, "new", team: team, number: 1), update: .all) }
    #expect(members[0].email == "new" && members.count == 5)
  }

  @Test("An object that took another's place has its own values again when the write is cancelled")
  func cancelled() throws {
    let added = Club.Member(50, "b", number: 9)
    try store.beginWrite()
    store.add(added, update: .modified)
    #expect(added.id == 2)
    store.cancelWrite()
    #expect(added.id == 50 && added.number == 9 && added._row == nil)
    #expect(members[1].number == 2)
  }

  @Test("Values from JSON find the object by a rule too")
  func created() throws {
    try store.write {
      let member = try store.create(
        Club.Member.self, value: ["email": "b", "age": 44], update: .modified)
      #expect(member.id == 2 && member.number == 2)
    }
    #expect(members.map(\.age) == [20, 44, 20, 20])
    #expect(throws: StoreError.self) {
      try store.write { _ = try store.create(Club.Member.self, value: ["email": "b"]) }
    }
  }

  @Test("A row that another program replaces through a rule is seen to go")
  func replaced() throws {
    let seen = test.observe(members)
    sqlite3(file.path, "INSERT OR REPLACE INTO Member (id, email) VALUES (10, 'a')")
    try store.refresh()
    #expect(seen.rows == ["2", "3", "4", "10"] && seen.change == ChangeSet(del: [0], ins: [3]))
    sqlite3(file.path, "UPDATE OR REPLACE Member SET number = 2, team = 'red' WHERE id = 3")
    try store.refresh()
    #expect(seen.rows == ["3", "4", "10"])
    sqlite3(
      file.path, "INSERT INTO Member (id, email) VALUES (11, 'a') ON CONFLICT (email) DO UPDATE SET age = 50")
    try store.refresh()
    #expect(seen.rows == ["3", "4", "10"] && members[2].age == 50)
  }

  @Test(
    "A row that another program replaces through a rule leaves the lists and links that lead to it",
    arguments: ["", "PRAGMA foreign_keys = ON;"])
  func replacedMember(pragma: String) throws {
    let file = TestFile()
    let test = try TestStore(file.path, types: [Guest.self])
    let guests = (1...4).map { Guest($0, "\($0)") }
    try test.store.write {
      test.store.add(guests)
      guests[3].friends.append(contentsOf: guests)
      for guest in guests { guest.friends.append(contentsOf: [guests[0], guests[1]]) }
      (guests[1].host, guests[2].host, guests[3].host) = (guests[0], guests[3], guests[1])
    }
    let friends = test.observe(guests[3].friends)
    let hosts = test.observe(test.store.objects(Guest.self))
    sqlite3(file.path, "\(pragma) INSERT OR REPLACE INTO Guest (id, email) VALUES (9, '1')")
    try test.store.refresh()
    #expect(guests[3].friends.map(\.email) == ["2", "3", "4", "2"] && guests[1].host == nil)
    #expect(friends.change == ChangeSet(del: [0, 4], mod: [1, 2, 3, 5], modInNew: [0, 1, 2, 3]))
    #expect(hosts.change == ChangeSet(del: [0], ins: [3], mod: [1, 2, 3], modInNew: [0, 1, 2]))
    hosts.clear()
    sqlite3(file.path, "\(pragma) UPDATE OR REPLACE Guest SET email = '2' WHERE id = 3")
    try test.store.refresh()
    #expect(guests[3].friends.map(\.email) == ["2", "4"])
    #expect(guests[2].host == guests[3] && guests[3].host == nil)
    #expect(hosts.change == ChangeSet(del: [0], mod: [1, 2], modInNew: [0, 1]))
    #expect(sqlite3(file.path, "PRAGMA foreign_key_check") == "")
    try test.store.write { guests[3].name = guests[3].friends.map(\.email).joined() }
    #expect(guests[3].name == "24" && test.store.failure == nil)
    // Nothing goes for a row that is not replaced.
    sqlite3(
      file.path,
      """
      \(pragma) INSERT OR IGNORE INTO Guest (id, email) VALUES (10, '2');
      UPDATE OR IGNORE Guest SET email = '2';
      INSERT INTO Guest (id, email) VALUES (11, '2') ON CONFLICT (email) DO UPDATE SET name = 'same'
      """)
    try test.store.refresh()
    #expect(guests[3].friends.map(\.name) == ["same", "24"])
  }

  @Test("What a replaced row has left behind in a file without the triggers for it goes when it is opened")
  func olderFile() throws {
    let file = TestFile()
    let guests: () throws -> Void = {
      let store = try TestStore(file.path, types: [Guest.self]).store
      let guests = (1...4).map { Guest($0, "\($0)") }
      try store.write {
        store.add(guests)
        for guest in guests { guest.friends.append(contentsOf: guests) }
        (guests[1].host, guests[2].host) = (guests[0], guests[3])
      }
    }
    try guests()
    let dangling = "PRAGMA foreign_key_check"
    let replacement = "INSERT OR REPLACE INTO Guest (id, email) VALUES (9, '1');"
    sqlite3(
      file.path,
      "DROP TRIGGER _livestore_Guest_replaced; DROP TRIGGER _livestore_Guest_displaced; \(replacement)")
    #expect(sqlite3(file.path, dangling) != "")
    let reader = try TestStore(file.path, types: [Guest.self])
    let all = reader.store.objects(Guest.self)
    #expect(sqlite3(file.path, dangling) == "")
    #expect(all.map { $0.friends.map(\.id) } == [[2, 3, 4], [2, 3, 4], [2, 3, 4], []])
    #expect(all.map { $0.host?.id } == [nil, 4, nil, nil] && reader.store.failure == nil)
    // With the triggers it does not happen any more; what is missing then may be a part of a damaged file.
    let foreign = try Connection(path: file.path, create: false)
    foreign.firesTriggers = false
    try foreign.execute("UPDATE Guest_friends SET target = 77 WHERE owner = 2")
    sqlite3(file.path, "DROP TRIGGER _livestore_Guest_insert")
    reader.store.close()
    _ = try TestStore(file.path, types: [Guest.self])
    #expect(sqlite3(file.path, "SELECT count(*) FROM Guest_friends WHERE target = 77") == "3\n")
  }

  @Test("Descending and partial indexes are used by the queries that they fit")
  func indexes() throws {
    func plan(_ sql: String) -> String { sqlite3(file.path, "EXPLAIN QUERY PLAN \(sql)") }
    let sorted = plan("SELECT id FROM Member ORDER BY age DESC, email")
    #expect(sorted.contains("_livestore_Member_age_email") && !sorted.contains("TEMP B-TREE"))
    #expect(
      plan("SELECT id FROM Member WHERE age < 18 AND number = 3").contains("_livestore_Member_number"))
    #expect(!plan("SELECT id FROM Member WHERE number = 3").contains("_livestore_Member_number"))
  }
}

/// A member as a model knows it, and rules as plain loops.
private struct MemberModel: Equatable {
  var id: Int
  var email: String?
  var team: String?
  var number: Int
}

extension UniqueRuleTests {
  @Test("Whatever is added, with and without update, by this store and by others, is as a model says")
  func random() throws {
    try withSeededGenerator { random in
      let file = TestFile()
      let test = try Club.open(file)
      let store = test.store
      try store.write { for name in ["red", "blue"] { store.add(Club.Team(name)) } }
      let members = store.objects(Club.Member.self)
      let seen = test.observe(members)
      var model: [MemberModel] = []
      for _ in 0..<randomSteps(usually: 300) {
        let new = MemberModel(
          id: .random(in: 1...8, using: &random),
          email: ["a", "b", "c", "d", nil].randomElement(using: &random)!,
          team: ["red", "blue", nil].randomElement(using: &random)!,
          number: .random(in: 1...3, using: &random))
        let byKey = model.firstIndex { $0.id == new.id }
        let byEmail = model.firstIndex { $0.email != nil && $0.email == new.email }
        let byNumber = model.firstIndex { $0.team != nil && $0.team == new.team && $0.number == new.number }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          // Refused as soon as one rule or the key says so.
          let isFree = byKey == nil && byEmail == nil && byNumber == nil
          let result = Result { try store.write { store.add(member(new, store)) } }
          #expect(result.isSuccess == isFree)
          if isFree { model.append(new) }
        case 1:
          // By the key, else by the first rule; another rule may still refuse it.
          let index = byKey ?? byEmail ?? byNumber
          let others = [byEmail, byNumber].compactMap { $0 }.filter { $0 != index }
          let result = Result { try store.write { store.add(member(new, store), update: .modified) } }
          #expect(result.isSuccess == others.isEmpty)
          guard others.isEmpty else { break }
          if let index {
            model[index] = MemberModel(
              id: model[index].id, email: new.email, team: new.team, number: new.number)
          } else {
            model.append(new)
          }
        case 2:
          let values = [new.email, new.team].map { $0.map { "'\($0)'" } ?? "NULL" }
          sqlite3(
            file.path,
            "INSERT OR REPLACE INTO Member (id, email, team, number) VALUES "
              + "(\(new.id), \(values[0]), \(values[1]), \(new.number))")
          let gone = Set([byKey, byEmail, byNumber].compactMap { $0 })
          model = model.indices.filter { !gone.contains($0) }.map { model[$0] } + [new]
        default:
          try store.write { if let byKey { store.delete(members.first { $0.id == model[byKey].id }!) } }
          if let byKey { model.remove(at: byKey) }
        }
        model.sort { $0.id < $1.id }
        try store.refresh()
        try #require(
          members.map { MemberModel(id: $0.id, email: $0.email, team: $0.team?.name, number: $0.number) }
            == model)
        try #require(seen.rows == model.map { "\($0.id)" })
      }
    }
  }

  private func member(_ model: MemberModel, _ store: Store) -> Club.Member {
    let team = model.team.flatMap { store.object(ofType: Club.Team.self, forPrimaryKey: $0) }
    return Club.Member(model.id, model.email, team: team, number: model.number)
  }
}

extension Result {
  fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}

private final class Guest: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var email = ""
  @Persisted var name = ""
  @Persisted var host: Guest?
  @Persisted var friends: List<Guest>

  override class var rules: [ObjectRule] { [.unique(\Guest.email)] }

  convenience init(_ id: Int, _ email: String) {
    self.init()
    (self.id, self.email) = (id, email)
  }
}
