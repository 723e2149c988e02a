import FoundationEssentials

@testable import LiveStore

/// Ordered otherwise than its raw values are.
enum LibraryGenre: String, PersistableEnum, Comparable, Codable {
  case poem, essay, novel

  static func < (left: LibraryGenre, right: LibraryGenre) -> Bool { left.length < right.length }

  private var length: Int {
    switch self {
    case .poem: 0
    case .essay: 1
    case .novel: 2
    }
  }
}

final class LibraryAuthor: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var alias: String?
  @Persisted var born = 1900
  @Persisted var publisher: LibraryPublisher?
  @Persisted var mentor: LibraryAuthor?
  @Persisted var books: List<LibraryBook>
  @Persisted(originProperty: "mentor") var pupils: LinkingObjects<LibraryAuthor>

  convenience init(id: Int, name: String = "", born: Int = 1900) {
    self.init()
    (self.id, self.name, self.born) = (id, name, born)
  }
}

final class LibraryBook: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var pages = 0
  @Persisted var price: Double?
  @Persisted var genre = LibraryGenre.novel
  @Persisted var publisher: LibraryPublisher?
  @Persisted(originProperty: "books") var authors: LinkingObjects<LibraryAuthor>

  convenience init(id: Int, title: String = "", pages: Int = 0) {
    self.init()
    (self.id, self.title, self.pages) = (id, title, pages)
  }
}

final class LibraryPublisher: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var founded: Date?
  @Persisted var isOpen = true
  @Persisted var catalogue: List<LibraryBook>
  @Persisted(originProperty: "publisher") var authors: LinkingObjects<LibraryAuthor>

  convenience init(id: Int, name: String = "") {
    self.init()
    (self.id, self.name) = (id, name)
  }
}

extension TestFile {
  /// A store of authors, books and publishers on the file.
  func openLibrary() throws -> TestStore {
    try TestStore(
      path, types: [LibraryAuthor.self, LibraryBook.self, LibraryPublisher.self], keeping: self)
  }
}

extension TestStore {
  var authors: Results<LibraryAuthor> { store.objects(LibraryAuthor.self) }
  var books: Results<LibraryBook> { store.objects(LibraryBook.self) }
  var publishers: Results<LibraryPublisher> { store.objects(LibraryPublisher.self) }

  func existing<Element: Object>(_ type: Element.Type, _ id: Int) -> Element? {
    store.object(ofType: type, forPrimaryKey: id)
  }
}
