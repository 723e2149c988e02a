import Foundation
import LiveStore
import Programs
import TestSupport
import Testing

@testable import LiveStoreSync

@Suite("tasks sync, as people run it", .serialized)
final class SyncProgramTests {
  let database: TestDatabase
  private let folder = TemporaryFolder()
  let anna: Person
  let ben: Person

  init() throws {
    database = try TestDatabase(isPrepared: false)
    anna = try Person("anna", in: folder.url)
    ben = try Person("ben", in: folder.url)
  }

  func url(_ role: String) throws -> String { try database.url(as: role).text }

  let nothingLost = "Nothing of yours lost against others' changes.\n"

  /// Adds a task at Anna's machine.
  ///
  /// - Returns: Its id.
  func added(_ arguments: String...) throws -> String {
    let added = try anna.tasks(["add"] + arguments)
    #expect(added.status == 0, "\(added)")
    return String(added.output.dropLast())
  }

  @Test("A database is prepared, twice; two people join and share, and each has what the other adds")
  func setUp() throws {
    for _ in 0..<2 {
      let prepared = try anna.tasks("sync", "init", url("postgres"))
      #expect(prepared.status == 0 && prepared.output.contains("The database is ready."), "\(prepared)")
    }
    #expect(try anna.tasks("add", "Buy milk").status == 0)
    let made = try anna.tasks("sync", "join", url("anna"))
    #expect(
      made.output
        == "“\(anna.file)” is joined to “tasks”, a new space of yours. Open tasks, or run: tasks sync run\n")
    #expect(try anna.tasks("sync", "share", "ben", "--write").output == "ben may change it now.\n")

