import Testing

@testable import LiveStore

private class Animal: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var parent: Animal?
}

private final class Puppy: Animal {
  @Persisted var age = 0
}

private class Named: Object {
  var label: String { "\(type(of: self))" }
}

private final class Badge: Named {
  @Persisted(primaryKey: true) var id = 0
}

@Suite("Subclasses of a class with persisted properties")
struct SubclassTests {
  @Test(
    "A class that inherits persisted properties is refused when a store is opened, with what to do instead")
  func inherited() throws {
    for types in [[Animal.self, Puppy.self], [Puppy.self]] {
      let file = TestFile()
      let error = #expect(throws: StoreError.self) { try TestStore(file.path, types: types) }
      #expect(error?.code == .schema)
      #expect(error?.description.contains("Puppy inherits the persisted properties of Animal") == true)
    }
  }

  @Test("A class may inherit what is not persisted, and a class of which another inherits is stored as any")
  func others() throws {
    let file = TestFile()
    let badges = try TestStore(file.path, types: [Badge.self])
    try badges.store.write { badges.store.add(Badge()) }
    #expect(badges.store.objects(Badge.self).first?.label == "Badge")
    let animals = TestFile()
    #expect(try TestStore(animals.path, types: [Animal.self]).store.isEmpty)
  }
}
