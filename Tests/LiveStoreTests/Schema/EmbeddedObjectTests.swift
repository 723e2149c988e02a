import Foundation
import TestSupport
import Testing

@testable import LiveStore

private enum Registry {
  static let types: [Object.Type] = [Person.self, Company.self, Address.self, Phone.self]

  final class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var home: Address?
    @Persisted var others: List<Address>

    override class var rules: [ObjectRule] { [.embeds(\Person.home), .embeds(\Person.others)] }
  }

  final class Company: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var office: Address?

    // As if two people had written them.
    override class var rules: [ObjectRule] {
      [.embeds(\Company.office), .owns(\Company.office), .embeds(\Company.office)]
    }
  }

  final class Address: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var phones: List<Phone>

    override class var rules: [ObjectRule] { [.embeds(\Address.phones)] }

    convenience init(_ id: Int) {
      self.init()
      self.id = id
    }
  }

  final class Phone: Object {
    @Persisted(primaryKey: true) var id = 0

    convenience init(_ id: Int) {
      self.init()
      self.id = id
    }
  }
}

private final class Cup: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var handle: Handle?

  override class var rules: [ObjectRule] { [.embeds(\Cup.handle)] }
}

private final class Handle: Object {
  @Persisted(primaryKey: true) var id = UUID()
  @Persisted var name = ""

  override class var rules: [ObjectRule] { [.unique(\Handle.name)] }

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

@Suite("Embedded objects")
struct EmbeddedObjectTests {
  private typealias Address = Registry.Address
  private typealias Phone = Registry.Phone

  private let file = TestFile()
  private let test: TestStore
  private var store: Store { test.store }
  private let person: Registry.Person
  private let company: Registry.Company

  init() throws {
    test = try TestStore(file.path, types: Registry.types, keeping: file)
    (person, company) = (Registry.Person(), Registry.Company())
    try test.store.write { [person, company, store = test.store] in
      store.add(person)
      store.add(company)
    }
  }

  private var addresses: [Int] { store.objects(Address.self).map(\.id) }
  private var phones: [Int] { store.objects(Phone.self).map(\.id) }

  private func fill() throws {
    try store.write {
      let home = Address(1)
      home.phones.append(contentsOf: [Phone(10), Phone(11)])
      person.home = home
      person.others.append(contentsOf: [Address(2), Address(3), Address(4)])
      company.office = Address(5)
    }
  }

  @Test("What leaves a link or a list is deleted, with its own parts, and observers are told")
  func leaving() throws {
    try fill()
    let (seen, parts) = (test.observe(store.objects(Address.self)), test.observe(store.objects(Phone.self)))
    let home = person.home
    try store.write { person.home = nil }
    #expect(addresses == [2, 3, 4, 5] && phones.isEmpty && home?.isInvalidated == true)
    try store.refresh()
    #expect(seen.change == ChangeSet(del: [0]) && parts.change == ChangeSet(del: [0, 1]))
    try store.write { person.others.remove(at: 1) }
    #expect(addresses == [2, 4, 5] && person.others.map(\.id) == [2, 4])
    try store.write { person.others[0] = Address(6) }
    #expect(addresses == [4, 5, 6] && person.others.map(\.id) == [6, 4])
    try store.write { company.office = Address(7) }
    #expect(addresses == [4, 6, 7])
    try store.write { person.others.removeAll() }
    #expect(addresses == [7] && company.office?.id == 7)
    try store.write { store.delete(company) }
    #expect(addresses.isEmpty)
    #expect(sqlite3(file.path, "PRAGMA foreign_key_check") == "")
  }

  @Test(
    "With the owner go its parts and theirs, whichever program deletes it", arguments: ["store", "ON", "OFF"])
  func ownerDeleted(by writer: String) throws {
    try fill()
    if writer == "store" {
      try store.write { store.delete(person) }
    } else {
      sqlite3(file.path, "PRAGMA foreign_keys = \(writer); DELETE FROM Person")
      try store.refresh()
    }
    #expect(addresses == [5] && phones.isEmpty)
    #expect(sqlite3(file.path, "SELECT * FROM Person_others; PRAGMA foreign_key_check") == "")
  }

