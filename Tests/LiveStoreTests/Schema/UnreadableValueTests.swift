import FoundationEssentials
import Testing

@testable import LiveStore

private enum Colour: String, PersistableEnum {
  case red, green
}

private final class Thing: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var colour = Colour.green
  @Persisted var badge = UUID()
  @Persisted var fixed = UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF")!
  @Persisted var made = Date()
  @Persisted var born = Date(timeIntervalSince1970: 0)
  @Persisted var maybe: UUID?
}

@Suite("Values of other programs that have no reading")
struct UnreadableValueTests {
  @Test("They read as the declared default, the same at each read, in every object and store")
  func defaults() throws {
    let file = TestFile()
    let test = try TestStore(file.path, types: [Thing.self])
    sqlite3(
      file.path,
      """
      INSERT INTO Thing (id, colour, badge, fixed, made, born, maybe) VALUES
      (1, 'blue', 'one', 'x', 'y', 'z', 'none'), (2, 'blue', 'two', 'x', 'y', 'z', NULL),
      (3, 'blue', 'one', 'x', 'y', 'z', NULL)
      """)
    try test.store.refresh()
    let things = Array(test.store.objects(Thing.self))
    let thing = things[0]
    #expect(thing.colour == .green && thing.born == Date(timeIntervalSince1970: 0) && thing.maybe == nil)
    #expect(thing.fixed.uuidString == "01234567-89AB-CDEF-0123-456789ABCDEF")
    let (badge, made) = (thing.badge, thing.made)
    #expect(thing.badge == badge && thing.made == made)
    #expect(things[1].badge != badge && things[2].badge == badge && things[1].made == made)
    test.store.forgetAllRows()
    #expect(thing.badge == badge && thing.made == made)
    let other = try #require(TestStore(file.path, types: [Thing.self]).store.objects(Thing.self).first)
    #expect(other.badge == badge && other.made == made)
    // The text itself says which, so that every program reads the same.
    #expect(badge == UUID(standingFor: .text("one")))
    #expect(badge.uuidString.dropFirst(14).first == "8")
    let sections = test.store.objects(Thing.self).sectioned(by: \.badge)
    #expect(sections.count == 2 && Set(sections.allKeys) == Set(things.map(\.badge)))
    #expect(test.store.objects(Thing.self).sectioned(by: \.colour).allKeys == [.green])
    try test.store.write { thing.colour = .green }
    #expect(sqlite3(file.path, "SELECT colour FROM Thing WHERE id = 1") == "green\n")
  }
}
