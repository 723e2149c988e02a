import LiveStore

final class Root: Object {
  @Persisted(primaryKey: true) var id: Int = 0
  @Persisted var folders: List<Folder>
}

final class Folder: Object {
  @Persisted(primaryKey: true) var id: String = ""
  @Persisted var name: String = ""
  @Persisted var notes: List<Note>
}

final class Note: Object {
  @Persisted(primaryKey: true) var id: String = ""
  @Persisted var text: String = ""
  @Persisted var count: Int = 0
  @Persisted var related: Note?
  @Persisted var steps: List<Note>
}

/// A class that stays on its machine.
final class Secret: Object {
  @Persisted(primaryKey: true) var id: Int = 0
  @Persisted var text: String = ""
}

/// A class with rules that two machines can break together.
final class Member: Object {
  @Persisted(primaryKey: true) var id: String = ""
  @Persisted var email: String = ""
  @Persisted var seat: Int?
  @Persisted var locker: Int = 0
  @Persisted var first: Int = 0
  @Persisted var last: Int = 0
  @Persisted var team: Team?
  @Persisted var sponsor: Team?
  @Persisted var badge: Badge?
  @Persisted var leads: Team?

  override class var rules: [ObjectRule] {
    [
      .unique(\Member.email),
      .unique(\Member.seat),
      .unique(\Member.team, \Member.locker),
      .unique(\Member.leads),
      .check("first <= last", "the first day is not after the last"),
      .references(\Member.team, onDelete: .deny),
      .references(\Member.sponsor, onDelete: .cascade),
      .owns(\Member.badge),
    ]
  }
}

final class Team: Object {
  @Persisted(primaryKey: true) var id: String = ""
  @Persisted var name: String = ""
}

final class Badge: Object {
  @Persisted(primaryKey: true) var id: String = ""
}

/// A class with a list that does not own its elements.
final class Playlist: Object {
  @Persisted(primaryKey: true) var id: String = ""
  @Persisted var songs: List<Song>
}

final class Song: Object {
  @Persisted(primaryKey: true) var id: Int = 0
  @Persisted var title: String = ""
}

/// A class whose objects have parts: one in each of two links, and any number in a list.
final class Contact: Object {
  @Persisted(primaryKey: true) var id: String = ""
  @Persisted var name: String = ""
  @Persisted var home: Address?
  @Persisted var office: Address?
  @Persisted var stays: List<Address>

  override class var rules: [ObjectRule] {
    [.embeds(\Contact.home), .embeds(\Contact.office), .embeds(\Contact.stays)]
  }
}

/// A part that has a part of its own.
final class Address: Object {
  @Persisted(primaryKey: true) var id: String = ""
  @Persisted var street: String = ""
  @Persisted var key: HouseKey?

  override class var rules: [ObjectRule] { [.embeds(\Address.key)] }
}

final class HouseKey: Object {
  @Persisted(primaryKey: true) var id: String = ""
}