  @Test("A cancelled removal brings the parts back")
  func cancelled() throws {
    try fill()
    try store.beginWrite()
    person.home = nil
    person.others.removeAll()
    #expect(addresses == [5] && phones.isEmpty)
    store.cancelWrite()
    #expect(addresses == [1, 2, 3, 4, 5] && phones == [10, 11] && person.home?.phones.count == 2)
  }

  @Test("Moving, sorting and reversing a list removes nothing from it")
  func moving() throws {
    try fill()
    try store.write {
      person.others.move(from: 0, to: 2)
      person.others.swapAt(0, 1)
      person.others.reverse()
      person.others.sort { $0.id > $1.id }
    }
    #expect(person.others.map(\.id) == [4, 3, 2] && addresses == [1, 2, 3, 4, 5])
    try store.write {
      person.others[0..<2].reverse()
      person.others[1...].sort { $0.id < $1.id }
      person.others[0...1].swapAt(0, 1)
    }
    #expect(person.others.map(\.id) == [2, 3, 4] && addresses == [1, 2, 3, 4, 5])
    try store.write { person.others[1...].removeFirst() }
    #expect(person.others.map(\.id) == [2, 4] && addresses == [1, 2, 4, 5])
  }

  @Test("An object has one parent: leading to it from elsewhere is refused, and changes nothing")
  func oneParent() throws {
    try fill()
    let sentence =
      "“\(file.path)” refuses what was to be written: each Address has one place, and this one is in another "
      + "already."
    let attempts: [() -> Void] = [
      { [company, person] in company.office = person.home },
      { [person] in person.home = person.others[0] },
      { [person] in person.others.append(person.others[0]) },
      { [person] in person.others[1] = person.others[0] },
      { [person, company] in person.others.insert(company.office!, at: 0) },
    ]
    for attempt in attempts {
      let error = #expect(throws: StoreError.self) { try store.write { attempt() } }
      #expect(error?.description == sentence)
      #expect(addresses == [1, 2, 3, 4, 5] && person.others.map(\.id) == [2, 3, 4])
      #expect(person.home?.id == 1 && company.office?.id == 5)
    }
    shell("! sqlite3 \(file.path) 'UPDATE Company SET office = 1' 2> /dev/null")
    #expect(company.office?.id == 5)
  }

  @Test("What is written down of OR REPLACE, of unique parts and of migrations is so")
  func limits() throws {
    try fill()
    sqlite3(file.path, "INSERT OR REPLACE INTO Company (id) VALUES (0)")
    try store.refresh()
    #expect(company.office == nil && addresses == [1, 2, 3, 4, 5], "it stays without an owner")
    sqlite3(
      file.path, "PRAGMA recursive_triggers = ON; INSERT OR REPLACE INTO Person (id, home) VALUES (0, 1)")
    try store.refresh()
    #expect(!addresses.contains(1), "deleted although the new row leads to it")

    let other = TestFile()
    let stored = try TestStore(other.path, types: [Cup.self, Handle.self], keeping: other).store
    let cup = Cup()
    try stored.write {
      cup.handle = Handle("left")
      stored.add(cup)
    }
    #expect(throws: StoreError.self) { try stored.write { cup.handle = Handle("left") } }
    try stored.write {
      cup.handle = nil
      cup.handle = Handle("left")
    }
    #expect(stored.objects(Handle.self).count == 1)
    stored.close()
    var configuration = Store.Configuration(
      path: other.path, schemaVersion: 2, objectTypes: [Cup.self, Handle.self])
    configuration.migration = { migration, _ in
      try migration.enumerateObjects(ofType: "Cup") { _, new in if let new { try migration.delete(new) } }
    }
    let migrated = try Store(configuration, scheduler: .fileDescriptor(NotificationSource()))
    #expect(migrated.objects(Cup.self).isEmpty && migrated.objects(Handle.self).count == 1)
  }

  @Test("After a write that was refused, and while elements leave them, collections can be gone through")
  func walking() throws {
    try fill()
    #expect(throws: StoreError.self) {
      try store.write {
        person.others.append(person.others[0])
        let list = person.others
        #expect(list.index(after: 0) == 1 && list.index(list.startIndex, offsetBy: 2) == 2)
        #expect(Array(list.lazy.filter { $0.id > 0 }.prefix(2)).isEmpty && list.prefix(2).isEmpty)
        while let last = list.popLast() { Issue.record("\(last.id) is there") }
      }
    }
    let some = try store.objects(Address.self).filter(#Predicate { $0.id > 1 })
    try store.write {
      var index = some.startIndex
      while index < some.endIndex {
        store.delete(some[index])
        index = some.index(after: index)
      }
    }
    #expect(addresses == [1, 3, 5])
  }

