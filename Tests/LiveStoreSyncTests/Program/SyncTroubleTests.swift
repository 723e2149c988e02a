import CLinux
import Foundation
import LiveStore
import PostgreSQLCluster
import TestSupport
import Testing

@testable import LiveStoreSync

@Suite("What happens to a server, a space, a password or a clock, as people run tasks sync", .serialized)
final class SyncTroubleTests {
  private let database: TestDatabase
  private let folder = TemporaryFolder()
  private let anna: Person
  private let ben: Person

  init() throws {
    database = try TestDatabase()
    anna = try Person("anna", in: folder.url)
    ben = try Person("ben", in: folder.url)
  }

  /// Anna and Ben share a space, and both have its tasks.
  private func share() throws {
    try succeed(anna, "add", "Buy milk")
    try succeed(anna, "sync", "join", database.url(as: "anna").text)
    try succeed(anna, "sync", "share", "ben", "--write")
    try succeed(ben, "sync", "join", database.url(as: "ben").text)
  }

  private func succeed(_ person: Person, _ arguments: String...) throws {
    let outcome = try person.tasks(arguments)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(arguments): \(outcome)")
  }

  private func exchange(_ people: Person...) throws {
    for person in people { try succeed(person, "sync", "run", "--once") }
  }

  private func lists(_ person: Person) throws -> [String] {
    try person.tasks("list").output.split(separator: "\n").map(String.init).sorted()
  }

