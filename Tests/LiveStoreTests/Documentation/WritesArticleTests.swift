import Testing

@testable import LiveStore

@Suite("InterfaceDrivenWrites.md")
struct WritesArticleTests {
  private let library: Library
  private let test: TestStore
  private var store: Store { test.store }

  init() throws {
    library = try Library()
    test = try library.open()
  }

  private struct Refusal: Error {}

  /// A view of all books that counts the calls after the first.
  private final class View {
    var titles: [String] = []
    var changes: [ChangeSet] = []
    private(set) var token: NotificationToken?

    init(_ books: Results<Book>) {
      token = books.observe { [unowned self] change in
        if case .update(_, let change) = change { changes.append(change) }
        titles = books.map(\.title)
      }
    }

    deinit { token?.invalidate() }
  }

  @Test("A view is not told of what it shows already; the others are")
  func skipping() throws {
    let books = store.objects(Book.self)
    let (view, other) = (View(books), View(books))
    try store.refresh()
    let token = try #require(view.token)
    var titles = view.titles
    try store.write(withoutNotifying: [token]) {
      store.delete(books[1])
    }
    titles.remove(at: 1)
    try store.refresh()
    #expect(view.changes.isEmpty && titles == books.map(\.title))
    #expect(other.changes == [ChangeSet(deletions: [1])])
  }

  @Test("The object that was meant is found where it is when the write begins")
  func meant() throws {
    let books = store.objects(Book.self)
    let view = View(books)
    try store.refresh()
    let token = try #require(view.token)
    var titles: [String] {
      get { view.titles }
      set { view.titles = newValue }
    }
    sqlite3(library.file.path, "INSERT INTO Book (id, title) VALUES (0, 'New')")
    let meant = books[0]
    try store.write(withoutNotifying: [token]) {
      guard !meant.isInvalidated, let index = books.index(of: meant) else { return }
      store.delete(meant)
      titles.remove(at: index)
    }
    try store.refresh()
    #expect(view.changes == [ChangeSet(insertions: [0])])
    #expect(titles == ["New", "Momo", "Zettel"] && titles == books.map(\.title))
  }

  @Test("A write that fails silences nobody")
  func failing() throws {
    let books = store.objects(Book.self)
    let view = View(books)
    try store.refresh()
    let token = try #require(view.token)
    var titles = view.titles
    do {
      try store.write(withoutNotifying: [token]) {
        store.delete(books[0])
        titles.remove(at: 0)
        throw Refusal()
      }
    } catch is Refusal {
      titles = books.map(\.title)
    }
    #expect(titles == ["Atlas", "Momo", "Zettel"])
    try store.write { store.delete(books[0]) }
    try store.refresh()
    #expect(view.changes == [ChangeSet(deletions: [0])])
  }

  @Test("A callback may write")
  func writing() throws {
    let books = store.objects(Book.self)
    let token = books.observe { change in
      guard case .update(let books, let changes) = change else { return }
      let untitled = changes.insertions.map { books[$0] }.filter { $0.title.isEmpty }
      guard !untitled.isEmpty else { return }
      do {
        try store.write { for book in untitled { book.title = "Untitled" } }
      } catch {
        print(error)
      }
    }
    try store.refresh()
    sqlite3(library.file.path, "INSERT INTO Book (id) VALUES (9)")
    #expect(test.turns { store.book(9).title == "Untitled" })
    token.invalidate()
  }
}
