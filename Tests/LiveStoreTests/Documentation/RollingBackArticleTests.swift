import Testing

@testable import LiveStore

@Suite("RollingBack.md")
struct RollingBackArticleTests {
  private let library: Library
  private let test: TestStore
  private var store: Store { test.store }

  init() throws {
    library = try Library()
    test = try library.open()
  }

  @Test("An object whose write is cancelled belongs to no store, and has its values from before")
  func cancelled() throws {
    var lines: [String] = []
    func print(_ items: Any...) { lines.append(items.map { "\($0)" }.joined(separator: " ")) }

    struct TooMany: Error {}

    let momo = Book()
    momo.id = 4
    momo.title = "Momo"
    do {
      try store.write {
        store.add(momo)
        momo.title = "Beppo"
        if store.objects(Book.self).count > 3 { throw TooMany() }
      }
    } catch is TooMany {
      // The object belongs to no store again, and has the values from before the write.
      print(momo.store == nil, momo.title)
    }
    #expect(lines == ["true Momo"])
  }

  @Test("What cannot be stored makes the whole write throw at its end")
  func refused() throws {
    var lines: [String] = []
    func print(_ items: Any...) { lines.append(items.map { "\($0)" }.joined(separator: " ")) }

    let again = Book()
    again.id = 1
    do {
      try store.write { store.add(again) }
    } catch {
      // There is a Book with the primary key 1 already.
      print(error, again.store == nil)
    }
    #expect(lines.count == 1 && lines.first?.hasSuffix("true") == true)
    #expect(lines.first?.contains("Book") == true && lines.first?.contains("1") == true)
  }

  @Test("An object that the write created is gone, one that it deleted is there again")
  func created() throws {
    struct Refusal: Error {}
    var created: Book?
    let deleted = store.book(1)
    #expect(throws: Refusal.self) {
      try store.write {
        created = try store.create(Book.self, value: ["id": 9])
        store.delete(deleted)
        throw Refusal()
      }
    }
    #expect(created?.isInvalidated == true)
    #expect(!deleted.isInvalidated && store.object(ofType: Book.self, forPrimaryKey: 1) === deleted)
  }
}