    let joined = try ben.tasks("sync", "join", url("ben"))
    #expect(
      joined.output == "“\(ben.file)” is joined to “anna/tasks”. Open tasks, or run: tasks sync run\n",
      "\(joined)")
    #expect(try ben.tasks("list").output == "[ ] Buy milk\n")
    #expect(try ben.tasks("add", "Call Anna").status == 0)

    let waiting = try ben.tasks("sync", "status", "--json")
    #expect(waiting.status == 0)
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(waiting.output.utf8)) as? [String: Any])
    #expect(report["waiting"] as? Int == 1, "\(waiting)")

    for person in [ben, anna] {
      #expect(try person.tasks("sync", "run", "--once") == Person.Outcome(status: 0, output: "", errors: ""))
    }
    #expect(try anna.tasks("list").output == "[ ] Buy milk\n[ ] Call Anna\n")

    #expect(try ben.tasks("sync", "leave").status == 0)
    #expect(try ben.tasks("list").output == "[ ] Buy milk\n[ ] Call Anna\n")
    #expect(try ben.tasks("sync", "leave").status == 1)
  }

  @Test("On a terminal, joining says how far a long exchange is, and leaves only the outcome")
  func progress() throws {
    #expect(try anna.tasks("sync", "init", url("postgres")).status == 0)
    let file = anna.home.appendingPathComponent("tasks.txt")
    try Data((1...1500).map { "Task \($0)\n" }.joined().utf8).write(to: file)
    #expect(try anna.tasks("import", file.path, "--format", "todo.txt").status == 0)
    let join = try anna.tasksOnTerminal("sync join '\(url("anna"))'")
    #expect(join.status == 0, "\(join)")
    let shown = join.output.split(separator: "\r\u{1B}[K")
    #expect(shown.first == "Sending to the server: 0 of 1,502 rows so far.", "\(join)")
    #expect(shown.last?.hasPrefix("“\(anna.file)” is joined to “tasks”, a new space") == true, "\(join)")
  }

  @Test("The status of an agent that has had nothing to exchange yet says that, and not that it never did")
  func firstStatus() throws {
    #expect(try anna.tasks("sync", "init", url("postgres")).status == 0)
    #expect(try anna.tasks("add", "Buy milk").status == 0)
    #expect(try anna.tasks("sync", "join", url("anna")).status == 0)
    let agent = try RunningAgent(anna.file)
    defer { agent.stop() }
    func status() -> SyncStatus? { (try? SyncSign.read(database: anna.file)).map(SyncStatus.init(text:)) }
    func wait(until condition: (SyncStatus) -> Bool) throws {
      let deadline = ContinuousClock.now + Patience.duration
      while status().map(condition) != true {
        try #require(ContinuousClock.now < deadline)
        poll(nil, 0, 20)
      }
    }
    try wait { $0.phase == .inStep }
    let first = try anna.tasks("sync", "status").output
    #expect(first.contains("\nIn step; there has been nothing to exchange yet.\n"), "\(first)")
    #expect(try anna.tasks("add", "Call Ben").status == 0)
    try wait { $0.phase == .inStep && $0.exchanged > 0 }
    #expect(try anna.tasks("sync", "status").output.contains("\nIn step; last exchange "))
  }

  @Test("To exchange once beside an agent is to wait until that is in step, and fails where that cannot be")
  func onceBesideAgent() throws {
    #expect(try anna.tasks("add", "Buy milk").status == 0)
    try share()
    let agent = try RunningAgent(anna.file)
    defer { agent.stop() }
    for text in ["Buy eggs", "Buy bread"] {
      #expect(try anna.tasks("add", text).status == 0)
      let once = try anna.tasks("sync", "run", "--once")
      #expect(once.status == 0 && once.output.hasPrefix("In step: an open window, or another"), "\(once)")
      try exchange(ben)
      #expect(try ben.tasks("list").output.hasSuffix("[ ] \(text)\n"))
    }
    #expect(try ben.tasks("done", "Buy milk").status == 0)
    try exchange(ben, anna)
    #expect(try anna.tasks("list").output.hasSuffix("[x] Buy milk\n"))
    try anna.tasks("sync", "share", "cleo", "--manage")
    _ = try database.psql("SELECT livestore.share(space, 'anna', 0) FROM livestore.space", as: "cleo")
    let refused = try anna.tasks("sync", "run", "--once")
    #expect(refused.status == 1 && refused.errors.contains("you are no member of it"), "\(refused)")
    try Connection(path: anna.file, create: false).execute(
      "UPDATE _livesync_state SET value = 'postgresql://anna@127.0.0.1:1/tasks' WHERE name = 'url'")
    let offline = try anna.tasks("sync", "run", "--once")
    #expect(offline.status == 1 && offline.errors.contains("cannot be reached"), "\(offline)")
  }

  @Test("The window of a person who may only read leaves it to others to keep a list sorted")
  func keptListOfReader() throws {
    #expect(try anna.tasks("sync", "init", url("postgres")).status == 0)
    try #require(try anna.tasks("list-add", "Work").status == 0)
    try #require(try anna.tasks("list-sort", "Work", "due").status == 0)
    for (text, due) in [("p", "2036-12-01"), ("q", "2036-12-02"), ("r", "2036-12-03")] {
      try #require(try anna.tasks("add", text, "--due", due, "--list", "Work").status == 0)
    }
    #expect(try anna.tasks("sync", "join", url("anna")).status == 0)
    #expect(try anna.tasks("sync", "share", "ben", "--read").status == 0)
    #expect(try ben.tasks("sync", "join", url("ben"), "--space", "anna/tasks").status == 0)
    // A program that does not sort.
    let program = try Connection(path: anna.file, create: false)
    try program.execute("UPDATE TaskItem SET date = '2036-12-21 00:00:00.000' WHERE text = 'p'")
    for person in [anna, ben] { #expect(try person.tasks("sync", "run", "--once").status == 0) }
    let script = ben.home.appendingPathComponent("window.txt")
    try Data("settle\nkeys j\nsettle\n".utf8).write(to: script)
    for _ in 0..<3 {
      #expect(try ben.tasks("--script", script.path).status == 0)
      #expect(try ben.tasks("sync", "run", "--once").status == 0)
    }
    let conflicts = try ben.tasks("sync", "conflicts")
    #expect(conflicts.output == "Nothing of yours lost against others' changes.\n", "\(conflicts)")
    #expect(try ben.tasks("list", "--list", "Work").output == "[ ] p\n[ ] q\n[ ] r\n")
  }

  @Test("Two files that both have tasks are merged only when that is said")
  func merging() throws {
    try anna.tasks("sync", "init", url("postgres"))
    for person in [anna, ben] { #expect(try person.tasks("add", "Mine").status == 0) }
    #expect(try anna.tasks("sync", "join", url("anna")).status == 0)
    let asked = try ben.tasks("sync", "join", url("anna"))
    #expect(asked.status == 1 && asked.output.contains("Say --yes to do it."), "\(asked)")
    #expect(try ben.tasks("sync", "status").status == 1)
    #expect(try ben.tasks("list").output == "[ ] Mine\n")
    #expect(try ben.tasks("sync", "join", url("anna"), "--yes").status == 0)
    #expect(try ben.tasks("list").output == "[ ] Mine\n[ ] Mine\n")
  }

  @Test("A report that standard output does not take is an error")
  func fullOutput() throws {
    try anna.tasks("sync", "init", url("postgres"))
    #expect(try anna.tasks("sync", "join", url("anna")).status == 0)
    let outcome = try anna.run(["sh", "-c", "exec \"$0\" sync status >/dev/full", Program.built("tasks")])
    #expect(outcome.status == 1 && outcome.errors.contains("cannot write to standard output: "), "\(outcome)")
  }

  @Test("A file with tasks is not joined to another person's space of the name without a question")
  func spaceOfAnother() throws {
    try anna.tasks("sync", "init", url("postgres"))
    #expect(try ben.tasks("add", "Mine").status == 0)
    _ = try database.psql("SELECT livestore.create_space('tasks')", as: "eve")
    _ = try database.psql("SELECT livestore.share(space, 'ben', 2) FROM livestore.space", as: "eve")
    let asked = try ben.tasks("sync", "join", url("ben"))
    #expect(
      asked.status == 1
        && asked.output
          == "The space “eve/tasks” is another person's, whose members get what this file has.\n"
          + "Say --yes to do it.\n",
      "\(asked)")
    #expect(try database.psql("SELECT count(*) FROM livestore.object") == "0")
    #expect(try database.psql("SELECT count(*) FROM livestore.machine") == "0")
    let joined = try ben.tasks("sync", "join", url("ben"), "--yes")
    #expect(joined.output.contains("“\(ben.file)” is joined to “eve/tasks”. "), "\(joined)")
    #expect(try ben.tasks("sync", "leave").status == 0)
    // A space of his own is meant where he says so.
    let own = try ben.tasks("sync", "join", url("ben"), "--space", "mine")
    #expect(own.output.contains("a new space of yours"), "\(own)")
  }

  @Test("The date of a text that two people have changed is that of the text that stays")
  func dateOfText() throws {
    try anna.tasks("sync", "init", url("postgres"))
    for text in ["Pay rent friday", "Call mother"] { #expect(try anna.tasks("add", text).status == 0) }
    #expect(try anna.tasks("sync", "join", url("anna")).status == 0)
    #expect(try anna.tasks("sync", "share", "ben", "--write").status == 0)
    #expect(try ben.tasks("sync", "join", url("ben")).status == 0)
    // The text of one, and what the other has read out of theirs.
    #expect(try anna.tasks("edit", "Pay rent", "Pay rent").status == 0)
    #expect(try ben.tasks("edit", "Pay rent", "Pay the rent friday").status == 0)
    #expect(try ben.tasks("edit", "Call mother", "Call mother tomorrow #home").status == 0)
    #expect(try anna.tasks("edit", "Call mother", "Call mother and father").status == 0)
    for person in [anna, ben, anna, ben] { #expect(try person.tasks("sync", "run", "--once").status == 0) }
    // Every window reads texts that have not been read.
    let script = folder.url.appendingPathComponent("script")
    try Data("settle\n".utf8).write(to: script)
    for person in [anna, ben] { #expect(try person.tasks("--script", script.path).status == 0) }
    for person in [anna, ben, anna] { #expect(try person.tasks("sync", "run", "--once").status == 0) }
    for person in [anna, ben] {
      let list = try person.tasks("list").output
      #expect(list.contains("Pay the rent friday") && list.contains("Call mother and father"), "\(list)")
      let upcoming = try person.tasks("list", "--upcoming").output + person.tasks("list", "--today").output
      #expect(upcoming.contains("Pay the rent") && !upcoming.contains("Call mother"), "\(upcoming)")
      #expect(try person.tasks("export", "--format", "csv").output.contains("home") == false)
    }
  }

  @Test("A right is given, and taken back")
  func unsharing() throws {
    try anna.tasks("sync", "init", url("postgres"))
    #expect(try anna.tasks("add", "Buy milk").status == 0)
    #expect(try anna.tasks("sync", "join", url("anna")).status == 0)
    #expect(try anna.tasks("sync", "share", "ben", "--write").status == 0)
    #expect(try ben.tasks("sync", "join", url("ben")).status == 0)
    #expect(
      try anna.tasks("sync", "share", "ben", "--none").output
        == "ben may not use it any more; what ben's machines have stays there.\n")
    #expect(try anna.tasks("add", "Secret").status == 0)
    #expect(try anna.tasks("sync", "run", "--once").status == 0)
    let refused = try ben.tasks("sync", "run", "--once")
    #expect(refused.status == 1 && refused.errors.contains("you are no member of it"), "\(refused)")
    #expect(try ben.tasks("list").output == "[ ] Buy milk\n")
  }

  @Test("Who leaves with changes that are not sent is told, and leaves only when that is said")
  func leavingWithUnsentChanges() throws {
    try share()
    #expect(try ben.tasks("add", "Buy milk").status == 0)
    let asked = try ben.tasks("sync", "leave")
    #expect(asked.status == 1 && asked.output.hasPrefix("1 changed row has not been sent, so"), "\(asked)")
    #expect(asked.output.hasSuffix("Say --yes to do it.\n"), "\(asked)")
    #expect(try ben.tasks("add", "Buy eggs").status == 0)
    let several = try ben.tasks("sync", "leave")
    #expect(several.output.hasPrefix("2 changed rows have not been sent, "), "\(several)")
    try exchange(ben)
    let left = try ben.tasks("sync", "leave")
    #expect(left.status == 0 && left.output.hasSuffix("is joined to no space any more.\n"), "\(left)")
  }

  @Test("Of another person's text nothing is printed that a terminal would obey")
  func rawText() throws {
    #expect(try anna.tasks("add", "Buy milk").status == 0)
    try share()
    #expect(try ben.tasks("edit", "Buy milk", "Mine").status == 0)
    try Connection(path: anna.file, create: false).execute(
      "UPDATE TaskItem SET text = 'Red' || char(27) || '[31m' || char(0x202E)")
    try exchange(ben, anna, ben)
    let conflicts = try ben.tasks("sync", "conflicts").output
    #expect(conflicts.contains(#"Red\u{1B}[31m\u{202E}"#), "\(conflicts)")
    #expect(!conflicts.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    // The name of the space, as an older server has let it be.
    try Connection(path: ben.file, create: false).execute(
      "UPDATE _livesync_state SET value = 'Red' || char(27) || '[31m' WHERE name = 'spaceName'")
    let refused = try ben.tasks("sync", "share", "cleo", "--read")
    #expect(refused.status == 1 && refused.errors.contains(#"“Red\u{1B}[31m”"#), "\(refused)")
    #expect(!refused.errors.contains("\u{1B}"))
  }

  /// Everything in a person's file that other machines are to have.
  func content(_ person: Person) throws -> [[SQLiteValue]] {
    let connection = try Connection(path: person.file, create: false)
    return try [
      "TaskItem ORDER BY id", "TaskList ORDER BY id", "SavedSearch ORDER BY name",
      "TaskListList_items ORDER BY position", "TaskList_items ORDER BY owner, position",
      "TaskItem_subtasks ORDER BY owner, position",
    ].flatMap { query in
      // The numbers of entries are each machine's own.
      let first = query.contains("_") ? 1 : 0
      return try connection.rows("SELECT * FROM \(query)").map { Array($0[first...]) }
    }
  }

  /// Anna has lists and shares them with Ben.
  func share() throws {
    try anna.tasks("sync", "init", url("postgres"))
    #expect(try anna.tasks("sync", "join", url("anna")).status == 0)
    #expect(try anna.tasks("sync", "share", "ben", "--write").status == 0)
    #expect(try ben.tasks("sync", "join", url("ben")).status == 0)
  }

  func exchange(_ people: Person...) throws {
    for person in people { #expect(try person.tasks("sync", "run", "--once").status == 0) }
  }

  @Test("Everything of tasks travels: colours, sorting, waiting, notes, subtasks, searches, repetition")
  func everything() throws {
    #expect(try anna.tasks("list-add", "Home").status == 0)
    #expect(try anna.tasks("add", "Water the plants every monday #green", "--list", "Home").status == 0)
    #expect(try anna.tasks("add", "Buy milk", "--list", "Home", "--wait", "2030-01-01").status == 0)
    try Connection(path: anna.file, create: false).execute(
      """
      UPDATE TaskList SET color = '3', sorting = 'date' WHERE text = 'Home';
      UPDATE TaskItem SET notes = 'Not too much.', priority = 'A' WHERE text LIKE 'Water%';
      INSERT INTO SavedSearch VALUES ('plants', '#green');
      INSERT INTO TaskItem (id, text) VALUES ('sub', 'The tall one');
      INSERT INTO TaskItem_subtasks (owner, target) SELECT id, 'sub' FROM TaskItem WHERE text LIKE 'Water%'
      """)
    try share()
    #expect(try content(ben) == content(anna))
    try Connection(path: ben.file, create: false).execute(
      """
      UPDATE TaskList SET color = '5', sorting = '' WHERE text = 'Home';
      UPDATE SavedSearch SET words = '#garden';
      INSERT INTO SavedSearch VALUES ('late', '@overdue');
      UPDATE TaskItem SET waitsUntil = NULL WHERE text = 'Buy milk'
      """)
    #expect(try anna.tasks("done", "Water").status == 0)
    try exchange(ben, anna, ben)
    #expect(try content(ben) == content(anna))
    #expect(try anna.tasks("list", "--list", "Home").output.contains("[ ] Buy milk"))
  }

  @Test("A file that goes back to a copy takes all machines with it, and they go on together")
  func restoring() throws {
    for text in ["Buy milk", "Call mother", "Post letter"] { _ = try added(text) }
    try share()
    let copy = anna.file + ".copy"
    #expect(try anna.tasks("backup", copy).status == 0)
    let copied = try content(anna)
    #expect(try ben.tasks("delete", "milk").status == 0)
    #expect(try ben.tasks("edit", "Call mother", "Call father").status == 0)
    #expect(try ben.tasks("list-add", "Work").status == 0)
    #expect(try anna.tasks("done", "letter").status == 0)
    try exchange(ben, anna, ben)
    #expect(try content(ben) == content(anna))
    let restored = try anna.tasks("restore", copy)
    #expect(restored.status == 0, "\(restored)")
    #expect(try ben.tasks("add", "Meanwhile").status == 0)
    try exchange(anna, ben, anna)
    #expect(try content(ben) == content(anna))
    #expect(try anna.tasks("delete", "Meanwhile").status == 0)
    try exchange(anna, ben)
    #expect(try content(anna) == copied)
    #expect(try content(ben) == copied)
    #expect(try anna.tasks("sync", "conflicts").output == nothingLost)
  }

  @Test("What two people clear while apart is in the archive once, and named searches are merged")
  func clearing() throws {
    for text in ["one", "two", "three"] { #expect(try anna.tasks("add", text).status == 0) }
    try share()
    for text in ["one", "two"] { #expect(try anna.tasks("done", text).status == 0) }
    for text in ["two", "three"] { #expect(try ben.tasks("done", text).status == 0) }
    for (person, words) in [(anna, "#a"), (ben, "#b")] {
      #expect(try person.tasks("clear").status == 0)
      try Connection(path: person.file, create: false).execute(
        "INSERT INTO SavedSearch VALUES ('mine', '\(words)')")
    }
    try anna.dateChangesBack()
    try exchange(anna, ben, anna)
    #expect(try content(ben) == content(anna))
    for person in [anna, ben] {
      #expect(try person.tasks("list").output.isEmpty)
      #expect(try person.tasks("doctor").status == 0)
    }
    // Both have completed one task: only the moments differ.
    let told = try anna.tasks("sync", "conflicts").output
    #expect(
      told.hasPrefix("1  ben on ")
        && told.hasSuffix(" changed the words of “mine” after you; yours was “#a”.\n"))
    #expect(try ben.tasks("sync", "conflicts").output == nothingLost)
    let connection = try Connection(path: anna.file, create: false)
    #expect(try connection.firstValue("SELECT count(*) FROM TaskItem") == 3)
    #expect(try connection.firstValue("SELECT count(*) FROM TaskList_items") == 3)
    #expect(try connection.firstValue("SELECT words FROM SavedSearch") == "#b")
  }

  @Test("Machines are listed with how far each is behind, and a lost one is forgotten by who may")
  func machines() throws {
    try share()
    let listed = try ben.tasks("sync", "machines")
    #expect(listed.status == 0 && listed.errors.isEmpty, "\(listed)")
    let lines = listed.output.split(separator: "\n")
    #expect(lines.count == 2, "\(listed)")
    #expect(lines.contains { $0.contains(" (ben), this machine") }, "\(listed)")
    let other = try #require(lines.first { $0.contains(" (anna), ") })
    #expect(other.contains(" (anna), last seen "))
    let status = try ben.tasks("sync", "status", "--json")
    #expect(status.output.contains("\"machines\":[{\"name\":"), "\(status)")
    for role in ["anna", "ben"] { #expect(status.output.contains("\"role\":\"\(role)\""), "\(status)") }
    // All these machines have one name.
    let name = try #require(other.split(separator: " ").dropFirst().first)
    let ambiguous = try ben.tasks("sync", "machines", "--forget", String(name))
    #expect(ambiguous.status == 1 && ambiguous.errors.contains("2 machines are named"), "\(ambiguous)")
    let number = try #require(other.split(separator: " ").first)
    let denied = try ben.tasks("sync", "machines", "--forget", String(number))
    #expect(
      denied.status == 1 && denied.errors.contains("only anna and the managers can forget"), "\(denied)")
    let own = try anna.tasks("sync", "machines", "--forget", String(number))
    #expect(own.status == 1 && own.errors.contains("tasks sync leave"), "\(own)")
    let unknown = try anna.tasks("sync", "machines", "--forget", "nothing")
    #expect(unknown.status == 1 && unknown.errors.contains("There is no machine “nothing”"), "\(unknown)")
    let lost = try #require(lines.first { $0.contains(" (ben)") }?.split(separator: " ").first)
    let forgotten = try anna.tasks("sync", "machines", "--forget", String(lost))
    #expect(forgotten.status == 0 && forgotten.output.contains("(ben) is forgotten."), "\(forgotten)")
    #expect(try anna.tasks("sync", "machines").output.split(separator: "\n").count == 1)
    // It is found again, and goes on.
    try ben.tasks("add", "Tea")
    try exchange(ben, anna)
    #expect(try anna.tasks("list").output.contains("Tea"))
    #expect(try anna.tasks("sync", "machines").output.split(separator: "\n").count == 2)
  }

  @Test("A file follows its server to another address, and refuses one that does not have its space")
  func address() throws {
    try share()
    let empty = try TestDatabase()
    let refused = try anna.tasks("sync", "address", empty.url(as: "anna").text)
    #expect(refused.status == 1, "\(refused)")
    #expect(refused.errors.contains("does not have the space “"), "\(refused)")
    let unreachable = try anna.tasks("sync", "address", "postgresql://anna@localhost:1/tasks")
    #expect(unreachable.status == 1 && unreachable.errors.contains("cannot be reached"), "\(unreachable)")
    let moved = "\(database.name)_moved"
    let output = try database.cluster.psql(
      "ALTER DATABASE \(database.name) RENAME TO \(moved)", in: "postgres")
    try #require(output == "ALTER DATABASE", "\(output)")
    try anna.tasks("add", "Bread")
    #expect(try anna.tasks("sync", "run", "--once").status == 1)
    for (person, role) in [(anna, "anna"), (ben, "ben")] {
      let address = database.cluster.url(moved, as: role)
      let outcome = try person.tasks("sync", "address", address)
      #expect(outcome.status == 0 && outcome.output.hasSuffix("where you are \(role).\n"), "\(outcome)")
      #expect(try person.tasks("sync", "status").output.contains(moved))
    }
    try exchange(anna, ben)
    #expect(try ben.tasks("list").output.contains("Bread"))
  }

  @Test("What cannot be done is said in a sentence, and makes no file")
  func mistakes() throws {
    let address = try url("anna")
    let mistakes: [([String], Int32, String)] = [
      (["join", "db.example.org"], 1, "That is no address of a PostgreSQL server"),
      (["join", "postgresql://anna@localhost:1/tasks"], 1, "localhost:1/tasks cannot be reached"),
      (["join", address.replacingOccurrences(of: "anna", with: "nobody")], 1, "does not let “nobody” in"),
      (["status"], 1, "is joined to no space"),
      (["run"], 1, "There is no file"),
      (["conflicts"], 1, "There is no file"),
      (["restore", "x"], 2, "Try tasks sync --help."),
      (["share", "ben"], 2, "Try tasks sync --help."),
      (["machines"], 1, "There is no file"),
      (["machines", "--forget"], 2, "Try tasks sync --help."),
      (["address"], 2, "address needs the address of the server"),
      (["join", address, "--space", ""], 1, "A space needs a name: give it one line of 1 to 200 characters"),
      (
        ["join", address, "--space", String(repeating: "é", count: 300)], 1,
        "The name of the space is too long, with 300 characters: give it one line of 1 to 200"
      ),
      (["join", address, "--space", "anna/"], 1, "A space needs a name"),
      (["join", "postgresql://anna@localhost:99999/tasks"], 1, "invalid port number: \"99999\""),
      (["join", address, "--space", "a\nb"], 1, "has characters that no line has"),
      (["address", "db.example.org"], 1, "There is no file"),
      (["fetch"], 2, "“fetch” is no command.\n"), (["run", "--twice"], 2, "run has no option “--twice”.\n"),
    ]
    for (arguments, status, sentence) in mistakes {
      let outcome = try anna.tasks(["sync"] + arguments)
      #expect(outcome.status == status, "\(arguments): \(outcome)")
      #expect(outcome.errors.contains(sentence), "\(arguments): \(outcome)")
      #expect(outcome.output.isEmpty)
      #expect(!FileManager.default.fileExists(atPath: anna.file), "\(arguments) has made a file")
    }
  }
}
