import LiveStoreFixtures
import TestSupport
import Testing

@testable import LiveStore

/// A program that keeps what it has read relies on the number.
@Suite("The generation of reads")
struct ReadGenerationTests {
  private struct Cancelled: Error {}

  @Test("While it is the same, a read returns the same, whatever is written here and elsewhere")
  func random() throws {
    for _ in 0..<20 {
      var random = SeededGenerator()
      let file = TestFile()
      let test = try file.open()
      let store = test.store
      let other = try file.open().store
      let people = store.objects(Person.self)
      let rex = Person(id: 0, name: "Rex")
      try store.write { store.add(rex) }
      func read() -> [String] { [rex.name] + people.map { "\($0.id) \($0.name)" } }
      var (generation, rows) = (store.readGeneration, read())
      for step in 1...60 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: try store.write { rex.name = "n\(step)" }
        case 1: try store.write { store.add(Person(id: step)) }
        case 2:
          #expect(throws: Cancelled.self) {
            try store.write {
              rex.name = "cancelled"
              throw Cancelled()
            }
          }
        case 3:
          try other.refresh()
          try other.write { other.object(ofType: Person.self, forPrimaryKey: 0)?.name = "f\(step)" }
        case 4:
          try other.refresh()
          try other.write { other.add(Person(id: step)) }
        case 5: try store.refresh()
        case 6: store.processNotifications()
        default: store.invalidate()
        }
        let present = read()
        if present != rows { #expect(store.readGeneration != generation, "\(random.comment), step \(step)") }
        (generation, rows) = (store.readGeneration, present)
        // Reading alone does not end it.
        #expect(read() == rows && store.readGeneration == generation, "\(random.comment), step \(step)")
      }
    }
  }

  @Test("It stays the same while nothing is written")
  func rest() throws {
    let file = TestFile()
    try file.addPeople(1...3)
    let store = try file.open().store
    let people = store.objects(Person.self)
    #expect(people.count == 3)
    let generation = store.readGeneration
    #expect(people.map(\.id) == [1, 2, 3])
    try store.refresh()
    #expect(store.readGeneration == generation)
  }
}
