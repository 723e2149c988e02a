import LiveStoreFixtures

@testable import LiveStore

/// Changes authors, books and publishers at random.
struct RandomLibraryWriter {
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  private mutating func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func any<Element: Object>(_ type: Element.Type, _ store: Store) -> Element? {
    let objects = store.objects(type)
    let count = objects.count
    return count == 0 ? nil : objects[int(0..<count)]
  }

  private mutating func name() -> String {
    ["Zoë", "zoe", "Ángel", "angel", "B", "Straße", "STRASSE", "", "o"][int(0..<9)] + "\(int(0..<3))"
  }

  /// Makes a few changes; to be called in a write transaction.
  mutating func change(_ store: Store) {
    for _ in 0..<int(1..<6) { step(store) }
  }

  /// Makes a few changes in a write transaction of which some subscriptions are not notified.
  mutating func write(_ store: Store, withoutNotifying tokens: [NotificationToken] = []) throws {
    try store.write(withoutNotifying: tokens) { change(store) }
  }

  /// Makes a few changes, and takes them back.
  ///
  /// - Parameter meanwhile: Called while they are there.
  mutating func cancel(_ store: Store, _ meanwhile: () -> Void = {}) throws {
    try store.beginWrite()
    change(store)
    meanwhile()
    store.cancelWrite()
  }

  /// Changes a file as a program that knows nothing of LiveStore does.
  mutating func write(file: TestFile) throws {
    let connection = try Connection(path: file.path, create: false)
    connection.setBusyTimeout(milliseconds: 5_000)
    try connection.execute(sql())
  }

  private mutating func step(_ store: Store) {
    switch int(0..<24) {
    case 0, 1: add(store)
    case 2:
      if let object = any(LibraryAuthor.self, store), int(0..<2) == 0 { store.delete(object) }
      if let object = any(LibraryBook.self, store), int(0..<2) == 0 { store.delete(object) }
      if let object = any(LibraryPublisher.self, store), int(0..<4) == 0 { store.delete(object) }
    case 3..<5: any(LibraryAuthor.self, store)?.name = name()
    case 5: any(LibraryAuthor.self, store)?.born = 1900 + int(0..<5)
    case 6: any(LibraryAuthor.self, store)?.alias = int(0..<2) == 0 ? nil : name()
    case 7..<9:
      let publisher = any(LibraryPublisher.self, store)
      any(LibraryAuthor.self, store)?.publisher = int(0..<3) == 0 ? nil : publisher
    case 9:
      let mentor = any(LibraryAuthor.self, store)
      any(LibraryAuthor.self, store)?.mentor = int(0..<3) == 0 ? nil : mentor
    case 10..<12: any(LibraryBook.self, store)?.pages = int(0..<6) * 100
    case 12: any(LibraryBook.self, store)?.title = name()
    case 13: any(LibraryBook.self, store)?.price = int(0..<3) == 0 ? nil : Double(int(0..<8)) / 2
    case 14: any(LibraryBook.self, store)?.genre = LibraryGenre.allCases[int(0..<3)]
    case 15:
      let publisher = any(LibraryPublisher.self, store)
      any(LibraryBook.self, store)?.publisher = int(0..<3) == 0 ? nil : publisher
    case 16..<18: any(LibraryPublisher.self, store)?.name = name()
    case 18: if let publisher = any(LibraryPublisher.self, store) { publisher.isOpen.toggle() }
    default:
      let book = any(LibraryBook.self, store)
      let list =
        int(0..<3) == 0
        ? any(LibraryPublisher.self, store)?.catalogue : any(LibraryAuthor.self, store)?.books
      if let list { change(list, book) }
    }
  }

  private mutating func add(_ store: Store) {
    let id = int(0..<30)
    if store.object(ofType: LibraryAuthor.self, forPrimaryKey: id) == nil {
      let author = LibraryAuthor(id: id, name: name(), born: 1900 + int(0..<5))
      author.publisher = any(LibraryPublisher.self, store)
      store.add(author)
    }
    if store.object(ofType: LibraryBook.self, forPrimaryKey: id) == nil {
      let book = LibraryBook(id: id, title: name(), pages: int(0..<6) * 100)
      store.add(book)
      any(LibraryAuthor.self, store)?.books.append(book)
    }
    if id < 6, store.object(ofType: LibraryPublisher.self, forPrimaryKey: id) == nil {
      store.add(LibraryPublisher(id: id, name: name()))
    }
  }

  private mutating func change(_ list: List<LibraryBook>, _ book: LibraryBook?) {
    let count = list.count
    switch int(0..<5) {
    case 0, 1: if let book { list.insert(book, at: int(0..<count + 1)) }
    case 2 where count > 0: list.remove(at: int(0..<count))
    case 3 where count > 1: list.move(from: int(0..<count), to: int(0..<count))
    case 4 where count > 0: if let book { list[int(0..<count)] = book }
    default: break
    }
  }

  /// A change as a program makes it that knows nothing of LiveStore.
  mutating func sql() -> String {
    let id = int(0..<30)
    return switch int(0..<10) {
    case 0: "UPDATE LibraryAuthor SET born = born + 1 WHERE id % 3 = \(int(0..<3));"
    case 1:
      "INSERT OR REPLACE INTO LibraryAuthor (id, name, publisher) VALUES (\(id), '\(name())', "
        + "(SELECT min(id) FROM LibraryPublisher));"
    case 2: "INSERT OR REPLACE INTO LibraryPublisher (id, name) VALUES (\(id % 6), '\(name())');"
    case 3: "DELETE FROM LibraryPublisher WHERE id = \(id % 6);"
    case 4: "UPDATE OR IGNORE LibraryPublisher SET id = \(int(0..<6)) WHERE id = \(id % 6);"
    case 5: "UPDATE LibraryBook SET pages = pages + 100, publisher = NULL WHERE id % 5 = \(int(0..<5));"
    case 6:
      "INSERT INTO LibraryAuthor_books (owner, target) SELECT a.id, b.id FROM LibraryAuthor a, LibraryBook b "
        + "ORDER BY random() LIMIT 3;"
    case 7: "DELETE FROM LibraryAuthor_books WHERE target % 4 = \(int(0..<4));"
    case 8 where int(0..<6) == 0: "DELETE FROM LibraryBook;"
    default: "UPDATE LibraryPublisher SET name = '\(name())';"
    }
  }
}
