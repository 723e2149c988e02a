import Glibc
import Testing

@testable import LiveStore

/// A file of some hundred pages, of which a part can be damaged and repaired.
private struct DamagedFixture {
  let keepers: KeeperFixture
  var path: String { keepers.file.path }
  private var copy: String { path + "-shm.copy" }

  static let count = 4_904

  init() throws {
    keepers = try KeeperFixture()
    let store = try keepers.open().store
    try store.write {
      for id in 100..<5_000 { store.add(Keeper(id, name: String(repeating: "name \(id) ", count: 20))) }
    }
    store.close()
    // The store's worker gives up its snapshots later than `close()` returns: until then the rows lie in the
    // log, where damage to the file does not reach them.
    try #require(
      sqlite3(path, "PRAGMA wal_checkpoint(TRUNCATE)") == "0|0|0\n", "all pages are in the file")
  }

  func open() throws -> TestStore { try keepers.open() }

  /// Overwrites pages that the store has not read, as a disk loses them: the time of change stays.
  func damage(_ store: Store) throws {
    shell("cp -p '\(path)' '\(copy)'; head -c 819200 /dev/urandom > '\(copy).new'")
    try overwrite(by: copy + ".new", from: 0, store)
  }

  /// Puts the pages back, and has another program write something.
  func repair(_ store: Store) throws {
    try overwrite(by: copy, from: 49_152, store)
    unlink(copy)
    unlink(copy + ".new")
    sqlite3(path, "UPDATE Keeper SET age = 7 WHERE id = 1")
  }

  /// Writes pages at once, and puts the time of change back, while the watcher is paused: it would take the
  /// file for one that another program has written over. By another process, since closing the file would
  /// release SQLite's locks of this one.
  private func overwrite(by other: String, from offset: Int, _ store: Store) throws {
    let paused = try PausedWatcher(store)
    defer { paused.resume() }
    let flags = "iflag=skip_bytes,fullblock oflag=seek_bytes conv=notrunc"
    shell(
      "dd if='\(other)' skip=\(offset) of='\(path)' seek=49152 bs=819200 count=1 \(flags) 2>/dev/null; "
        + "touch -r '\(copy)' '\(path)'")
  }

  func removeCopy() {
    unlink(copy)
    unlink(copy + ".new")
  }
}

@Suite("L14. A read that fails never ends the program")
struct FailingReadTests {
  @Test("L14: outside of a write, what cannot be read has a harmless value, and each observer is told once")
  func outside() throws {
    let fixture = try DamagedFixture()
    let test = try fixture.open()
    let keepers = test.observe(test.keepers.limit(2))
    let keeper = ObjectObservation(try test.keeper(1))
    let store = StoreObservation(test.store)
    #expect(keepers.events == [.initial] && test.store.failure == nil)
    try fixture.damage(test.store)
    let sorted = test.keepers.sorted(by: \.name)
    #expect(sorted.count == DamagedFixture.count || test.store.failure != nil)
    let far = sorted[3_000]
    #expect((far.id, far.name, far.age, far.nickname, far.best, far.hounds.count) == (0, "", 0, nil, nil, 0))
    #expect(sorted.isEmpty && sorted.first == nil && sorted.last == nil && sorted.index(of: far) == nil)
    #expect(sorted.map(\.name) == [] && test.keepers.sum(of: \.age) == 0)
    let cause = try #require(test.store.failure)
    #expect(cause.code == .damaged)
    #expect(store.events == [] && keepers.events == [.initial], "nobody is called while reading")
    #expect(test.turn())
    #expect(store.events == [.failed(cause)])
    #expect(keepers.events == [.initial, .error(cause)] && keepers.token?.invalidate() == false)
    #expect(keeper.events == ["error: \(cause)"])
    #expect(sorted[4_000].name == "")
    for _ in 0..<3 { test.store.processNotifications() }
    #expect(store.events.count(where: { if case .failed = $0 { true } else { false } }) == 1)
    #expect(keepers.events.count == 2 && keeper.events.count == 1)
    fixture.removeCopy()
  }

  @Test("L14: a store on a disk that works again is read and observed again")
  func recovery() throws {
    let fixture = try DamagedFixture()
    let test = try fixture.open()
    try fixture.damage(test.store)
    let sorted = test.keepers.sorted(by: \.name)
    let sections = sorted.sectioned { $0.name.first }
    #expect(sorted[3_000].name == "" && sections.count == 0)
    let cause = try #require(test.store.failure)
    try fixture.repair(test.store)
    #expect(test.store.failure == cause, "until the store has looked")
    try test.store.refresh()
    #expect(test.store.failure == nil)
    #expect(sorted.count == DamagedFixture.count && sorted[3_000].name.hasPrefix("name "))
    #expect(sections.map { $0.count }.reduce(0, +) == DamagedFixture.count)
    #expect(try test.keeper(1).age == 7)
    // The failure was that of others, who have yet to be told.
    let again = test.observe(test.keepers.limit(2))
    try test.write { _ in try test.keeper(2).age = 8 }
    #expect(test.turns { again.changes.count == 1 })
    #expect(try test.keeper(2).age == 8)
  }

