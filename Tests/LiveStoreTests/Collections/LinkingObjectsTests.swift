import FoundationEssentials
import Testing

@testable import LiveStore

final class MisdirectedOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var pet: MisdirectedPet?
}

final class MisdirectedPet: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(originProperty: "pets") var owners: LinkingObjects<MisdirectedOwner>
}

@Suite("J. Linking objects")
struct LinkingObjectsTests {
  private let file = TestFile()
  private let test: TestStore

  /// Authors 1 to 6, all with book 1 in their lists and of publisher 1.
  init() throws {
    test = try file.openLibrary()
    try test.write { store in
      let (book, publisher) = (LibraryBook(id: 1), LibraryPublisher(id: 1))
      for id in (1...6).reversed() {
        let author = LibraryAuthor(id: id, name: "n\(7 - id)")
        author.publisher = publisher
        store.add(author)
        author.books.append(book)
      }
    }
  }

  private func author(_ id: Int) throws -> LibraryAuthor {
    try #require(test.existing(LibraryAuthor.self, id))
  }
  private var book: LibraryBook { get throws { try #require(test.existing(LibraryBook.self, 1)) } }
  private var publisher: LibraryPublisher {
    get throws { try #require(test.existing(LibraryPublisher.self, 1)) }
  }

  private func changes(
    of linking: LinkingObjects<LibraryAuthor>, after body: (Store) throws -> Void
  ) throws -> [ChangeSet] {
    var sets: [ChangeSet] = []
    var calls = 0
    let token = linking.observe { change in
      calls += 1
      switch change {
      case .initial: #expect(calls == 1)
      case .update(let linking, let changes):
        sets.append(changes)
        #expect(linking.map(\.id) == linking.map(\.id).sorted())
      case .error(let error): Issue.record("\(error)")
      }
    }
    try test.store.refresh()
    #expect(calls == 1)
    try test.write(body)
    try test.store.refresh()
    token.invalidate()
    return sets
  }

  @Test("L12: linking objects are ordered by primary key, over links and over lists")
  func order() throws {
    #expect(try book.authors.map(\.id) == [1, 2, 3, 4, 5, 6])
    #expect(try publisher.authors.map(\.id) == [1, 2, 3, 4, 5, 6])
    #expect(try book.authors.index(of: author(3)) == 2)
    #expect(try book.authors.first?.id == 1)
    #expect(try book.authors.sorted(by: \.name).map(\.id) == [6, 5, 4, 3, 2, 1])
    #expect(try book.authors.filter(#Predicate { $0.id > 4 }).map(\.id) == [5, 6])
    #expect(try book.authors.max(of: \.id) == 6)
  }

  @Test("R122 (differs, L12): removing one of six entries is one deletion")
  func unlink() throws {
    #expect(try changes(of: book.authors) { _ in try author(3).books.removeAll() } == [ChangeSet(del: [2])])
    #expect(
      try changes(of: publisher.authors) { _ in try author(3).publisher = nil } == [ChangeSet(del: [2])])
  }

  @Test("R123 (differs, L2): an owner that links twice stands once; the second link modifies it")
  func twice() throws {
    #expect(
      try changes(of: book.authors) { _ in try author(2).books.append(book) } == [ChangeSet(mod: [1])])
    #expect(try book.authors.count == 6)
    #expect(try changes(of: book.authors) { _ in try author(2).books.remove(at: 0) } == [ChangeSet(mod: [1])])
    #expect(try changes(of: book.authors) { _ in try author(2).books.remove(at: 0) } == [ChangeSet(del: [1])])
  }

  @Test("Owners that come, change and go, by whomever")
  func foreign() throws {
    #expect(try changes(of: publisher.authors) { _ in try author(5).name = "other" } == [ChangeSet(mod: [4])])
    let observation = test.observe(try publisher.authors.filter(#Predicate { $0.id > 0 }))
    sqlite3(
      file.path,
      "INSERT INTO LibraryAuthor (id, publisher) VALUES (0, 1), (7, 1); DELETE FROM LibraryAuthor WHERE id "
        + "= 1"
    )
    #expect(test.turns { observation.changes.count > 0 })
    try test.store.refresh()
    #expect(observation.rows == ["2", "3", "4", "5", "6", "7"])
  }

  @Test("Within a write, and when the object that is linked to goes")
  func inWrite() throws {
    let linking = try publisher.authors
    #expect(linking.count == 6)
    try test.write { store in
      try author(1).publisher = nil
      #expect(linking.map(\.id) == [2, 3, 4, 5, 6])
      store.delete(try publisher)
      #expect(linking.isEmpty)
    }
    #expect(linking.count == 0)
  }

  @Test("R35: backlinks are followed neither by default nor by a wildcard, only where a key path names them")
  func notFollowed() throws {
    var counts = [0, 0, 0]
    let books = test.books
    let tokens = [nil, ["*"], ["authors.name"]].enumerated().map { index, keyPaths in
      books.observe(keyPaths: keyPaths) { change in
        if case .update(_, let changes) = change, !changes.modifications.isEmpty { counts[index] += 1 }
      }
    }
    var objectCalls = 0
    let objectToken = try book.observe { _ in objectCalls += 1 }
    try test.store.refresh()
    try test.write { _ in try author(1).name = "other" }
    try test.store.refresh()
    #expect(counts == [0, 0, 1])
    try test.write { _ in try author(1).books.removeAll() }
    try test.store.refresh()
    #expect(counts == [0, 0, 2])
    #expect(objectCalls == 0)
    withExtendedLifetime((tokens, objectToken)) {}
  }

  @Test("An object that belongs to no store has no linking objects")
  func unmanaged() {
    #expect(LibraryBook(id: 9).authors.isEmpty)
    #expect(LibraryBook(id: 9).authors.first == nil)
  }

  @Test("An origin property that does not lead here is an error of the schema")
  func misdirected() {
    let error = #expect(throws: StoreError.self) {
      _ = try TestStore(file.path + "2", types: [MisdirectedOwner.self, MisdirectedPet.self])
    }
    #expect(error?.code == .schema)
    #expect(error?.description.contains("pets") == true)
  }
}