  @Test("A file whose objects are in two places is opened; what leaves one of them stays in the other")
  func olderFile() throws {
    try fill()
    store.close()
    sqlite3(
      file.path,
      """
      DROP TRIGGER "_livestore_Company_own_office.update"; UPDATE Company SET office = 1;
      DELETE FROM Address WHERE id = 5
      """)
    let again = try TestStore(file.path, types: Registry.types, keeping: file).store
    try again.write { again.objects(Registry.Company.self)[0].office = nil }
    #expect(again.objects(Address.self).map(\.id) == [1, 2, 3, 4])
    try again.write { again.objects(Registry.Person.self)[0].home = nil }
    #expect(again.objects(Address.self).map(\.id) == [2, 3, 4])
  }

  @Test("Random writes, of the store and of sqlite3, leave the parts that a model has")
  func random() throws {
    try withSeededGenerator { random in
      var (home, others, office): (Int?, [Int], Int?) = (nil, [], nil)
      var next = 1
      let seen = test.observe(store.objects(Address.self))
      func new() -> Int {
        next += 1
        return next
      }
      /// SQL of another program, which may follow foreign keys or not.
      func foreign(_ sql: String) throws {
        let keys = Bool.random(using: &random) ? "ON" : "OFF"
        sqlite3(file.path, "PRAGMA foreign_keys = \(keys); BEGIN; \(sql); COMMIT")
        try store.refresh()
      }
      for _ in 0..<randomSteps(usually: 150) {
        let before = (home, others, office)
        let isCancelled = Int.random(in: 0..<6, using: &random) == 0
        let index = others.indices.randomElement(using: &random)
        switch Int.random(in: 0..<13, using: &random) {
        case 0, 1, 2:
          let id = new()
          let place = Int.random(in: 0...others.count, using: &random)
          try store.beginWrite()
          person.others.insert(Address(id), at: place)
          others.insert(id, at: place)
        case 3:
          home = new()
          try store.beginWrite()
          person.home = home.map { Address($0) }
        case 4:
          office = Bool.random(using: &random) ? new() : nil
          try store.beginWrite()
          company.office = office.map { Address($0) }
        case 5 where index != nil:
          try store.beginWrite()
          person.others.remove(at: index!)
          others.remove(at: index!)
        case 6 where index != nil:
          others[index!] = new()
          try store.beginWrite()
          person.others[index!] = Address(others[index!])
        case 7:
          // The elements that stay move, at most one goes, and a new one comes.
          let kept = others.shuffled(using: &random).dropLast(Int.random(in: 0...1, using: &random))
          others = kept + [new()]
          try store.beginWrite()
          let known = Dictionary(uniqueKeysWithValues: person.others.map { ($0.id, $0) })
          person.others.replaceSubrange(
            0..<person.others.count, with: others.map { known[$0] ?? Address($0) })
        case 8 where index != nil:
          let id = others.remove(at: index!)
          try store.beginWrite()
          store.delete(try #require(store.object(ofType: Address.self, forPrimaryKey: id)))
        case 9 where home != nil && office != nil:
          #expect(throws: StoreError.self) { try store.write { company.office = person.home } }
        case 10 where index != nil:
          try foreign("DELETE FROM Person_others WHERE target = \(others.remove(at: index!))")
        case 11:
          (home, office) = (nil, nil)
          try foreign("UPDATE Person SET home = NULL; UPDATE Company SET office = NULL")
        default:
          try foreign("UPDATE Address SET id = id")
        }
        if store.isInWriteTransaction {
          if isCancelled {
            store.cancelWrite()
            (home, others, office) = before
          } else {
            try store.commitWrite()
          }
        }
        try store.refresh()
        try #require(person.others.map(\.id) == others && person.home?.id == home)
        try #require(company.office?.id == office)
        let all = (others + [home, office].compactMap(\.self)).sorted()
        try #require(addresses == all && seen.rows == all.map { "\($0)" })
      }
      #expect(sqlite3(file.path, "PRAGMA foreign_key_check; PRAGMA integrity_check") == "ok\n")
    }
  }
}