  @Test("L14: in a write, what cannot be read makes the write fail at its end, and all of it is taken back")
  func inWrite() throws {
    let fixture = try DamagedFixture()
    let test = try fixture.open()
    let near = try test.keeper(1)
    let hound = try test.hound(1)
    let keepers = test.observe(test.keepers.limit(2))
    try fixture.damage(test.store)
    var reached = false
    let error = #expect(throws: StoreError.self) {
      try test.store.write {
        near.age = 5
        test.store.add(Keeper(9_000, name: "new"))
        let far = test.keepers.sorted(by: \.name)[3_000]
        #expect(far.name == "")
        far.age = 6
        near.hounds.append(hound)
        reached = true
      }
    }
    #expect(reached && error?.code == .damaged)
    #expect(!test.store.isInWriteTransaction && near.age == 0 && near.hounds.isEmpty)
    #expect(test.store.object(ofType: Keeper.self, forPrimaryKey: 9_000) == nil)
    #expect(keepers.events == [.initial], "the callers of the write are told")
    try fixture.repair(test.store)
    #expect(
      sqlite3(
        fixture.path,
        "SELECT age FROM Keeper WHERE id = 1; SELECT count(*) FROM Keeper_hounds; PRAGMA integrity_check")
        == "7\n0\nok\n")
    // The version shown, with the pages that SQLite has kept of it, is given up.
    test.store.invalidate()
    try test.write { _ in near.age = 1 }
    #expect(test.turns { !keepers.changes.isEmpty })
    #expect(near.age == 1 && test.store.failure == nil)
  }

  @Test("L14: what the closure of a write throws because it could not read something is told by its cause")
  func cause() throws {
    struct NotFound: Error {}
    let fixture = try DamagedFixture()
    let test = try fixture.open()
    try fixture.damage(test.store)
    let error = #expect(throws: StoreError.self) {
      try test.store.write {
        guard test.keepers.sorted(by: \.name).last != nil else { throw NotFound() }
      }
    }
    #expect(error?.code == .damaged)
    #expect(throws: StoreError.self) {
      try test.store.write { if test.keepers.sorted(by: \.name).last == nil { test.store.cancelWrite() } }
    }
    try test.store.write { test.store.cancelWrite() }
    #expect(throws: NotFound.self) { try test.store.write { throw NotFound() } }
    fixture.removeCopy()
  }

  @Test("L14: a full disk inside a write is thrown at its end, whatever is read and changed after it")
  func fullDisk() throws {
    let fixture = try KeeperFixture()
    let test = try fixture.open()
    let keeper = try test.keeper(1)
    try test.write { _ in keeper.hounds.append(try test.hound(1)) }
    let all = test.keepers
    _ = all.index(of: keeper)
    try test.store.connection.execute("PRAGMA max_page_count = 30")
    let error = #expect(throws: StoreError.self) {
      try test.store.write {
        for id in 100..<5_000 {
          test.store.add(Keeper(id, name: String(repeating: "name \(id) ", count: 20)))
          _ = all.count
        }
        // Each of these loops ends because nothing is shown any more, although nothing is deleted.
        while let last = all.last { test.store.delete(last) }
        while keeper.hounds.count > 0 { keeper.hounds.remove(at: 0) }
        while !all.isEmpty { test.store.delete(all[0]) }
        keeper.hounds.append(Hound(70))
        keeper.hounds.move(from: 1, to: 0)
        keeper.hounds.insert(Hound(71), at: 3)
        keeper.hounds[2] = Hound(72)
        keeper.hounds.insert(contentsOf: [Hound(73)], after: try test.keeper(1).best ?? Hound(74))
        keeper.hounds.removeAll()
        keeper.name = "other"
        keeper.best = Hound(75)
      }
    }
    #expect(error?.code == .diskFailure)
    #expect(all.count == 4 && keeper.name == "k1" && keeper.best == nil && keeper.hounds.map(\.id) == [1])
    try test.write { _ in keeper.age = 3 }
    let found = sqlite3(fixture.file.path, "SELECT count(*), max(age) FROM Keeper; PRAGMA integrity_check")
    #expect(found == "4|3\nok\n")
  }

  @Test("L14: after invalidate(), what another program has done to the tables is an error and no end")
  func migratedWhileInvalidated() throws {
    let fixture = try KeeperFixture()
    let test = try fixture.open()
    let keepers = test.observe(test.keepers)
    let keeper = try test.keeper(1)
    test.store.invalidate()
    sqlite3(fixture.file.path, "DROP TABLE Hound")
    #expect(test.keepers.count == 0 && keeper.name == "" && !keeper.isInvalidated)
    #expect(test.store.failure?.code == .schema)
    #expect(test.turns { keepers.events.count > 1 })
    #expect(keepers.events.count == 2)
    #expect(throws: StoreError.self) { try test.store.refresh() }
    #expect(throws: StoreError.self) { try test.store.write {} }
  }

  @Test("L14: an index of a section is no fault of the program when a read has failed since it was counted")
  func sections() throws {
    let fixture = try DamagedFixture()
    let test = try fixture.open()
    let sections = test.keepers.sorted(by: \.name).sectioned { $0.name.first }
    let section = try #require(sections.last)
    let (count, number) = (section.count, sections.count)
    #expect(count == DamagedFixture.count - 4 && number == 2)
    test.store.invalidate()
    // Has SQLite forget the pages that it has read. The last change is in the log alone, so that the store
    // cannot find out by it that the file has been written over.
    sqlite3(
      fixture.path,
      "UPDATE Keeper SET age = 6 WHERE id = 1; PRAGMA wal_checkpoint; UPDATE Keeper SET age = 7 WHERE id = 1")
    try fixture.damage(test.store)
    #expect(section[count - 1].name == "" && test.store.failure != nil && test.store.failedReads > 0)
    #expect(section.count == count && sections[number - 1].key == section.key)
    #expect(sections[[number - 1, count - 1]].name == "")
    // Those on pages that are whole may be read.
    #expect(section.map(\.name).allSatisfy { $0.isEmpty || $0.hasPrefix("name ") })
    #expect(throws: StoreError.self) {
      try test.store.write {
        for element in section { element.age += 1 }
      }
    }
    try fixture.repair(test.store)
    test.store.invalidate()
    sqlite3(fixture.path, "UPDATE Keeper SET age = 8 WHERE id = 1; PRAGMA wal_checkpoint")
    try test.store.refresh()
    #expect(section[count - 1].name.hasPrefix("name ") && section.count == count)
  }

  @Test(
    "L14: a notification source that could have no descriptor is an error where a store is opened with it")
  func noDescriptor() async {
    await #expect(processExitsWith: .success) {
      let fixture = try KeeperFixture()
      var descriptors: [Int32] = []
      while case let descriptor = dup(0), descriptor >= 0 { descriptors.append(descriptor) }
      let source = NotificationSource()
      for descriptor in descriptors { close(descriptor) }
      #expect(source.fileDescriptor == -1)
      let error = #expect(throws: StoreError.self) {
        try Store(
          Store.Configuration(path: fixture.file.path, objectTypes: [Keeper.self, Hound.self]),
          scheduler: .fileDescriptor(source))
      }
      #expect(error?.description.contains("No file descriptor was left") == true)
    }
  }

  @Test("L14: a store that cannot be frozen gives a copy that shows nothing and says why")
  func freezing() async {
    await #expect(processExitsWith: .success) {
      let fixture = try KeeperFixture()
      let test = try fixture.open()
      let keepers = test.keepers
      #expect(keepers.count == 4)
      var descriptors: [Int32] = []
      while true {
        let descriptor = dup(0)
        if descriptor < 0 { break }
        descriptors.append(descriptor)
      }
      let frozen = keepers.freeze()
      #expect(frozen.count == 0 && frozen.isEmpty && frozen.store.failure != nil)
      #expect(test.store.failure != nil && keepers.count == 4)
      for descriptor in descriptors { close(descriptor) }
      try test.store.refresh()
      #expect(keepers.freeze().count == 4 && test.store.failure == nil)
    }
  }

  @Test("L14: a row that only an index has is an error of the file, not of the program")
  func staleIndex() throws {
    let file = TestFile()
    let types: [Object.Type] = [Signpost.self]
    let writer = try TestStore(file.path, types: types).store
    try writer.write { for id in 0..<10 { writer.add(Signpost(id)) } }
    writer.close()
    // Deletes rows behind the back of the index.
    sqlite3(
      file.path,
      """
      CREATE TABLE saved AS SELECT * FROM sqlite_schema WHERE tbl_name = 'Signpost' AND type = 'index';
      PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name IN (SELECT name FROM saved);
      """)
    sqlite3(
      file.path,
      """
      DELETE FROM Signpost WHERE id = 4;
      PRAGMA writable_schema = ON; INSERT INTO sqlite_schema SELECT * FROM saved; DROP TABLE saved
      """)
    let test = try TestStore(file.path, types: types)
    let sorted = test.store.objects(Signpost.self).sorted(by: \.way)
    #expect(sorted.map(\.id) == Array(0..<10))
    #expect(sorted.map(\.note).count == 10)
    #expect(test.store.failure?.description.contains("a Signpost that it lists is not there") == true)
    let frozen = test.store.freeze().objects(Signpost.self).sorted(by: \.way)
    #expect(frozen.map(\.note).count == 10 && frozen.store.failure != nil)
  }
}

final class Signpost: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var way = 0
  @Persisted var note = "note"

  convenience init(_ id: Int) {
    self.init()
    self.id = id
    way = id
  }
}
