import Foundation
import LiveStore
import LiveStoreFixtures
import LiveStoreFoundation
import Testing

@Suite("Descriptors of Foundation")
struct SortDescriptorTests {
  private let store: Store

  init() throws {
    store = try Store(
      Store.Configuration(
        inMemory: "descriptors \(UUID().uuidString)", objectTypes: [Person.self, Dog.self]),
      scheduler: .fileDescriptor(NotificationSource()))
    try store.write {
      for (id, name) in [(1, "b"), (2, "C"), (3, "a"), (4, "b")] { store.add(Person(id: id, name: name)) }
    }
  }

  @Test("Results are sorted by them as by properties")
  func sorting() throws {
    let people = store.objects(Person.self)
    let byName = SortDescriptor(\Person.name, comparator: .lexical, order: .reverse)
    let byID = SortDescriptor(\Person.id, order: .reverse)
    #expect(try people.sorted(by: [byName, byID]).map(\.id) == [4, 1, 3, 2])
    #expect(try people.sorted(by: [byID]).map(\.id) == [4, 3, 2, 1])
    let sections = people.sectioned(by: { $0.name }, sortedBy: [try SortProperty(byName)])
    #expect(sections.allKeys == ["b", "a", "C"])
  }
}
