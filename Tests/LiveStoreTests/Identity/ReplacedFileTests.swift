import Dispatch
import FoundationEssentials
import Glibc
import LiveStoreFixtures
import TestSupport
import Testing

@testable import LiveStore

/// The things that a person or a program does to the files that a store has open, behind SQLite's back.
@Suite("The file under a store's feet")
struct ReplacedFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/test.db" }

  init() { folder = TemporaryFolder() }

  private func open() throws -> TestStore { try TestStore(path) }

  private func addPeople(_ ids: ClosedRange<Int>, to path: String? = nil) throws {
    let store = try TestStore(path ?? self.path).store
    try store.write { for id in ids { store.add(Person(id: id, name: "p\(id)", age: id * 10)) } }
    store.close()
  }

  /// Ways to take the file away, with a word of the sentence that tells of each.
  private static let ways: [(command: String, word: String)] = [
    ("rm test.db", "deleted or moved"),
    ("rm test.db*", "deleted or moved"),
    ("mv test.db elsewhere.db", "deleted or moved"),
    ("mkdir sub && mv test.db* sub", "deleted or moved"),
    ("mv other.db test.db", "was replaced"),
    ("rm test.db* && mv other.db test.db", "was replaced"),
    ("mv test.db old.db && cp other.db test.db", "was replaced"),
    ("rm test.db && mkdir test.db", "was replaced"),
    ("rm test.db && mkfifo test.db", "was replaced"),
    ("mv test.db real.db && ln -s other.db test.db", "was replaced"),
    ("rm test.db && sqlite3 test.db 'create table x (y)'", "was replaced"),
    ("rm test.db-wal", "test.db-wal”"),
    ("mv test.db-wal x", "test.db-wal”"),
    ("rm test.db-shm", "test.db-shm”"),
    ("cp other.db test.db", "written over"),
    ("cat other.db > test.db", "written over"),
    ("truncate -s 0 test.db", "written over"),
    // The log is written back at the same moment.
    ("sqlite3 test.db 'pragma wal_checkpoint' && truncate -s 0 test.db", "written over"),
    ("sqlite3 test.db 'pragma wal_checkpoint' && cp other.db test.db", "written over"),
    ("truncate -s 0 test.db-wal", "cut off"),
    ("cp other.db-wal test.db-wal", "cut off"),
  ]

  /// A file with something in its log, and another one beside it.
  private func prepare() throws -> TestStore {
    try addPeople(1...3)
    try addPeople(1...30, to: folder.path + "/other.db")
    shell(
      "cd '\(folder.path)' && sqlite3 other.db 'update Person set age = 1' .checkpoint 2>/dev/null; : > "
        + "other.db-wal"
    )
    let test = try open()
    try test.write { _ in test.person(1).name = "saved" }
    return test
  }

  @Test(
    "It is noticed, said to every callback, and nothing that is written then is called saved", arguments: ways
  )
  func taken(way: (command: String, word: String)) throws {
    let test = try prepare()
    let people = test.observe(test.people)
    let object = ObjectObservation(test.person(2))
    shell("cd '\(folder.path)' && \(way.command)")
    // Told without being asked for, where a name in the folder has changed; else with the next write of
    // anybody.
    let isNameChanged = !way.word.contains("written over") && !way.word.contains("cut off")
    if isNameChanged { #expect(test.turns { people.events.count > 1 }) }
    let error = #expect(throws: StoreError.self) { try test.write { _ in test.person(2).name = "lost" } }
    #expect(error?.description.contains(way.word) == true, "\(String(describing: error))")
    #expect(error?.description.contains(path) == true)
    #expect(throws: StoreError.self) { try test.store.refresh() }
    #expect(test.turns { people.events.count > 1 && !object.events.isEmpty })
    #expect(people.events.count == 2 && object.events.count == 1)
    if case .error(let told)? = people.events.last {
      // Between two commands there was no file.
      #expect(told.description.contains(way.word) || told.description.contains("deleted or moved"))
    } else {
      Issue.record("\(people.events)")
    }
    // The version shown stays, unless the file that it is read from was written over.
    if isNameChanged { #expect(test.people.map(\.name) == ["saved", "p2", "p3"]) }
    #expect(!test.store.isInWriteTransaction)
  }

  @Test(
    "In a pause, what was written over the file is not mixed with the log, and the callbacks are told",
    arguments: [true, false])
  func pause(writesItself: Bool) throws {
    let test = try prepare()
    let people = test.observe(test.people)
    if writesItself {
      try test.write { _ in test.person(2).name = "in the log" }
    } else {
      sqlite3(path, "update Person set name = 'in the log' where id = 2")
      #expect(test.turns { people.events.count > 1 })
    }
    // The pause is not to come before the other file has.
    let paused = try PausedWatcher(test.store)
    shell("cd '\(folder.path)' && cp other.db test.db")
    paused.resume()
    #expect(test.turns { people.events.count > 2 })
    if case .error(let error)? = people.events.last {
      #expect(error.description.contains("written over"))
    } else {
      Issue.record("\(people.events)")
    }
    shell("cd '\(folder.path)' && cmp other.db test.db")
  }

  @Test("A store that does not observe, and has not looked, finds out before its commit", arguments: ways)
  func unseen(way: (command: String, word: String)) throws {
    let test = try prepare()
    let paused = try PausedWatcher(test.store)
    // The folder's time is known to the store by then.
    for id in 1...3 { try test.write { _ in test.person(id).age = 7 } }
    shell("cd '\(folder.path)' && \(way.command)")
    let error = #expect(throws: StoreError.self) { try test.write { _ in test.person(2).name = "lost" } }
    #expect(error?.description.contains(way.word) == true, "\(String(describing: error))")
    #expect(!test.store.isInWriteTransaction)
    paused.resume()
  }

  @Test("A file that is put back is written to again, and observed by those who come then")
  func putBack() throws {
    let test = try prepare()
    let people = test.observe(test.people)
    shell("cd '\(folder.path)' && mv test.db elsewhere.db")
    #expect(test.turns { people.events.count > 1 })
    #expect(throws: StoreError.self) { try test.write { _ in test.person(2).name = "lost" } }
    shell("cd '\(folder.path)' && mv elsewhere.db test.db")
    try test.write { _ in test.person(2).name = "found" }
    let again = test.observe(test.people)
    sqlite3(path, "update Person set age = 4 where id = 3")
    #expect(test.turns { !again.changes.isEmpty })
    #expect(again.changes == [ChangeSet(mod: [2])])
    #expect(sqlite3(path, "select group_concat(name) from Person") == "saved,found,p3\n")
  }

  @Test(
    "The observers of a store are told when its file is back, without asking; until then it is read as it was"
  )
  func toldOfReturn() throws {
    let test = try prepare()
    let events = StoreObservation(test.store)
    shell("cd '\(folder.path)' && mv test.db elsewhere.db")
    #expect(test.turns { !events.events.isEmpty })
    let cause = try #require(test.store.failure)
    #expect(events.events == [.failed(cause)] && cause.description.contains("deleted or moved"))
    #expect(test.people.map(\.name) == ["saved", "p2", "p3"] && test.store.failedReads == 0)
    shell("cd '\(folder.path)' && cp other.db test.db")
    #expect(test.turns { events.events.count > 1 }, "another cause")
    #expect(test.store.failure?.description.contains("was replaced") == true)
    shell("cd '\(folder.path)' && mv elsewhere.db test.db")
    #expect(test.turns { events.events.contains(.recovered) })
    #expect(test.store.failure == nil && events.events.count(where: { $0 == .recovered }) == 1)
    let people = test.observe(test.people)
    sqlite3(path, "update Person set age = 4 where id = 3")
    #expect(test.turns { !people.changes.isEmpty })
    #expect(people.changes == [ChangeSet(mod: [2])])
  }

  @Test("The observers of a store are told when a part of its file is back", arguments: ["wal", "shm"])
  func toldOfPart(part: String) throws {
    let test = try prepare()
    let events = StoreObservation(test.store)
    shell("cd '\(folder.path)' && mv test.db-\(part) elsewhere")
    #expect(test.turns { !events.events.isEmpty })
    shell("cd '\(folder.path)' && mv elsewhere test.db-\(part)")
    #expect(test.turns { events.events.contains(.recovered) })
    #expect(test.store.failure == nil)
    try test.write { _ in test.person(2).name = "found" }
    #expect(sqlite3(path, "select name from Person where id = 2") == "found\n")
  }

  @Test("No store that is opened elsewhere for a callback makes a file in place of one that is gone")
  func elsewhere() throws {
    let test = try prepare()
    shell("cd '\(folder.path)' && mv test.db elsewhere.db")
    let told = DispatchSemaphore(value: 0)
    let token = test.people.observe(on: .queue(DispatchQueue(label: "elsewhere"))) { change in
      if case .error = change { told.signal() }
    }
    #expect(told.wait(timeout: .now() + .milliseconds(Int(Patience.milliseconds))) == .success)
    token.invalidate()
    #expect(access(path, F_OK) != 0)
    shell("cd '\(folder.path)' && mv elsewhere.db test.db")
    try test.write { _ in test.person(2).name = "found" }
  }

  @Test("A store that has given its snapshot up hears that its file is back, too")
  func toldOfReturnInvalidated() throws {
    let test = try prepare()
    let events = StoreObservation(test.store)
    test.store.invalidate()
    shell("cd '\(folder.path)' && mv test.db elsewhere.db")
    #expect(test.turns { !events.events.isEmpty })
    shell("cd '\(folder.path)' && mv elsewhere.db test.db")
    #expect(test.turns { events.events.contains(.recovered) })
    #expect(test.store.failure == nil && test.people.count == 3)
  }

  @Test("The observers of a store are told when a table that another program had removed is there again")
  func toldOfTable() throws {
    let test = try prepare()
    let events = StoreObservation(test.store)
    sqlite3(path, "pragma legacy_alter_table = on; alter table Dog rename to Away")
    #expect(test.turns { !events.events.isEmpty })
    #expect(test.store.failure?.code == .schema && test.people.count == 3 && test.store.failedReads == 0)
    sqlite3(path, "pragma legacy_alter_table = on; alter table Away rename to Dog")
    #expect(test.turns { events.events.contains(.recovered) })
    #expect(test.store.failure == nil)
  }

  @Test(
    "What SQLite itself does to the file is none of it: checkpoints, VACUUM, restoring, other files in the folder"
  )
  func harmless() throws {
    let test = try prepare()
    let people = test.observe(test.people)
    for command in [
      "sqlite3 test.db 'pragma wal_checkpoint(passive)'", "sqlite3 test.db 'pragma wal_checkpoint(truncate)'",
      "sqlite3 test.db 'vacuum'", "sqlite3 test.db 'pragma wal_checkpoint(restart)'",
      "touch x && mv x y && rm y",
      "sqlite3 test.db '.backup copy.db' && sqlite3 test.db '.restore copy.db'", "cat test.db > copy.db",
      "chmod 600 test.db", "ln test.db hard.db && rm hard.db",
      "sqlite3 test.db 'pragma journal_mode = delete' | grep -q wal",
      "sqlite3 test.db 'analyze; reindex; pragma optimize'", "rm test.db-live",
    ] {
      shell("cd '\(folder.path)' && (\(command)) > output 2>&1 || true")
      try test.write { _ in test.person(3).age += 1 }
      sqlite3(path, "update Person set age = age + 1 where id = 2")
      try test.store.refresh()
      #expect(people.rows == ["1", "2", "3"], "\(command)")
    }
    #expect(people.events.allSatisfy { if case .error = $0 { false } else { true } })
    #expect(test.people.map(\.age) == [10, 32, 42])
  }

  @Test(
    "A log that is written back once more, since a process was killed while it noted a commit, is no other file"
  )
  func killedWhileNoting() throws {
    let test = try open()
    try test.write { $0.add(Person(id: 1, name: "a", age: 1)) }
    shell("sqlite3 '\(path)' 'pragma wal_checkpoint' > /dev/null")
    // The store takes note of the file with its next look.
    try test.write { _ in test.person(1).name = "b" }
    shell("sqlite3 '\(path)' 'pragma wal_checkpoint' > /dev/null")
    try test.store.identity.check()
    // The first of the two copies is not the second: no writer holds the lock, so that the next reader makes
    // both anew.
    shell("printf x | dd of='\(path)-shm' bs=1 seek=8 conv=notrunc 2>/dev/null")
    let index = try #require(test.store.coordinator.index)
    #expect(index.header() == nil)
    shell("sqlite3 '\(path)' 'select count(*) from Person' 'pragma wal_checkpoint' > /dev/null")
    #expect(index.header() != nil)
    try test.store.identity.check()
    try test.write { _ in test.person(1).name = "c" }
    #expect(sqlite3(path, "select name from Person") == "c\n")
  }

  @Test("A file that may no longer be read is used as before, and said not to be openable")
  func unreadable() throws {
    let test = try prepare()
    let people = test.observe(test.people)
    shell("chmod 000 '\(path)'")
    try test.write { _ in test.person(3).age = 1 }
    try test.store.refresh()
    #expect(people.changes == [ChangeSet(mod: [2])])
    if getuid() != 0 { #expect(throws: StoreError.self) { try open() } }
    shell("chmod 600 '\(path)'")
    #expect(sqlite3(path, "select age from Person where id = 3") == "1\n")
  }

  @Test("Asking what a database is drops none of the locks that SQLite holds on it")
  func locks() throws {
    let test = try prepare()
    let inode = try #require(fileStatus(path)).st_ino
    // One line for the lock of all who have it open; none once they are dropped. While other processes lock
    // and unlock, a reading may miss one that is there, but not each.
    let isLocked = "for time in $(seq 200); do grep -q ':\(inode) ' /proc/locks && exit; done; exit 1"
    shell(isLocked)
    do {
      let identity = FileIdentity(files: DatabaseFiles(databasePath: path))
      identity.noteDatabase()
      try identity.check()
    }
    shell(isLocked)
    withExtendedLifetime(test) {}
  }

  // MARK: Another file by the same name

  @Test(
    "No connection reads another file by the name, which gets nothing of the store's log, and the log stays")
  func anotherFile() throws {
    let test = try prepare()
    let people = sqlite3(path, "select * from Person order by id")
    let log = try #require(fileStatus(path + "-wal"))
    shell("cd '\(folder.path)' && mv test.db away.db && cp other.db test.db")
    #expect(throws: StoreError.self) { try test.store.checkpoint() }
    #expect(test.store.freeze().failure != nil)
    // As an observer on another scheduler does, if the file was still there when it looked.
    let scheduler = Scheduler.fileDescriptor(NotificationSource())
    #expect(throws: StoreError.self) {
      try Store(test.store.configuration, scheduler: scheduler, sameFileAs: test.store.identity)
    }
    shell("cd '\(folder.path)' && cmp other.db test.db && mv away.db test.db")
    #expect(fileStatus(path + "-wal")?.st_ino == log.st_ino && log.st_size > 0)
    #expect(sqlite3(path, "select * from Person order by id") == people)
    try test.store.refresh()
    try test.write { _ in test.person(3).age = 1 }
    #expect(sqlite3(path, "select age from Person where id = 3") == "1\n")
  }

  @Test(
    "A file that gets the name of an open one is opened once that is closed, and each has its own content",
    arguments: [
      "mv test.db away.db && cp other.db test.db", "ln test.db away.db && mv other.db test.db",
      "mv test.db away.db && ln -s other.db test.db", "mv test.db away.db",
    ])
  func nameOfOpenFile(command: String) throws {
    var test: TestStore? = try prepare()
    let people = sqlite3(path, "select * from Person order by id")
    var frozen: Store? = test?.store.freeze()
    // No process has it open, so that nothing is in its log.
    let others = sqlite3(folder.path + "/other.db", "select * from Person order by id")
    shell("cd '\(folder.path)' && rm -f other.db-* && cp other.db intact.db && \(command)")
    let isThere = access(path, F_OK) == 0
    let isLink = command.contains("ln -s")
    if isLink {
      // It leads to a log of another name.
      #expect(try open().people.count == 30)
    } else {
      let sentence = isThere ? "is not the file that is open by this name" : "was deleted or moved"
      for path in [path, folder.path + "/./test.db"] {
        let error = #expect(throws: StoreError.self) { try TestStore(path) }
        #expect(error?.code == .fileAccess && error?.description.contains(sentence) == true)
      }
      #expect(throws: StoreError.self) { try FileDescription(path: path) }
      #expect((access(path, F_OK) == 0) == isThere)
    }
    if isThere { shell("cd '\(folder.path)' && cmp intact.db test.db") }
    let log = try #require(fileStatus(path + "-wal"))
    #expect(log.st_size > 0)
    test = nil
    // The frozen copy reads the log still.
    #expect(frozen?.objects(Person.self).map(\.name).contains("saved") == true)
    #expect(fileStatus(path + "-wal")?.st_ino == log.st_ino)
    frozen = nil
    #expect(fileStatus(path + "-wal").map { $0.st_size } ?? 0 == 0)
    #expect(sqlite3(folder.path + "/away.db", "select * from Person order by id") == people)
    guard isThere else { return }
    let again = try open()
    #expect(again.people.count == 30)
    again.store.close()
    #expect(sqlite3(path, "select * from Person order by id") == others)
  }

  @Test(
    "A file that another program has written by its new name is not written to when the store is closed",
    arguments: ["", "sqlite3 away.db 'pragma wal_checkpoint(truncate)'"])
  func writtenByNewName(checkpoint: String) throws {
    var test: TestStore? = try prepare()
    shell("cd '\(folder.path)' && sqlite3 test.db 'pragma wal_checkpoint' > /dev/null")
    try test?.write { _ in for id in 4...300 { test?.store.add(Person(id: id, name: "logged")) } }
    let away = folder.path + "/away.db"
    shell("mv '\(path)' '\(away)'")
    sqlite3(away, "delete from Person where id = 2; update Person set name = 'there'")
    if !checkpoint.isEmpty { shell("cd '\(folder.path)' && \(checkpoint) > /dev/null") }
    shell("cd '\(folder.path)' && cp away.db written.db")
    test = nil
    shell("cd '\(folder.path)' && cmp written.db away.db")
    #expect(sqlite3(away, "pragma integrity_check; select id, name from Person") == "ok\n1|there\n3|there\n")
  }

  @Test(
    "A store that was opened by a relative path, and moves to another folder, freezes, searches and keeps to its own file"
  )
  func relative() async throws {
    await #expect(processExitsWith: .success) {
      let temporary = TemporaryFolder()
      let folder = temporary.path
      let path = folder + "/test.db"
      mkdir(folder + "/there", 0o700)
      for (place, name) in [(folder, "own"), (folder + "/there", "other")] {
        chdir(place)
        let store = try TestStore("test.db").store
        try store.write { store.add(Person(id: 1, name: name)) }
        store.close()
      }
      chdir(folder)
      let test = try TestStore("test.db")
      precondition(test.store.path == path, "the path is resolved")
      chdir(folder + "/there")
      for age in 1...4 {
        let frozen = test.store.freeze()
        precondition(frozen.objects(Person.self).map(\.name) == ["own"], "frozen")
        try test.write { _ in test.person(1).age = age }
        sqlite3(path, "update Person set age = age + 10")
        try test.store.refresh()
        precondition(test.people.map(\.name) == ["own"], "live")
      }
      let other = try TestStore(test.store.configuration)
      precondition(other.people.map(\.name) == ["own"], "another store of the same configuration")
      precondition(
        sqlite3(folder + "/there/test.db", "select name, age from Person") == "other|0\n", "untouched")
    }
  }

  @Test("A link to the file that leads elsewhere later: the store keeps its own file")
  func link() throws {
    try addPeople(1...2, to: folder.path + "/real.db")
    try addPeople(1...5, to: folder.path + "/other.db")
    shell("cd '\(folder.path)' && ln -s real.db test.db")
    let test = try open()
    shell("cd '\(folder.path)' && ln -sfn other.db test.db")
    for age in 1...3 {
      let frozen = test.store.freeze()
      try test.write { _ in test.person(1).age = age }
      #expect(frozen.objects(Person.self).count == 2)
    }
    #expect(sqlite3(folder.path + "/real.db", "select age from Person where id = 1") == "3\n")
    #expect(sqlite3(folder.path + "/other.db", "select age from Person where id = 1") == "10\n")
  }

  @Test("A further connection to a file that was replaced is an error")
  func furtherConnection() throws {
    let test = try prepare()
    shell("cd '\(folder.path)' && rm test.db* && cp other.db test.db")
    let database = DatabaseFile(
      identity: test.store.identity, configuration: test.store.configuration, schema: test.store.schema)
    let error = #expect(throws: StoreError.self) { try database.openAnother() }
    #expect(error?.description.contains("was replaced") == true)
  }
}
