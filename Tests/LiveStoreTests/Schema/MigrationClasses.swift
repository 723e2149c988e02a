import FoundationEssentials

@testable import LiveStore

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

  static let migrate: @Sendable (Migration, Int) throws -> Void = { migration, oldVersion in
    try migration.renameProperty(onType: "Member", from: "pet", to: "favourite")
    try migration.renameProperty(onType: "Member", from: "pets", to: "animals")
    try migration.enumerateObjects(ofType: "Member") { old, new in
      let first = old?["firstName"] as? String ?? "?"
      let last = old?["lastName"] as? String ?? "?"
      new?["fullName"] = "\(first) \(last) of \(oldVersion)"
      new?["age"] = old?["age", as: Int.self]
    }
  }
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

extension TestFile {
  /// A file of the first version: three members, with pets in links and lists.
  func makeMembers() throws {
    let store = try TestStore(Store.Configuration(path: path, objectTypes: MigrationOne.types)).store
    try store.write {
      let pets = (1...3).map { id in
        let pet = MigrationOne.Pet()
        pet.id = id
        pet.name = "pet\(id)"
        return pet
      }
      for id in 1...3 {
        let member = MigrationOne.Member()
        member.id = id
        member.firstName = "F\(id)"
        member.lastName = "L\(id)"
        member.age = "\(id * 10)"
        member.nickname = id == 2 ? nil : "N\(id)"
        member.pet = pets[id - 1]
        member.pets.append(contentsOf: pets.reversed())
        member.pets.append(pets[0])
        store.add(member)
      }
    }
    store.close()
  }
}

/// Classes whose indexes have the names of lists of the next version.
enum MigrationIndexed {
  final class Pet: Object {
    @Persisted(primaryKey: true) var id: Int = 0
    @Persisted(indexed: true) var friends: String = ""
    @Persisted var mother: Pet?
    @Persisted var isTame: Bool = true
    @Persisted var isOld: Bool?
  }
}

/// The next version of these classes.
enum MigrationListed {
  final class Pet: Object {
    @Persisted(primaryKey: true) var id: Int = 0
    @Persisted var friends: List<Pet>
    @Persisted var mother: List<Pet>
    @Persisted var tame: Bool = false
    @Persisted var old: Bool?
  }
}

/// A class as three versions of a program declare it: in another order, and with another property.
enum ReorderedOne {
  final class Item: Object {
    @Persisted(primaryKey: true) var id: Int = 0
    @Persisted var name: String = ""
    @Persisted var age: Int = 0
  }

  final class Other: Object {
    @Persisted(primaryKey: true) var id: Int = 0
  }
}

enum ReorderedTwo {
  final class Item: Object {
    @Persisted var age: Int = 0
    @Persisted var name: String = ""
    @Persisted(primaryKey: true) var id: Int = 0
  }
}

enum ReorderedThree {
  final class Item: Object {
    @Persisted(primaryKey: true) var id: Int = 0
    @Persisted var added: Int = 0
    @Persisted var age: Int = 0
    @Persisted var name: String = ""
  }
}

enum ReorderedFour {
  final class Item: Object {
    @Persisted(primaryKey: true) var id: Int = 0
    @Persisted var title: String = ""
    @Persisted var age: Int = 0
  }
}

/// Classes of which one has the name of an index of the other.
enum NamesOfIndexes {
  final class A: Object {
    @Persisted(primaryKey: true) var id: Int = 0
    @Persisted var b: A?
  }

  final class A_b: Object {
    @Persisted(primaryKey: true) var id: Int = 0
  }
}
