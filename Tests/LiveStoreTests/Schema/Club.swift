import FoundationEssentials

@testable import LiveStore

/// Classes with rules of every kind.
enum Club {
  static let types: [Object.Type] = [Member.self, Team.self, Badge.self, Visit.self, Folder.self]

  final class Team: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var guests: List<Visit>

    override class var rules: [ObjectRule] { [.owns(\Team.guests)] }

    convenience init(_ name: String) {
      self.init()
      self.name = name
    }
  }

  final class Member: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var email: String?
    @Persisted var number = 0
    @Persisted var age = 20
    @Persisted var team: Team?
    @Persisted var badge: Badge?
    @Persisted var sponsor: Member?

    override class var rules: [ObjectRule] {
      [
        .unique(\Member.email),
        .unique(\Member.team, \Member.number),
        .index(\Member.age, \Member.email, descending: [\Member.age]),
        .index(\Member.number, where: "age < 18"),
        .check("age >= 0", "the age of a member is not negative"),
        .references(\Member.team, onDelete: .cascade),
        .references(\Member.sponsor, onDelete: .deny),
        .owns(\Member.badge),
      ]
    }

    convenience init(_ id: Int, _ email: String? = nil, team: Team? = nil, number: Int = 0) {
      self.init()
      (self.id, self.email, self.team, self.number) = (id, email, team, number)
    }
  }

  final class Badge: Object {
    @Persisted(primaryKey: true) var id = 0

    convenience init(_ id: Int) {
      self.init()
      self.id = id
    }
  }

  final class Visit: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var day = ""

    convenience init(_ id: Int) {
      self.init()
      self.id = id
    }
  }

  /// A class whose objects go with others of their own class.
  final class Folder: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var parent: Folder?

    override class var rules: [ObjectRule] { [.references(\Folder.parent, onDelete: .cascade)] }

    convenience init(_ id: Int, in parent: Folder? = nil) {
      self.init()
      (self.id, self.parent) = (id, parent)
    }
  }

  static func open(_ file: TestFile) throws -> TestStore {
    try TestStore(file.path, types: types, keeping: file)
  }
}
