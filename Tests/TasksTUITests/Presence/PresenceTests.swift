import FoundationEssentials
import Glibc
import TasksModel
import TestSupport
import Testing

@testable import TasksTUI

/// Windows in one process lock like those in several: the locks are those of open files.
@Suite("Windows on one file")
struct PresenceTests {
  private let folder = TemporaryFolder()
  private let database: String

  init() throws {
    database = folder("tasks.db")
    try Data("a database".utf8).write(to: URL(filePath: database))
  }

  private var path: String { database + "-windows" }

  private func window(_ author: String) throws -> Presence {
    try Presence(database: database, author: author, terminal: "pts/1")
  }

  private func authors(_ presence: Presence) -> [String] { presence.others.map(\.state.author) }

  @Test("They see each other come, do things and go, and never themselves")
  func comeAndGo() throws {
    let anna = try window("anna")
    #expect(anna.others.isEmpty)
    let bob = try window("bob")
    #expect(authors(bob) == ["anna"])
    #expect(anna.look() && authors(anna) == ["bob"])
    let row = Identifier()
    bob.activity = .editing(row)
    #expect(anna.look() && anna.others.first?.state.activity == .editing(row))
    // Its own event tells a window nothing.
    #expect(!bob.look() && authors(bob) == ["anna"])
    var carl: Presence? = try window("carl")
    #expect(anna.look() && authors(anna) == ["bob", "carl"])
    carl?.activity = .adding(list: nil)
    carl = nil
    #expect(anna.look() && authors(anna) == ["bob"])
    bob.activity = .looking
    #expect(anna.look() && anna.others.first?.state.activity == .looking)
    #expect(!anna.look())
    // The place is free again.
    let dora = try window("dora")
    #expect(anna.look() && anna.others.map(\.place) == [1, 2] && authors(anna) == ["bob", "dora"])
    withExtendedLifetime(dora) {}
  }

  @Test("The descriptor is readable exactly when there may be something to be told")
  func descriptor() throws {
    let anna = try window("anna")
    func isReadable() -> Bool {
      waitForInput(anna.fileDescriptor, milliseconds: 0)
    }
    _ = anna.look()
    #expect(!isReadable())
    let bob = try window("bob")
    #expect(isReadable())
    _ = anna.look()
    #expect(!isReadable())
    // A state that has been told is not told again.
    bob.activity = .looking
    #expect(!isReadable())
    bob.activity = .adding(list: nil)
    #expect(isReadable())
  }

  @Test("Those for whom there is no place see the others and are not seen")
  func tooMany() throws {
    let windows = try (0..<WindowFile.places).map { try window("window \($0)") }
    let late = try window("late")
    #expect(late.others.count == WindowFile.places)
    late.activity = .editing(Identifier())
    _ = windows[0].look()
    #expect(windows[0].others.count == WindowFile.places - 1 && !authors(windows[0]).contains("late"))
  }

  @Test("What others have written into the file is passed over")
  func garbage() throws {
    let text = String(repeating: "nonsense\n\u{1B}[31m", count: 4000)
    try Data(text.utf8).write(to: URL(filePath: path))
    let anna = try window("anna")
    #expect(anna.others.isEmpty)
    let bob = try window("bob")
    #expect(anna.look() && authors(anna) == ["bob"])
    // Over a place that is held, and over all of it.
    let descriptor = open(path, O_WRONLY)
    #expect(pwrite(descriptor, "garbage", 7, 256) == 7)
    #expect(anna.look() && anna.others.isEmpty)
    bob.activity = .adding(list: nil)
    #expect(anna.look() && authors(anna) == ["bob"])
    #expect(ftruncate(descriptor, 0) == 0)
    #expect(anna.look() && anna.others.isEmpty)
    close(descriptor)
    bob.activity = .looking
    #expect(anna.look() && authors(anna) == ["bob"])
    // No window holds this place, although one wrote it.
    let forged = WindowState(author: "forged", terminal: "").bytes
    let again = open(path, O_WRONLY)
    #expect(pwrite(again, forged, forged.count, 5 * 256) == 256)
    close(again)
    #expect(!anna.look() && authors(anna) == ["bob"])
  }