  struct Trouble: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// Statements of the owner of the database, in which %D is its name, and those that mend it; executed in
    /// another database.
    var cause: String
    var remedy: String
    /// A part of the sentence that Ben reads.
    var sentence: String
    var isElsewhere = false
  }

  static let troubles = [
    Trouble(
      testDescription: "the database is prepared by a newer program",
      cause: "UPDATE livestore.installation SET version = 1000",
      remedy: "UPDATE livestore.installation SET version = \(ServerSchema.version)",
      sentence: "a newer"),
    Trouble(
      testDescription: "the database is prepared by an older program",
      cause: "UPDATE livestore.installation SET version = 0",
      remedy: "UPDATE livestore.installation SET version = \(ServerSchema.version)",
      sentence: "tasks sync init"),
    Trouble(
      testDescription: "the database is gone", cause: "ALTER DATABASE %D RENAME TO %D_away",
      remedy: "ALTER DATABASE %D_away RENAME TO %D", sentence: "There is no database", isElsewhere: true),
    Trouble(
      testDescription: "the role may not log in", cause: "ALTER ROLE ben NOLOGIN",
      remedy: "ALTER ROLE ben LOGIN", sentence: "does not let “ben” in"),
    Trouble(
      testDescription: "the server can only be read",
      cause: "ALTER DATABASE %D SET default_transaction_read_only = on",
      remedy: "ALTER DATABASE %D RESET default_transaction_read_only", sentence: "can only be read now",
      isElsewhere: true),
  ]

  @Test(
    "What is wrong is said, the file stays as it is and can be used, and all is made up for",
    arguments: troubles)
  func trouble(_ trouble: Trouble) throws {
    try share()
    func execute(_ statements: String) throws {
      let statements = statements.replacingOccurrences(of: "%D", with: database.name)
      let output =
        try trouble.isElsewhere
        ? database.cluster.psql(statements, in: "postgres") : database.psql(statements)
      #expect(!output.contains("ERROR"), "\(output)")
    }
    try execute(trouble.cause)
    try succeed(ben, "add", "Call Anna")
    let refused = try ben.tasks("sync", "run", "--once")
    #expect(refused.status == 1 && refused.output.isEmpty, "\(refused)")
    #expect(refused.errors.contains(trouble.sentence), "\(refused)")
    #expect(refused.errors.split(separator: "\n").count == 1, "\(refused)")
    #expect(try lists(ben) == ["[ ] Buy milk", "[ ] Call Anna"])
    try succeed(ben, "done", "Buy milk")
    try execute(trouble.remedy)
    try exchange(ben, anna)
    #expect(try lists(anna) == ["[ ] Call Anna", "[x] Buy milk"])
  }

  @Test(
    "The agent of windows that are closed makes room at once, in step or offline", arguments: [false, true])
  func closedWindows(isOffline: Bool) async throws {
    try share()
    let file = SyncedFile(path: ben.file)
    if isOffline {
      try Connection(path: ben.file, create: false).execute(
        "UPDATE _livesync_state SET value = 'postgresql://ben@127.0.0.1:1/none' WHERE name = 'url'")
    }
    let window = open(ben.file + "-windows", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    #expect(clinux_lock_byte(window, 0) == 0)
    let agent = try ben.start("sync", "run", "--with-windows")
    for await status in file.statuses() where status.phase == (isOffline ? .offline : .inStep) { break }
    let refused = try ben.tasks("sync", "run")
    #expect(refused.status == 1 && refused.errors.contains("Another process carries"), "\(refused)")
    close(window)
    let carried = try ben.tasks("sync", "run", "--once")
    #expect(
      carried.status == (isOffline ? 1 : 0) && carried.output.isEmpty
        && !carried.errors.contains("Another process"), "\(carried)")
    #expect(agent.waitForEnd() == 0)
  }

  @Test("Where the agent's file cannot be used, that is said, and not that nothing carries the file")
  func unusableAgentFile() throws {
    try share()
    let place = ben.file + "-sync"
    #expect(fileStatus(place)?.permissions == fileStatus(ben.file)?.permissions)
    try FileManager.default.removeItem(atPath: place)
    try #require(link(ben.file, place) == 0)
    let status = try ben.tasks("sync", "status")
    #expect(status.output.contains("\nHow the file stands cannot be seen: “\(place)” is "), "\(status)")
    let run = try ben.tasks("sync", "run", "--once")
    #expect(run.status == 1 && run.errors.contains("“\(place)” is no file of its own"), "\(run)")
    #expect(!run.errors.contains("nothing carries"))
    #expect(try lists(ben) == ["[ ] Buy milk"])
  }

  @Test("A task that the server never takes is said with its text and the reason, and keeps nothing back")
  func setAside() throws {
    try share()
    let limit = "ALTER TABLE livestore.object ADD CHECK (length(data ->> 'text') <= 20)"
    #expect(try database.psql(limit) == "ALTER TABLE")
    try succeed(ben, "add", "A text of a good many more letters")
    try succeed(ben, "add", "Call Anna")
    try exchange(ben, anna)
    #expect(try lists(anna) == ["[ ] Buy milk", "[ ] Call Anna"])
    let status = try ben.tasks("sync", "status")
    #expect(status.status == 0 && status.output.contains("does not take a change of this form"), "\(status)")
    #expect(
      status.output.contains("“A text of a good many more letters” stays on this machine: "), "\(status)")
    #expect(!status.output.contains("to be sent"), "\(status)")
    #expect(try ben.tasks("sync", "status", "--json").output.contains("\"setAside\":1,"))
    try succeed(ben, "edit", "A text", "A shorter text")
    try exchange(ben, anna)
    #expect(try lists(anna) == ["[ ] A shorter text", "[ ] Buy milk", "[ ] Call Anna"])
    #expect(try !ben.tasks("sync", "status").output.contains("stays on this machine"))
  }

  @Test("Who is no member any more, or whose space is gone, keeps the tasks and may leave")
  func space() throws {
    try share()
    let connection = try database.connection(as: "anna")
    let space = try #require(try connection.space(named: "tasks"))
    _ = try connection.enter(space: space.space, replica: nil, machineName: "third", token: nil)
    try connection.revoke("ben")
    try succeed(ben, "add", "Call Anna")
    let refused = try ben.tasks("sync", "run", "--once")
    #expect(refused.status == 1 && refused.errors.contains("or you are no member of it"), "\(refused)")
    try connection.share(with: "ben", .write)
    try exchange(ben, anna)
    #expect(try lists(anna) == ["[ ] Buy milk", "[ ] Call Anna"])
    // As the owner of the database removes a space.
    #expect(try database.psql("DELETE FROM livestore.space").hasPrefix("DELETE 1"))
    let gone = try ben.tasks("sync", "run", "--once")
    #expect(gone.status == 1 && gone.errors.contains("or you are no member of it"), "\(gone)")
    #expect(gone.errors.contains("ask who manages it, or leave it by `tasks sync leave`"), "\(gone)")
    let machines = try ben.tasks("sync", "machines")
    #expect(machines.status == 1 && machines.errors.contains("There is no space “anna/tasks”"), "\(machines)")
    #expect(try ben.tasks("sync", "share", "anna", "--read").status == 1)
    try succeed(ben, "sync", "leave")
    #expect(try lists(ben) == ["[ ] Buy milk", "[ ] Call Anna"])
    try succeed(ben, "sync", "join", database.url(as: "ben").text)
  }

  @Test("Another person's space that is not shared yet is not made anew under that person's name")
  func spaceNotShared() throws {
    try succeed(anna, "sync", "join", database.url(as: "anna").text)
    let address = try database.url(as: "ben").text
    for option in [["--space", "anna/tasks"], ["--space=anna/tasks"]] {
      let refused = try ben.tasks(["sync", "join", address] + option)
      #expect(refused.status == 1 && refused.output.isEmpty, "\(refused)")
      #expect(refused.errors.contains("There is no space “anna/tasks” that you may use"), "\(refused)")
    }
    #expect(!FileManager.default.fileExists(atPath: ben.file))
    try succeed(anna, "sync", "share", "ben", "--write")
    try succeed(ben, "sync", "join", address, "--space=anna/tasks")
    #expect(try database.psql("SELECT count(*) FROM livestore.space") == "1")
  }

  @Test("What a person may not change is not said to be brought back, until they may")
  func restoringAsReader() throws {
    try share()
    try succeed(anna, "sync", "share", "ben", "--read")
    try exchange(ben)
    try succeed(ben, "edit", "Buy milk", "Buy oat milk")
    try exchange(ben)
    #expect(
      try ben.tasks("sync", "conflicts").output
        == "1  You may not change “Buy oat milk”: that was taken back.\n")
    let refused = try ben.tasks("sync", "restore", "1")
    #expect(refused.status == 1 && refused.output.isEmpty, "\(refused)")
    #expect(
      refused.errors.contains("You may only read “anna/tasks”, so that it would be taken back"), "\(refused)")
    let unknown = try ben.tasks("sync", "restore", "2")
    #expect(
      unknown.status == 1 && unknown.errors.contains("There is no conflict of that number"), "\(unknown)")
    try succeed(anna, "sync", "share", "ben", "--write")
    try exchange(ben)
    try succeed(ben, "sync", "restore", "1")
    try exchange(ben, anna)
    #expect(try lists(anna) == ["[ ] Buy oat milk"])
  }

  @Test("A server that was restored from yesterday's backup gets from the machines what it lacks")
  func backup() throws {
    try share()
    let backup = "\(database.cluster.folder)/\(database.name).dump"
    try database.cluster.backUp(database.name, to: backup)
    try succeed(anna, "add", "After the backup")
    try succeed(anna, "delete", "Buy milk")
    try succeed(ben, "add", "Of Ben, before")
    try exchange(anna, ben, anna)
    try database.cluster.restore(database.name, from: backup)
    try succeed(ben, "add", "Of Ben, after")
    try exchange(ben, anna, ben)
    let all = ["[ ] After the backup", "[ ] Of Ben, after", "[ ] Of Ben, before"]
    #expect(try lists(anna) == all)
    #expect(try lists(ben) == all)
    // A machine that was away all the time.
    let cleo = try Person("cleo", in: folder.url)
    try succeed(anna, "sync", "share", "cleo", "--write")
    try succeed(cleo, "sync", "join", database.url(as: "cleo").text)
    #expect(try lists(cleo) == all)
  }

  @Test("A schema of that name which is another program's is left alone, and said")
  func otherSchema() throws {
    let other = try TestDatabase(isPrepared: false)
    _ = try other.psql(
      "CREATE SCHEMA livestore; CREATE TABLE livestore.space (a int); INSERT INTO livestore.space VALUES (7)")
    let outcome = try anna.tasks("sync", "init", other.url(as: "postgres").text)
    #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errors.contains("livestore"), "\(outcome)")
    #expect(try other.psql("SELECT a FROM livestore.space") == "7")
    let join = try anna.tasks("sync", "join", other.url(as: "anna").text)
    #expect(join.status == 1 && join.errors.contains("is not prepared"), "\(join)")
    #expect(!FileManager.default.fileExists(atPath: anna.file))
  }

  @Test("A wrong password is said with the place where it is looked for, and a right one is taken at once")
  func password() throws {
    _ = try database.psql(
      """
      DO $$ BEGIN CREATE ROLE guarded LOGIN; EXCEPTION WHEN duplicate_object THEN END $$;
      ALTER ROLE guarded PASSWORD 'right-word'
      """)
    let port = database.cluster.port
    let url = "postgresql://guarded@127.0.0.1:\(port)/\(database.name)"
    try succeed(anna, "add", "Buy milk")
    func write(_ password: String) throws {
      let file = anna.home.appendingPathComponent(".pgpass").path
      #expect(
        FileManager.default.createFile(
          atPath: file, contents: Data("127.0.0.1:\(port):*:guarded:\(password)\n".utf8),
          attributes: [.posixPermissions: 0o600]))
    }
    let missing = try anna.tasks("sync", "join", url)
    #expect(missing.status == 1 && missing.errors.contains("put it into ~/.pgpass"), "\(missing)")
    try write("wrong-word")
    let wrong = try anna.tasks("sync", "join", url)
    #expect(wrong.status == 1 && wrong.errors.contains("does not accept the password"), "\(wrong)")
    #expect(!wrong.errors.contains("wrong-word"))
    #expect(try anna.tasks("sync", "status").status == 1)
    try write("right-word")
    try succeed(anna, "sync", "join", url)
    try write("wrong-word")
    #expect(try anna.tasks("sync", "run", "--once").errors.contains("does not accept the password"))
    #expect(try lists(anna) == ["[ ] Buy milk"])
    let left = try anna.tasks("sync", "leave")
    #expect(left.status == 0 && left.output.contains("The server could not be told: "), "\(left)")
    try write("right-word")
    try succeed(anna, "sync", "join", url, "--yes")
    #expect(try !anna.tasks("sync", "leave").output.contains("told"))
  }

  @Test("With clocks that are days off, the later of two changes wins", arguments: [-3, 3] as [Int64])
  func clocks(_ days: Int64) throws {
    try share()
    let clock = try SkewedClock(path: folder("clock"))
    try clock.set(days * 86_400)
    ben.environment = clock.environment
    try exchange(ben)
    #expect(try !ben.tasks("sync", "machines").output.contains("days ago"))
    let task = "Buy milk"
    try succeed(ben, "edit", task, "Of Ben, earlier")
    try ben.dateChangesBack()
    try succeed(anna, "edit", task, "Of Anna, later")
    try exchange(ben, anna, ben)
    #expect(try lists(ben) == ["[ ] Of Anna, later"])
    try succeed(anna, "edit", "Of Anna, later", "Of Anna, earlier")
    try anna.dateChangesBack()
    try succeed(ben, "edit", "Of Anna, later", "Of Ben, later")
    try exchange(anna, ben, anna)
    #expect(try [lists(anna), lists(ben)] == [["[ ] Of Ben, later"], ["[ ] Of Ben, later"]])
  }
}
