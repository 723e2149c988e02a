import FoundationEssentials
import LiveStore

/// The classes of one program as its successive versions declare them.
enum MigrationOne {
  final class Member: Object {
    @Persisted(primaryKey: true) var id: Int = 0
    @Persisted var firstName: String = ""
    @Persisted var lastName: String = ""
    @Persisted var age: String = ""
    @Persisted var nickname: String?
    @Persisted var pet: Pet?
    @Persisted var pets: List<Pet>
  }

  final class Pet: Object {
    @Persisted(primaryKey: true) var id: Int = 0
    @Persisted var name: String = ""
    @Persisted(indexed: true) var born: Date = Date(timeIntervalSince1970: 0)
  }

  static let types: [Object.Type] = [Member.self, Pet.self]
}

enum MigrationTwo {
  final class Member: Object {
    @Persisted var level: Double = 1.5
    @Persisted(primaryKey: true) var id: Int = 0
    @Persisted var fullName: String = ""
    @Persisted var age: Int = -1
    @Persisted var nickname: String = "none"
    @Persisted var favourite: Pet?
    @Persisted var animals: List<Pet>
  }

  final class Pet: Object {
    @Persisted(primaryKey: true) var id: Int = 0
    @Persisted var name: String?
  }

  static let types: [Object.Type] = [Member.self, Pet.self]
}

/// The second version without anything that a person has to say how to migrate.
enum MigrationPlain {
  final class Member: Object {
    @Persisted(primaryKey: true) var id: Int = 0
    @Persisted var lastName: String = ""
    @Persisted var added: String = "it's \"new\""
    @Persisted var age: String = ""
    @Persisted var nickname: String?
    @Persisted var token: UUID = UUID()
  }

  static let types: [Object.Type] = [Member.self]
}

/// The first version's class with another primary key, target and so on.
enum MigrationOther {
  final class Member: Object {
    @Persisted(primaryKey: true) var lastName: String = ""
  }

  final class Person: Object {
    @Persisted(primaryKey: true) var id: Int = 0
  }

  final class Named: Object {
    @Persisted(primaryKey: true) var id: Int = 0
    @Persisted var name: String = ""
  }
}
