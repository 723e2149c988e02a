import FoundationEssentials
import Testing

@testable import LiveStore

@Suite("Aggregates")
struct AggregateTests {
  private let test: TestStore

  init() throws {
    test = try TestFile().openLibrary()
    try test.write { store in
      let author = LibraryAuthor(id: 1)
      store.add(author)
      for (id, pages) in [(1, 300), (2, 100), (3, 100), (4, 200)] {
        let book = LibraryBook(id: id, pages: pages)
        book.price = id == 4 ? nil : Double(id) / 2
        author.books.append(book)
      }
    }
  }

  @Test("Over a class, filtered results, a list with an element that stands twice")
  func kinds() throws {
    #expect(test.books.min(of: \.pages) == 100)
    #expect(test.books.max(of: \.pages) == 300)
    #expect(test.books.sum(of: \.pages) == 700)
    #expect(test.books.average(of: \.pages) == 175)
    #expect(try test.books.filter(#Predicate { $0.pages < 200 }).sum(of: \.pages) == 200)
    let list = try #require(test.existing(LibraryAuthor.self, 1)).books
    try test.write { store in
      list.append(try #require(test.existing(LibraryBook.self, 1)))
      #expect(list.sum(of: \.pages) == 1000)
    }
    #expect(list.sum(of: \.pages) == 1000)
    #expect(test.books.sum(of: \.pages) == 700)
  }

  @Test(
    "A value that is missing does not count; without any there is no smallest, greatest or mean, and the sum is zero"
  )
  func missing() throws {
    #expect(test.books.average(of: \.price) == 1)
    #expect(test.books.sum(of: \.price) == 3)
    #expect(test.books.min(of: \.price) == 0.5)
    let none = try test.books.filter(#Predicate { $0.pages > 1000 })
    #expect(none.min(of: \.pages) == nil)
    #expect(none.max(of: \.price) == nil)
    #expect(none.average(of: \.pages) == nil)
    #expect(none.sum(of: \.pages) == 0)
    #expect(test.publishers.max(of: \.founded) == nil)
  }

  @Test("Over links, and over results that are distinct and limited")
  func derived() throws {
    let publisher = LibraryPublisher(id: 1)
    publisher.founded = Date(timeIntervalSince1970: 86_400)
    try test.write { store in
      store.add(publisher)
      test.existing(LibraryBook.self, 2)?.publisher = publisher
    }
    #expect(test.books.max(of: \.publisher?.founded) == publisher.founded)
    let sorted = test.books.sorted(by: \.pages)
    #expect(sorted.distinct(by: [\.pages]).sum(of: \.pages) == 600)
    #expect(sorted.distinct(by: [\.pages]).limit(2).sum(of: \.pages) == 300)
    #expect(sorted.limit(3).sum(of: \.id) == 9)
    #expect(sorted.limit(0).sum(of: \.id) == 0)
  }

  @Test(
    "A sum that no Int can hold is the greatest or the least; one that only overflows on the way is exact")
  func overflow() throws {
    let test = try TestFile().openLibrary()
    func books(_ pages: [Int]) throws -> Results<LibraryBook> {
      try test.write { store in
        store.delete(test.books)
        for (id, pages) in pages.enumerated() { store.add(LibraryBook(id: id, pages: pages)) }
      }
      return test.books
    }
    #expect(try books([.max, .max]).sum(of: \.pages) == .max)
    #expect(test.books.average(of: \.pages) ?? 0 > 1e18)
    #expect(try books([.min, .min, 5]).sum(of: \.pages) == .min)
    #expect(try books([.max, .max, -3, .min, .min, 7]).sum(of: \.pages) == 2)
    #expect(try books([.max, 1, -1]).limit(3).sum(of: \.pages) == .max)
    #expect(try books([.min, -1, 3]).limit(3).sum(of: \.pages) == .min + 2)
    #expect(test.store.failure == nil)
  }
}
