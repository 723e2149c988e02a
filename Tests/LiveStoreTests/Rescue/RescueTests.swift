import FoundationEssentials
import Glibc
import LiveStoreFixtures
import TestSupport
import Testing

@testable import LiveStore

@Suite("What can be saved of a damaged file")
struct RescueTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/shop.db" }
  private var saved: String { folder.path + "/saved.db" }
  private let configuration: Store.Configuration

  init() {
    configuration = Store.Configuration(path: folder.path + "/shop.db", objectTypes: MigrationOne.types)
  }

  /// Members with pets in links and lists, on some hundred pages, and a table of another program.
  private func makeFile(_ count: Int = 600) throws {
    let store = try TestStore(configuration).store
    try store.write {
      for id in 1...count {
        let pet = MigrationOne.Pet()
        (pet.id, pet.name) = (id, "pet \(id) " + String(repeating: "x", count: id % 50))
        let member = MigrationOne.Member()
        (member.id, member.firstName, member.lastName) = (
          id, "F\(id)", String(repeating: "L\(id) ", count: 9)
        )
        member.nickname = id % 3 == 0 ? nil : String(repeating: "long \(id) ", count: id % 97 == 0 ? 2000 : 1)
        member.pet = pet
        member.pets.append(pet)
        store.add(member)
      }
    }
    store.close()
    sqlite3(
      path,
      """
      create table Other(a text, b real, primary key (b, a)) without rowid; insert into Other select 'o' || id, id + 0.5 from Pet;
      create index Other_a on Other(a); pragma wal_checkpoint(truncate)
      """)
  }

  private static let tables = ["Member", "Pet", "Member_pets", "Other"]

  private func rows(_ path: String, without: String? = nil) -> [String: Set<Substring>] {
    var rows: [String: Set<Substring>] = [:]
    let tables = Self.tables.filter { without != $0 }
    let selections = tables.map { "select '\($0)', * from \($0)" }.joined(separator: ";")
    for row in sqlite3(path, selections).split(separator: "\n") {
      let table = String(row.prefix { $0 != "|" })
      rows[table, default: []].insert(row)
    }
    return rows
  }

  private func removeSaved() {
    for suffix in ["", "-wal", "-shm", "-live"] { unlink(saved + suffix) }
  }

  @Test("A table that the file describes with a wrong letter is made as its class needs it")
  func wrongDescription() throws {
    for (word, other) in [("firstName", "firstNbme"), ("INTEGER NOT NULL P", "INTDGER NOT NULL P")] {
      try makeFile()
      sqlite3(
        path,
        """
        pragma writable_schema = on;
        update sqlite_schema set sql = replace(sql, '\(word)', '\(other)') where name = 'Member';
        pragma wal_checkpoint(truncate)
        """)
      let report = try Store.rescue(configuration, to: saved)
      #expect(report.losses == ["The file describes the table Member wrongly."])
      let copy = Store.Configuration(path: saved, objectTypes: MigrationOne.types)
      #expect(try Store.faults(in: copy) == [])
      let store = try TestStore(copy).store
      #expect(store.objects(MigrationOne.Member.self).allSatisfy { $0.firstName == "F\($0.id)" })
      #expect(store.objects(MigrationOne.Member.self).count == 600)
      store.close()
      removeSaved()
      for suffix in ["", "-wal", "-shm", "-live"] { unlink(path + suffix) }
    }
  }

  @Test("A name of ours of which a letter has another case does not keep the right one from being made")
  func otherCase() throws {
    for (name, other) in [
      ("_livestore_Member_insert", "_livEstore_Member_insert"),
      ("_livestore_Member_insert", "_livestore_Member_inSert"), ("Member_pets", "Member_pEts"),
      ("Member_pets_target_owner", "Member_pets_target_Owner"),
    ] {
      for column in ["name", "sql"] {
        try makeFile(50)
        let places = name == "Member_pets" ? "name = '\(name)'" : "\(column) like '%\(name)%'"
        sqlite3(
          path,
          """
          pragma writable_schema = on;
          update sqlite_schema set \(column) = replace(\(column), '\(name)', '\(other)') where \(places);
          pragma wal_checkpoint(truncate)
          """)
        _ = try Store.rescue(configuration, to: saved)
        let copy = Store.Configuration(path: saved, objectTypes: MigrationOne.types)
        guard let store = try? TestStore(copy).store else {
          Issue.record("what was saved cannot be opened: \(column) \(other)")
          return
        }
        #expect(
          Array(store.objects(MigrationOne.Member.self)).filter { $0.pets.map(\.id) == [$0.id] }.count == 50,
          "\(column) \(other)")
        store.close()
        #expect(try Store.faults(in: copy) == [], "\(column) \(other)")
        removeSaved()
        for suffix in ["", "-wal", "-shm", "-live"] { unlink(path + suffix) }
      }
    }
  }

  @Test("A table of a class whose name is written in another case is saved under that of the class")
  func tableInOtherCase() throws {
    try makeFile(50)
    sqlite3(
      path,
      """
      pragma legacy_alter_table = on; pragma foreign_keys = off;
      alter table Member rename to third; alter table third rename to MEMBER;
      alter table MEMBER add column remark; pragma wal_checkpoint(truncate)
      """)
    let report = try Store.rescue(configuration, to: saved)
    #expect(report.losses == [])
    let store = try TestStore(Store.Configuration(path: saved, objectTypes: MigrationOne.types)).store
    #expect(store.objects(MigrationOne.Member.self).count == 50)
  }

  @Test(
    "All of a file that is sound is saved, with what other programs have added, and the new file is a store")
  func sound() throws {
    try makeFile()
    let report = try Store.rescue(configuration, to: saved)
    #expect(report.losses == [])
    #expect(rows(saved) == rows(path))
    let counts = Dictionary(uniqueKeysWithValues: report.rows.map { ($0.table, $0.count) })
    #expect(counts == ["Member": 600, "Pet": 600, "Member_pets": 600, "Other": 600])
    let parts = "select type, name from sqlite_schema order by 1, 2"
    #expect(sqlite3(saved, parts) == sqlite3(path, parts))
    let copy = Store.Configuration(path: saved, objectTypes: MigrationOne.types)
    #expect(try Store.faults(in: copy) == [])
    let store = try TestStore(copy).store
    #expect(
      store.objects(MigrationOne.Member.self).allSatisfy {
        $0.pets.map(\.id) == [$0.id] && $0.pet?.id == $0.id
      })
    store.close()
  }

  @Test("Transactions in the log count when they are whole there, wherever it is cut off")
  func log() throws {
    let store = try TestStore(configuration).store
    var sizes: [Int] = []
    for id in 1...8 {
      try store.write {
        let pet = MigrationOne.Pet()
        (pet.id, pet.name) = (id, "pet \(id)")
        store.add(pet)
      }
      sizes.append(try #require(FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int))
    }
    // As a crash leaves them: without the file that the connections share.
    let crashed = folder.path + "/crashed.db"
    let wal = try Data(contentsOf: URL(filePath: path + "-wal"))
    try FileManager.default.copyItem(atPath: path, toPath: crashed)
    store.close()
    let damaged = Store.Configuration(path: crashed, objectTypes: MigrationOne.types)
    for end in stride(from: sizes[0], through: wal.count, by: 1_003) {
      try wal.prefix(end).write(to: URL(filePath: crashed + "-wal"))
      _ = try Store.rescue(damaged, to: saved)
      let whole = sizes.count { $0 <= end }
      #expect(sqlite3(saved, "select count(*), max(id) from Pet") == "\(whole)|\(whole)\n", "\(end)")
      #expect(try Data(contentsOf: URL(filePath: crashed + "-wal")).count == end)
      removeSaved()
    }
  }

  @Test("A page that is lost takes nothing with it but the rows that stood on it, whichever page it is")
  func eachPage() throws {
    try makeFile()
    let whole = try Data(contentsOf: URL(filePath: path))
    let before = rows(path)
    let pages = whole.count / 4096
    #expect(pages > 60)
    let places = sqlite3(path, "select pageno, name, pagetype, ncell from dbstat").split(separator: "\n")
      .map { $0.split(separator: "|") }
    var hasLost = 0
    for page in stride(from: 1, through: pages, by: 3) {
      // How many rows stand there, as SQLite counts them; a long one may go on there.
      let place = (places.first { $0[0] == "\(page)" } ?? []).dropFirst().map(String.init)
      // Nothing else tells of a table that the classes do not know.
      let other = place.first == "sqlite_schema" ? "Other" : nil
      var damaged = whole
      damaged.replaceSubrange((page - 1) * 4096..<page * 4096, with: [UInt8](repeating: 0, count: 4096))
      try damaged.write(to: URL(filePath: path))
      let report = try Store.rescue(configuration, to: saved)
      #expect(sqlite3(saved, "pragma integrity_check; pragma foreign_key_check") == "ok\n")
      for (table, count) in report.rows where table == "Member_pets" {
        #expect(sqlite3(saved, "SELECT count(*) FROM Member_pets") == "\(count)\n", "page \(page) \(place)")
      }
      let after = rows(saved, without: other)
      let goneWith = ["Pet", "Member"].reduce(0) { $0 + (before[$1]?.count ?? 0) - (after[$1]?.count ?? 0) }
      for table in Self.tables where table != other {
        let (before, after) = (before[table, default: []], after[table, default: []])
        let lost = before.subtracting(after)
        // A link to a pet that is lost is none.
        let isOwn = place.first == table
        let most = isOwn ? max(Int(place[2]) ?? 0, 1) : 0
        if table == "Member" || table == "Member_pets" {
          // A link to a row that is lost leads to another row, or to none.
          #expect(lost.count <= most + goneWith, "page \(page) \(place)")
        } else {
          #expect(lost.count <= most, "page \(page) \(place): \(lost.count) of \(table)")
          #expect(after.isSubset(of: before), "page \(page) \(place)")
        }
        if !lost.isEmpty {
          hasLost += 1
          #expect(!report.losses.isEmpty, "page \(page) \(place): nothing said")
        }
      }
      #expect(try Data(contentsOf: URL(filePath: path)) == damaged)
      try whole.write(to: URL(filePath: path))
      removeSaved()
    }
    #expect(hasLost > 10)
  }

  @Test("Whatever the bytes are, something sound is saved or a sentence says why not")
  func anything() throws {
    try makeFile(120)
    let whole = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var random = SeededGenerator()
    for _ in 0..<40 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let start = Int.random(in: 0..<bytes.count, using: &random)
        for place in start..<min(bytes.count, start + Int.random(in: 1...3000, using: &random)) {
          bytes[place] = .random(in: 0...255, using: &random)
        }
      }
      if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
      try Data(bytes).write(to: URL(filePath: path))
      do {
        _ = try Store.rescue(configuration, to: saved)
        #expect(sqlite3(saved, "pragma integrity_check") == "ok\n", "\(random.comment)")
      } catch {
        #expect(error.description.hasSuffix("."), "\(random.comment)")
      }
      #expect(try [UInt8](Data(contentsOf: URL(filePath: path))) == bytes)
      removeSaved()
    }
  }

  @Test("What is another application's or a newer version's is not saved")
  func refused() throws {
    let other = folder.path + "/other.db"
    sqlite3(other, "create table t(a); insert into t values (1)")
    #expect(throws: StoreError.self) {
      try Store.rescue(Store.Configuration(path: other, objectTypes: MigrationOne.types), to: saved)
    }
    try makeFile(3)
    sqlite3(path, "pragma user_version = 2")
    #expect(throws: StoreError.self) { try Store.rescue(configuration, to: saved) }
    sqlite3(path, "pragma user_version = 1")
    try Data("mine".utf8).write(to: URL(filePath: saved))
    #expect(throws: StoreError.self) { try Store.rescue(configuration, to: saved) }
    #expect(try Data(contentsOf: URL(filePath: saved)) == Data("mine".utf8))
  }

  @Test("A check finds what is wrong, and nothing in a file that is sound")
  func faults() throws {
    try makeFile(300)
    #expect(try Store.faults(in: configuration) == [])
    // A program that switches triggers and foreign keys off.
    let foreign = try Connection(path: path, create: false)
    foreign.firesTriggers = false
    try foreign.execute("update Member_pets set target = -1 where owner in (1, 2)")
    #expect(
      try Store.faults(in: configuration) == ["2 rows of Member_pets lead to a row of Pet that is not there."]
    )
    try foreign.execute(
      """
      WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1200)
      INSERT INTO Member_pets (entry, owner, position, target) SELECT 9000 + i, 1, 'x' || i, -1 FROM n
      """)
    #expect(
      try Store.faults(in: configuration) == [
        "1,202 rows of Member_pets lead to a row of Pet that is not there."
      ])
    try foreign.execute("delete from Member_pets where entry > 9000")
    sqlite3(
      path, "update Member_pets set target = owner; insert into _livestore_log (entries) values (x'05')")
    #expect(
      try Store.faults(in: configuration) == [
        "A row of the log of changes cannot be read; nothing is lost by it."
      ])
    sqlite3(path, "delete from _livestore_log where entries = x'05'; pragma wal_checkpoint(truncate)")
    #expect(try Store.faults(in: configuration) == [])
    let page = sqlite3(path, "select max(pageno) from dbstat where name = 'Pet' and pagetype = 'leaf'")
    try overwrite(path, at: (Int(page.dropLast())! - 1) * 4096, with: [UInt8](repeating: 0, count: 4096))
    let faults = try Store.faults(in: configuration)
    #expect(faults.contains { $0.contains("damaged") }, "\(faults)")
  }

  @Test("A check names the keys that another program has written in a form by which they are not found")
  func otherKeys() throws {
    let file = TestFile()
    let test = try file.open()
    try test.store.write { test.store.add(Dog("Rex")) }
    let id = try #require(test.store.objects(Dog.self).first?.id)
    #expect(try Store.faults(in: test.store.configuration) == [])
    sqlite3(file.path, "UPDATE Dog SET id = lower(id)")
    try test.store.refresh()
    #expect(test.store.objects(Dog.self).map(\.id) == [id])
    #expect(test.store.object(ofType: Dog.self, forPrimaryKey: id) == nil)
    let fault = try #require(try Store.faults(in: test.store.configuration).first)
    #expect(fault.contains("An object of Dog cannot be found by id"), "\(fault)")
    #expect(
      fault.contains("“\(id.uuidString.lowercased())”") && fault.contains("“\(id.uuidString)”"), "\(fault)")
    sqlite3(file.path, "UPDATE Dog SET id = upper(id)")
    #expect(try Store.faults(in: test.store.configuration) == [])
  }
}
