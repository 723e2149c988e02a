import Foundation
import LiveStore

final class Team: Object {
  @Persisted(primaryKey: true) var name = ""
}

final class Badge: Object {
  @Persisted(primaryKey: true) var id = UUID()
}

final class Member: Object {
  @Persisted(primaryKey: true) var id = UUID()
  @Persisted var email = ""
  @Persisted var age = 0
  @Persisted var team: Team?
  @Persisted var badge: Badge?

  override class var rules: [ObjectRule] {
    [
      .unique(\Member.email),
      .index(\Member.age, where: "age < 18"),
      .check("age >= 0", "the age of a member is not negative"),
      .references(\Member.team, onDelete: .cascade),
      .owns(\Member.badge),
    ]
  }
}

func keepRules() throws {
  let store = try Store(
    Store.Configuration(path: "club.db", objectTypes: [Team.self, Badge.self, Member.self]),
    scheduler: .queue(.main))
  let ann = Member()
  ann.email = "ann@example.org"
  ann.team = Team()
  try store.write { store.add(ann) }

  let imported = Member()
  imported.email = "ann@example.org"
  imported.age = 30
  imported.team = ann.team
  try store.write { store.add(imported, update: .modified) }
  print(imported.id == ann.id, ann.age)

  do {
    try store.write { ann.age = -1 }
  } catch let error as StoreError {
    print(error.description.hasSuffix("the age of a member is not negative."))
  }

  try store.write {
    let children = try store.objects(Member.self).filter(#Predicate { $0.age < 18 })
    children.update(.add(1, to: \.age), .set(\.team, to: nil))
    store.objects(Team.self).deleteAll()
  }
  print(store.objects(Member.self).count)
}
