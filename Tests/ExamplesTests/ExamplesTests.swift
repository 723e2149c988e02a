import ExampleProcesses
import TestSupport
import Testing

@Suite("The examples, run as a reader runs them", .serialized)
struct ExamplesTests {
  private let folder = TemporaryFolder()

  @Test("A change indicator lights up for whatever changes a file, once for each version")
  func changeIndicator() throws {
    let indicator = try ExampleProcess("ChangeIndicator", folder("notes.db"))
    #expect(try indicator.line() == "watching; notes: 0")
    try folder.sqlite3("notes.db", "INSERT INTO Note (text) VALUES ('Milk')")
    #expect(try indicator.line() == "* something changed; notes: 1")
    try folder.sqlite3("notes.db", "INSERT INTO Note (text) VALUES ('Bread'), ('Salt')")
    #expect(try indicator.line() == "* something changed; notes: 3")
    try folder.sqlite3("notes.db", "UPDATE Note SET text = 'Pepper' WHERE text = 'Salt'")
    #expect(try indicator.line() == "* something changed; notes: 3")
  }

  @Test("A list of repositories animates what differs when the same JSON file is read again and again")
  func repositoryList() throws {
    func load(_ repositories: [(id: Int, name: String, stars: Int, pushed: String)]) throws {
      let rows = repositories.map {
        #"{"id": \#($0.id), "name": "\#($0.name)", "stars": \#($0.stars), "pushedAt": "\#($0.pushed)T12:00:00Z"}"#
      }
      try folder.write("[\(rows.joined(separator: ",\n"))]", to: "repositories.json")
    }
    let list = try ExampleProcess("RepositoryList", folder("repositories.json"))
    #expect(try list.line() == "[]")

    try load([
      (1, "swift", 100, "2025-01-01"), (2, "nio", 50, "2025-01-02"), (3, "docc", 10, "2025-01-03"),
    ])
    list.type("")
    #expect(
      try list.lines(4) == [
        "fade in 0: docc 10", "fade in 1: nio 50", "fade in 2: swift 100", "[docc 10, nio 50, swift 100]",
      ])

    // Read again as it is, and then with more stars: the first makes no call.
    list.type("")
    try load([
      (1, "swift", 100, "2025-01-01"), (2, "nio", 51, "2025-01-02"), (3, "docc", 10, "2025-01-03"),
    ])
    list.type("")
    #expect(try list.lines(2) == ["flash 1: nio 50 -> 51", "[docc 10, nio 51, swift 100]"])

    // Two were pushed, one of which has more stars; a name alone that becomes another does not flash; one is
    // gone, one new.
    try load([
      (1, "swift", 101, "2025-02-01"), (2, "nio", 51, "2025-01-02"), (4, "log", 5, "2025-01-01"),
    ])
    list.type("")
    #expect(
      try list.lines(4) == [
        "fade out 0: docc 10", "slide 2 to 0: swift 101 and flash", "fade in 2: log 5",
        "[swift 101, nio 51, log 5]",
      ])

    try folder.write("[{\"id\": 1, \"stars\": \"many\"}]", to: "repositories.json")
    list.type("")
    #expect(try list.line()?.contains("Repository.stars cannot be “many”") == true)
  }

  @Test("A cache of images fills in data on a thread of its own")
  func imageCache() throws {
    try folder.write("12345", to: "five.png")
    let (five, missing) = ("file://" + folder("five.png"), "file:///is/not/there.png")
    let cache = try ExampleProcess("ImageCache", folder("images.db"))
    for (url, bytes) in [(five, 5), (missing, 0)] {
      cache.type(url)
      // With a worker that is fast enough, a row has its data before it is seen the first time.
      var lines: [String?] = [try cache.line()]
      if lines == ["\(url): waiting"] { lines.append(try cache.line()) }
      #expect(lines.last == "\(url): \(bytes) bytes")
    }
    // Rows that are there already are not fetched again: nothing changes, and nothing is printed before the
    // next one.
    try folder.write("1234567", to: "five.png")
    cache.type(five)
    try folder.write("1", to: "one.png")
    cache.type("file://" + folder("one.png"))
    #expect(try cache.line()?.hasPrefix("file://" + folder("one.png")) == true)
  }

  @Test(
    "A request is answered by another process; one that is killed before it answers answers later, and once")
  func permissionRequest() throws {
    let file = folder("requests.db")
    let asker = try ExampleProcess("PermissionRequest", "ask", file, "camera")
    let first = try ExampleProcess("PermissionRequest", "answer", file)
    try skip("nothing to answer", of: first, until: "camera? (y/n)")
    first.kill()

    let second = try ExampleProcess("PermissionRequest", "answer", file)
    #expect(try second.line() == "camera? (y/n)")
    second.type("y")
    #expect(try second.line() == "nothing to answer")
    #expect(try asker.line() == "camera: granted")
    #expect(asker.waitForEnd() == 0)
    #expect(try asker.line() == nil)
    second.kill()

    let third = try ExampleProcess("PermissionRequest", "answer", file)
    #expect(try third.line() == "nothing to answer")
    let other = try ExampleProcess("PermissionRequest", "ask", file, "microphone")
    #expect(try third.line() == "microphone? (y/n)")
    third.type("n")
    #expect(try other.line() == "microphone: denied")
    #expect(other.waitForEnd() == 1)
  }

  @Test("An answer that was given while nobody waited is there when the asker is started again")
  func permissionRequestWithoutAsker() throws {
    let file = folder("requests.db")
    let answerer = try ExampleProcess("PermissionRequest", "answer", file)
    #expect(try answerer.line() == "nothing to answer")
    let asker = try ExampleProcess("PermissionRequest", "ask", file, "camera")
    #expect(try answerer.line() == "camera? (y/n)")
    asker.kill()
    answerer.type("y")
    #expect(try answerer.line() == "nothing to answer")
    let again = try ExampleProcess("PermissionRequest", "ask", file, "camera")
    #expect(try again.line() == "camera: granted")
    #expect(again.waitForEnd() == 0)
  }

  private func skip(_ line: String, of process: ExampleProcess, until expected: String) throws {
    var next = try process.line()
    while next == line { next = try process.line() }
    #expect(next == expected)
  }
}
