import LiveStoreFixtures

@testable import LiveStore

/// A file with a person who has four dogs, and an open store: other programs add triggers to it.
struct DogOwner {
  let file = TestFile()
  let test: TestStore
  let person: Person
  let dogs: [Dog]

  init() throws {
    test = try file.open()
    let (person, dogs) = (Person(id: 1, name: "owner"), (0..<4).map { Dog("d\($0)") })
    try test.store.write { [test] in
      test.store.add(person)
      person.dogs.append(contentsOf: dogs)
    }
    (self.person, self.dogs) = (person, dogs)
  }
}