  @Test("When the file is deleted, or replaced, the windows meet again", arguments: ["deleted", "replaced"])
  func replaced(how: String) throws {
    let anna = try window("anna")
    let bob = try window("bob")
    bob.activity = .adding(list: nil)
    _ = anna.look()
    if how == "deleted" {
      #expect(unlink(path) == 0)
    } else {
      try Data("something else".utf8).write(to: URL(filePath: path + "2"))
      #expect(rename(path + "2", path) == 0)
    }
    for _ in 0..<2 {
      _ = anna.look()
      _ = bob.look()
    }
    #expect(authors(anna) == ["bob"] && authors(bob) == ["anna"])
    #expect(anna.others.first?.state.activity == .adding(list: nil))
    bob.activity = .looking
    #expect(anna.look() && anna.others.first?.state.activity == .looking)
  }

  @Test("Where there is something else by that name, or no folder, windows do not tell of each other")
  func impossible() throws {
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: WindowFile.Unavailable.self) {
      try Presence(database: database, author: "", terminal: "")
    }
    unlink(path)
    #expect(mkdir(path, 0o700) == 0)
    #expect(throws: WindowFile.Unavailable.self) {
      try Presence(database: database, author: "", terminal: "")
    }
    rmdir(path)
    #expect(symlink("elsewhere", path) == 0)
    #expect(throws: WindowFile.Unavailable.self) {
      try Presence(database: database, author: "", terminal: "")
    }
    unlink(path)
    // A second name of the database, which must not be opened.
    #expect(link(database, path) == 0)
    #expect(throws: WindowFile.Unavailable.self) {
      try Presence(database: database, author: "", terminal: "")
    }
    #expect(throws: WindowFile.Unavailable.self) {
      try Presence(database: folder("none.db"), author: "", terminal: "")
    }
    #expect(try Data(contentsOf: URL(filePath: database)) == Data("a database".utf8))
  }

  @Test("All names of a database lead to the same windows, and whoever may write to it may be seen")
  func names() throws {
    #expect(chmod(database, 0o640) == 0)
    #expect(symlink(database, folder("link.db")) == 0)
    let anna = try window("anna")
    let bob = try Presence(database: folder("link.db"), author: "bob", terminal: "")
    #expect(anna.look() && authors(anna) == ["bob"] && authors(bob) == ["anna"])
    #expect(fileStatus(path)?.permissions == 0o640)
  }

  @Test("A window whose process is killed is gone at once, and nobody is told twice")
  func killed() throws {
    // A file of the program, with a window of this process on it.
    let file = folder("real.db")
    let tasks = ChildProcess.tasks
    let environment = ["HOME": folder.path, "TASKS_FILE": file]
    #expect(try ChildProcess.run([tasks, "add", "Buy milk"], environment: environment).status == 0)
    let here = try Presence(database: file, author: "anna", terminal: "")
    for round in 0..<12 {
      let window = try ChildProcess([tasks, "--plain"], environment: environment)
      try wait(for: here, "a window that came, in round \(round)") { $0.count == 1 }
      if round % 2 == 0 {
        window.write(Array("edit\n".utf8))
        try wait(for: here, "a row in hand") { $0.first?.state.activity.row != nil }
      }
      window.send(round % 3 == 0 ? SIGTERM : SIGKILL)
      try wait(for: here, "a window that went, in round \(round)") { $0.isEmpty }
      _ = try window.finish()
    }
  }

  /// Waits for events alone: nothing is looked at again but for one.
  private func wait(
    for presence: Presence, _ what: Comment, until condition: ([OtherWindow]) -> Bool
  ) throws {
    while !condition(presence.others) {
      try #require(waitForInput(presence.fileDescriptor), what)
      _ = presence.look()
    }
  }
}
