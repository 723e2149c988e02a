import FoundationEssentials
import LiveStore
import TestSupport

/// Changes people and their dogs at random, as a program that uses LiveStore would.
public struct RandomWriter {
  private var random: SeededGenerator
  private let people = 40

  public init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  public mutating func int(_ range: Range<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  /// Makes a few changes; to be called in a write transaction.
  public mutating func change(_ store: Store) {
    for _ in 0..<int(1..<6) { step(store) }
  }

  private mutating func person(_ store: Store) -> Person? {
    let people = store.objects(Person.self)
    let count = people.count
    return count == 0 ? nil : people[int(0..<count)]
  }

  private mutating func step(_ store: Store) {
    switch int(0..<20) {
    case 0..<4:
      let id = int(0..<people)
      guard store.object(ofType: Person.self, forPrimaryKey: id) == nil else { return }
      store.add(Person(id: id, name: "n\(int(0..<10))", age: int(0..<100)))
    case 4:
      if let person = person(store) { store.delete(person) }
    case 5..<9:
      person(store)?.age = int(0..<100)
    case 9:
      person(store)?.name = "n\(int(0..<10))"
    case 10:
      if let person = person(store) { person.age = person.age }
    case 11:
      if let person = person(store) {
        let age = person.age
        person.age = age + 1
        person.age = age
      }
    case 12:
      let friend = person(store)
      person(store)?.friend = int(0..<3) == 0 ? nil : friend
    case 13:
      let dogs = store.objects(Dog.self)
      if dogs.count > 0 { dogs[int(0..<dogs.count)].name = "d\(int(0..<10))" }
    case 14:
      let dogs = store.objects(Dog.self)
      if dogs.count > 12 { store.delete(dogs[int(0..<dogs.count)]) }
    default:
      changeList(store)
    }
  }

  /// The person whose list the observers look at exists most of the time.
  private mutating func changeList(_ store: Store) {
    guard let owner = store.object(ofType: Person.self, forPrimaryKey: 1) else {
      store.add(Person(id: 1, name: "owner", age: 50))
      return
    }
    let dogs = owner.dogs
    let count = dogs.count
    switch int(0..<10) {
    case 0..<2: dogs.append(Dog("d\(int(0..<10))"))
    case 2: dogs.insert(Dog("d\(int(0..<10))"), at: int(0..<count + 1))
    case 3 where count > 6: dogs.remove(at: int(0..<count))
    case 4..<7 where count > 1: dogs.move(from: int(0..<count), to: int(0..<count))
    case 7 where count > 1: dogs.swapAt(int(0..<count), int(0..<count))
    case 8 where count > 0:
      let known = dogs[int(0..<count)]
      if int(0..<2) == 0 { dogs[int(0..<count)] = known } else { dogs.append(known) }
    case 9 where int(0..<10) == 0: dogs.removeAll()
    default: if count > 0 { dogs[int(0..<count)].name = "d\(int(0..<10))" }
    }
  }

  /// A change as a program makes it that knows nothing of LiveStore.
  public mutating func sql() -> String {
    let id = int(0..<people)
    return switch int(0..<9) {
    case 0: "UPDATE Person SET age = age + 1 WHERE id % 7 = \(int(0..<7));"
    case 1:
      "INSERT OR REPLACE INTO Person (id, name, age) VALUES (\(id), 'r\(int(0..<10))', \(int(0..<100)));"
    case 2: "DELETE FROM Person WHERE id = \(id);"
    case 3: "UPDATE OR IGNORE Person SET id = \(int(0..<people)) WHERE id = \(id);"
    case 4: "DELETE FROM Dog WHERE name = 'd\(int(0..<10))';"
    case 5: "INSERT INTO Dog (name) VALUES ('d\(int(0..<10))');"
    case 6:
      "INSERT INTO Person_dogs (owner, target) SELECT 1, id FROM Dog "
        + "WHERE EXISTS (SELECT 1 FROM Person WHERE id = 1) ORDER BY random() LIMIT 2;"
    case 7: "SAVEPOINT s; UPDATE Person SET name = 'rolled back'; ROLLBACK TO s; RELEASE s;"
    default:
      "UPDATE Person_dogs SET position = '' || abs(random() % 1000) || 'V' WHERE abs(random()) % 5 = 0;"
    }
  }
}
