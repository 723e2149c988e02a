import FoundationEssentials
import Testing

@testable import LiveStore

@Suite("Queries over links and lists")
struct QueryRuleTests {
  private let file = TestFile()
  private let test: TestStore

  /// Publishers 1 (“A”) and 2 (“B”); authors 1 to 4 of publishers 1, 1, 2 and none; book n, of n hundred
  /// pages, in the list of author n.
  init() throws {
    test = try file.openLibrary()
    try test.write { store in
      let publishers = [LibraryPublisher(id: 1, name: "A"), LibraryPublisher(id: 2, name: "B")]
      for publisher in publishers { store.add(publisher) }
      for id in 1...4 {
        let author = LibraryAuthor(id: id, name: "n\(id)", born: 1900 + id)
        author.publisher = id == 4 ? nil : publishers[id / 3]
        store.add(author)
        author.books.append(LibraryBook(id: id, title: "t\(id)", pages: id * 100))
      }
    }
  }

  private func author(_ id: Int) throws -> LibraryAuthor {
    try #require(test.existing(LibraryAuthor.self, id))
  }
  private func book(_ id: Int) throws -> LibraryBook { try #require(test.existing(LibraryBook.self, id)) }
  private func publisher(_ id: Int) throws -> LibraryPublisher {
    try #require(test.existing(LibraryPublisher.self, id))
  }

  /// The change sets of an observer of some results after a write.
  private func changes<Element: Object>(
    of results: Results<Element>, after body: (Store) throws -> Void
  ) throws -> ChangeSet? {
    let observation = test.observe(results)
    try test.write(body)
    try test.store.refresh()
    #expect(observation.rows == Observation.keys(results))
    #expect(observation.changes.count <= 1)
    return observation.change
  }

  private var ofA: Results<LibraryAuthor> {
    get throws { try test.authors.filter(#Predicate { $0.publisher?.name == "A" }) }
  }

  @Test("R30: a link's target that changes on either side of a filter's border only is not told")
  func staysOut() throws {
    #expect(
      try changes(of: test.authors.filter(#Predicate { $0.books.contains { $0.pages > 300 } })) { _ in
        try book(1).pages = 200
      } == nil)
  }

  @Test("R31: that what a link leads to leaves the filter deletes all that depend on it")
  func leaves() throws {
    #expect(try changes(of: ofA) { _ in try publisher(1).name = "C" } == ChangeSet(del: [0, 1]))
  }

  @Test("R31: leaving is a deletion only, whatever else is edited")
  func leavesEdited() throws {
    #expect(
      try changes(of: ofA) { _ in
        try author(1).name = "edited"
        try author(1).publisher = nil
      } == ChangeSet(del: [0]))
  }

  @Test("R32: that what a link leads to enters the filter inserts all that depend on it")
  func enters() throws {
    #expect(try changes(of: ofA) { _ in try publisher(2).name = "A" } == ChangeSet(ins: [2]))
  }

  @Test("R30–R32: by a foreign program, with INSERT OR REPLACE")
  func foreign() throws {
    let observation = test.observe(try ofA)
    sqlite3(file.path, "INSERT OR REPLACE INTO LibraryPublisher (id, name) VALUES (2, 'A'), (1, 'Z')")
    #expect(test.turns { !observation.changes.isEmpty })
    #expect(observation.rows == ["3"])
  }

  @Test("R31, R37: that a link's target is deleted takes those out of a filter that lead there")
  func targetDeleted() throws {
    #expect(try changes(of: ofA) { try $0.delete(publisher(1)) } == ChangeSet(del: [0, 1]))
  }

  @Test("R32: an object that moves through a list enters and leaves what counts the list")
  func listCount() throws {
    let many = try test.authors.filter(#Predicate { $0.books.count > 1 })
    #expect(
      try changes(of: many) { _ in
        try author(2).books.append(book(1))
      } == ChangeSet(ins: [0]))
    #expect(
      try changes(of: many) { _ in
        try author(2).books.removeAll()
      } == ChangeSet(del: [0]))
  }

  @Test("R33, R34: a predicate over links changes nothing in what counts as a modification")
  func deep() throws {
    #expect(try changes(of: ofA) { _ in try book(1).title = "other" } == ChangeSet(mod: [0]))
    #expect(try changes(of: ofA) { _ in try publisher(1).isOpen = false } == ChangeSet(mod: [0, 1]))
  }

  @Test("L9: with no wish for modifications, what a predicate depends on still moves rows in and out")
  func filtered() throws {
    let results = try ofA
    var sets: [ChangeSet] = []
    let token = results.observe(keyPaths: [String]()) { change in
      if case .update(_, let changes) = change { sets.append(changes) }
    }
    try test.store.refresh()
    try test.write { _ in try publisher(1).isOpen = false }
    try test.store.refresh()
    #expect(sets == [])
    try test.write { _ in try publisher(2).name = "A" }
    try test.store.refresh()
    #expect(sets == [ChangeSet(ins: [2])])
    token.invalidate()
  }

  @Test("R42: a row that a change behind a link moves carries the modification on the move")
  func movedByLink() throws {
    let sorted = try test.authors.filter(#Predicate { $0.publisher != nil }).sorted(by: \.publisher?.name)
    let set = try changes(of: sorted) { _ in try publisher(1).name = "Z" }
    #expect(Observation.keys(sorted) == ["3", "1", "2"])
    #expect(set?.modifications == [])
    #expect(set?.moves.map(\.isModified).contains(false) == false)
  }

  @Test("R43: unsorted results have nothing to move")
  func unsorted() throws {
    let set = try changes(of: test.authors) { _ in
      for id in 1...4 { try author(id).name = "n\(9 - id)" }
    }
    #expect(set == ChangeSet(mod: [0, 1, 2, 3]))
  }

  @Test("R48: equal values of all sort keys leave the order of the primary keys")
  func ties() throws {
    let sorted = test.authors.sorted(by: [
      SortProperty(\.publisher?.name, ascending: false), SortProperty(\.alias),
    ])
    #expect(Observation.keys(sorted) == ["3", "1", "2", "4"])
    #expect(
      try changes(of: sorted) { _ in try author(1).publisher = publisher(2) }
        == ChangeSet(
          del: [1], ins: [0], moves: [ChangeSet.Move(from: 1, to: 0, isModified: true)]))
  }

  @Test("R49: an object that stands in a list several times comes and goes entry by entry")
  func duplicates() throws {
    let list = try author(1).books
    try test.write { _ in for _ in 0..<2 { list.append(try book(1)) } }
    let thin = try list.filter(#Predicate { $0.pages < 500 })
    #expect(try changes(of: thin) { _ in list.append(try book(1)) } == ChangeSet(ins: [3]))
    #expect(try changes(of: thin) { _ in list.remove(at: 1) } == ChangeSet(del: [1]))
    #expect(try changes(of: thin) { _ in try book(1).pages = 900 } == ChangeSet(del: [0, 1, 2]))
  }

  @Test("R50: a limit deletes what is pushed out, inserts what is pulled in, and is silent about the rest")
  func limit() throws {
    let two = test.authors.sorted(by: \.born).limit(2)
    #expect(
      try changes(of: two) { $0.add(LibraryAuthor(id: 9, born: 1800)) } == ChangeSet(del: [1], ins: [0]))
    #expect(two.map(\.id) == [9, 1])
    #expect(try changes(of: two) { $0.delete(try author(9)) } == ChangeSet(del: [0], ins: [1]))
    #expect(try changes(of: two) { _ in try author(4).name = "outside" } == nil)
    #expect(try changes(of: two) { _ in try author(4).born = 1990 } == nil)
    #expect(try changes(of: two) { _ in try author(2).name = "inside" } == ChangeSet(mod: [1]))
    #expect(two.count == 2)
    #expect(two.index(of: try author(4)) == nil)
    #expect(two.limit(5).count == 2)
    #expect(test.authors.limit(0).first == nil)
  }

  @Test("R50: a page follows what comes and goes before it, and on it")
  func page() throws {
    let page = test.authors.sorted(by: \.born).limit(2, from: 1)
    #expect(page.map(\.id) == [2, 3])
    #expect(
      try changes(of: page) { $0.add(LibraryAuthor(id: 9, born: 1800)) } == ChangeSet(del: [1], ins: [0]))
    #expect(page.map(\.id) == [1, 2])
    #expect(page.index(of: try author(9)) == nil)
    #expect(try changes(of: page) { _ in try author(9).name = "before" } == nil)
    #expect(try changes(of: page) { _ in try author(1).name = "on it" } == ChangeSet(mod: [0]))
    #expect(try changes(of: page) { $0.delete(try author(9)) } == ChangeSet(del: [0], ins: [1]))
    #expect(try changes(of: page) { _ in try author(4).name = "behind" } == nil)
    #expect(page.limit(5, from: 1).map(\.id) == [3] && page.limit(1).map(\.id) == [2])
    let last = test.authors.sorted(by: \.born).limit(3, from: 3)
    let born = try author(4).born
    #expect(last.count == 1 && last.last?.id == 4 && last.max(of: \.born) == born)
    for beyond in [7, .max - 1, .max] {
      let page = test.authors.limit(3, from: beyond)
      #expect(
        page.isEmpty && page.first == nil && page.last == nil && page.count == 0 && page.map(\.id) == [])
      #expect(page.limit(2, from: 3).isEmpty && page.limit(2, from: 3).first == nil)
    }
  }

  @Test("R50: a page follows what comes and goes before it by what a link leads to")
  func pageOfLinks() throws {
    let page = try ofA.sorted(by: \.born, ascending: false).limit(1, from: 1)
    #expect(page.map(\.id) == [1])
    #expect(
      try changes(of: page) { _ in try publisher(2).name = "A" } == ChangeSet(del: [0], ins: [0]))
    #expect(page.map(\.id) == [2])
    #expect(
      try changes(of: page) { _ in try publisher(2).name = "B" } == ChangeSet(del: [0], ins: [0]))
    #expect(page.map(\.id) == [1])
  }

  @Test("R51: another first of equal values is a deletion and an insertion; later ones are silent")
  func distinct() throws {
    let one = test.authors.distinct(by: [\.publisher?.name])
    #expect(one.map(\.id) == [1, 3, 4])
    #expect(try changes(of: one) { _ in try author(2).name = "later" } == nil)
    #expect(try changes(of: one) { $0.delete(try author(1)) } == ChangeSet(del: [0], ins: [0]))
    #expect(try changes(of: one) { _ in try author(4).publisher = publisher(1) } == ChangeSet(del: [2]))
    #expect(try changes(of: one) { _ in try publisher(2).name = "A" } == ChangeSet(del: [1]))
    #expect(try changes(of: one) { _ in try author(4).publisher = nil } == ChangeSet(ins: [1]))
  }

  @Test("R51, R50: distinct and limit together, on a list too")
  func distinctLimit() throws {
    let list = try author(1).books
    try test.write { _ in for id in [2, 1, 2, 3] { list.append(try book(id)) } }
    let books = list.distinct(by: [\.pages]).limit(2)
    #expect(books.map(\.id) == [1, 2])
    #expect(try changes(of: books) { _ in try book(2).pages = 100 } == ChangeSet(del: [1], ins: [1]))
    #expect(books.map(\.id) == [1, 3])
  }

  @Test("R52: filters of own properties obey the same rules, also one upon the other")
  func custom() throws {
    let results = try test.authors.filter(#Predicate { $0.born > 1901 }).filter(#Predicate { $0.name < "n4" })
    #expect(results.map(\.id) == [2, 3])
    #expect(try changes(of: results) { _ in try author(4).name = "n0" } == ChangeSet(ins: [2]))
    #expect(try changes(of: results) { _ in try author(2).born = 1900 } == ChangeSet(del: [0]))
    #expect(try changes(of: results) { _ in try author(1).alias = "x" } == nil)
  }

  @Test("What cannot be asked is refused where it is asked, by its name")
  func refused() throws {
    #expect(throws: QueryError.self) { try test.authors.limit(1).filter(#Predicate { $0.born > 1 }) }
    #expect(throws: QueryError.self) {
      try test.authors.distinct(by: [\.born]).filter(#Predicate { $0.born > 1 })
    }
    #expect(throws: QueryError.self) { try test.authors.limit(1).filter(\.name, .contains("x")) }
    let error = #expect(throws: QueryError.self) {
      try test.authors.filter(#Predicate { $0.publisher?.catalogue[0].pages == 1 })
    }
    #expect(error?.expression.contains("catalogue") == true)
  }

  @Test("Limited results cannot be sorted")
  func sortedAfterLimit() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let test = try TestFile().openLibrary()
        _ = test.authors.limit(1).sorted(by: \.name)
      },
      says: "A collection that was limited or made distinct cannot be sorted any more; sort it before that.")
  }

  @Test("Results can be sorted by persisted properties only")
  func sortedByOther() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let test = try TestFile().openLibrary()
        _ = test.authors.distinct(by: [\.books])
      }, says: "LibraryAuthor can be made distinct by its persisted properties")
  }

  @Test("A quotient or remainder by zero, which Swift does not calculate, makes a comparison false")
  func divisionByZero() throws {
    try test.write { $0.add(LibraryBook(id: 9, title: "empty", pages: 0)) }
    let books = test.store.objects(LibraryBook.self)
    let conditions: [Predicate<LibraryBook>] = [
      #Predicate { 100 / $0.pages == 1 }, #Predicate { 100 % $0.pages == 0 },
    ]
    let negated: [Predicate<LibraryBook>] = [
      #Predicate { !(100 / $0.pages == 1) }, #Predicate { !(100 % $0.pages == 0) },
    ]
    for (condition, negated) in zip(conditions, negated) {
      #expect(try books.filter(condition).map(\.id) == [1])
      #expect(try books.filter(negated).map(\.id) == [2, 3, 4, 9])
    }
  }
}
