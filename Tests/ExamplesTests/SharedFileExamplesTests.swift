import ExampleProcesses
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The examples of several programs on one file", .serialized)
struct SharedFileExamplesTests {
  private let folder = TemporaryFolder()

  @Test("Two persons chat: each sees the other's messages, unread counts and what a search finds")
  func chat() throws {
    let ann = try ExampleProcess("Chat", folder("chat.db"), "ann")
    #expect(try ann.line() == "hello, ann")
    let bo = try ExampleProcess("Chat", folder("chat.db"), "bo")
    #expect(try bo.line() == "hello, bo")
    ann.type("hello?")
    #expect(try ann.line() == "/open a room first")
    ann.type("/open lobby")
    ann.type("Shall we use Swift?")
    #expect(try ann.line() == "ann: Shall we use Swift?")
    #expect(try bo.line() == "* lobby: 1 unread")
    ann.type("Or C")
    #expect(try ann.line() == "ann: Or C")
    #expect(try bo.line() == "* lobby: 2 unread")
    bo.type("/find swi")
    #expect(try bo.line() == "found in lobby: Shall we use [Swift]?")
    bo.type("/open lobby")
    #expect(try bo.lines(2) == ["ann: Shall we use Swift?", "ann: Or C"])
    bo.type("Swift")
    #expect(try bo.line() == "bo: Swift")
    #expect(try ann.line() == "bo: Swift")
    // A program that knows nothing of the index writes, and what it has written is found.
    try folder.sqlite3("chat.db", "INSERT INTO Message (room, author, text) VALUES ('lobby', 'cy', 'zebra')")
    #expect(try [bo.line(), ann.line()] == ["cy: zebra", "cy: zebra"])
    ann.type("/find zebra")
    #expect(try ann.line() == "found in lobby: [zebra]")
    ann.type("/find nothing like it")
    #expect(try ann.line() == "found nothing")
  }

  @Test("A second program shows how far an import is, and one that was killed goes on")
  func importer() throws {
    try folder.write((0..<200).map { "Book \($0)" }.joined(separator: "\n"), to: "titles.txt")
    let watcher = try ExampleProcess("Importer", "watch", folder("books.db"))
    #expect(try watcher.line() == "watching")
    let importer = try ExampleProcess(
      "Importer", "import", folder("titles.txt"), folder("books.db"))
    #expect(try importer.line() == "imported 200 books")
    // Each line is of one version, in which as many books are there as it says.
    var shown: [Int] = []
    while let line = try watcher.line() {
      let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
      try #require(numbers.count == 2)
      #expect(numbers[1] == numbers[0] * 2, "\(line)")
      shown.append(numbers[0])
    }
    #expect(shown == shown.sorted() && shown.last == 100 && watcher.waitForEnd() == 0)
    try folder.sqlite3("books.db", "DELETE FROM Book WHERE id >= 100; UPDATE BookImport SET done = 100")
    let again = try ExampleProcess("Importer", "import", folder("titles.txt"), folder("books.db"))
    #expect(try again.line() == "imported 200 books")
  }
}
