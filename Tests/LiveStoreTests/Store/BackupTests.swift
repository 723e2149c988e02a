import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import LiveStore

@Suite("Copies of a file")
struct BackupTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/shop.db" }
  private var copy: String { folder.path + "/copy.db" }

  private func files() -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []
  }

  private func configuration(_ version: Int = 1) -> Store.Configuration {
    Store.Configuration(
      path: path, schemaVersion: version, objectTypes: version == 1 ? MigrationOne.types : MigrationTwo.types)
  }

  private func makePets(_ count: Int) throws {
    let store = try TestStore(configuration())
    try store.write { store in
      for number in 0..<count {
        let pet = MigrationOne.Pet()
        pet.id = number
        pet.name = "Rex \(number)"
        store.add(pet)
      }
    }
    store.store.close()
  }

  @Test("A copy made while a store writes is one version of the file, whole")
  func whileWriting() throws {
    let store = try TestStore(configuration())
    for number in 0..<20 {
      try store.write { store in
        // Two at a time: a copy with an odd number would be one of no version.
        for id in [2 * number, 2 * number + 1] {
          let pet = MigrationOne.Pet()
          pet.id = id
          pet.name = "Rex \(number)"
          store.add(pet)
        }
      }
      let copy = "\(folder.path)/copy-\(number).db"
      try store.write { store in
        let pet = MigrationOne.Pet()
        pet.id = -1
        pet.name = "uncommitted"
        store.add(pet)
        try Store.backUp(configuration(), to: copy)
        store.delete(pet)
      }
      #expect(sqlite3(copy, "select count(*) from Pet") == "\(2 * number + 2)\n")
      #expect(sqlite3(copy, "pragma integrity_check") == "ok\n")
    }
    #expect(!files().contains { $0.contains("partial") })
  }

  @Test("A copy takes no other file's place, and a link's neither")
  func existing() throws {
    try makePets(1)
    try Data("mine".utf8).write(to: URL(filePath: copy))
    #expect(throws: StoreError(.fileAccess, "“\(copy)” exists already; name a file that does not.")) {
      try Store.backUp(configuration(), to: copy)
    }
    #expect(try Data(contentsOf: URL(filePath: copy)) == Data("mine".utf8))
    unlink(copy)
    symlink("nowhere", copy)
    #expect(throws: StoreError.self) { try Store.backUp(configuration(), to: copy) }
    #expect(files().filter { $0.hasPrefix("copy") } == ["copy.db"])
  }

  @Test("A damaged file is not copied, and nothing is left behind")
  func damaged() throws {
    try makePets(500)
    let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64)
    try overwrite(path, at: Int(size) - 4096, with: [UInt8](repeating: 0x77, count: 4096))
    do {
      try Store.backUp(configuration(), to: copy)
      Issue.record("it was copied")
    } catch {
      #expect(error.code == .damaged && error.description.contains("damaged"), "\(error)")
    }
    #expect(!files().contains { $0.hasPrefix("copy") })
  }

  @Test("A file is copied before it is migrated, once for each migration, and not when nothing is to be done")
  func migration() throws {
    try makePets(3)
    var next = configuration(2)
    next.migration = { _, _ in }
    try TestStore(next).store.close()
    let backup = path + ".version-1"
    #expect(sqlite3(backup, "select count(*) from Pet; pragma user_version") == "3\n1\n")
    try TestStore(next).store.close()
    #expect(files().filter { $0.contains(".version-") } == ["shop.db.version-1"])
    #expect(fileStatus(backup)?.permissions == 0o600)

    // The file is put back, and migrated once more.
    unlink(path)
    try FileManager.default.copyItem(atPath: backup, toPath: path)
    try TestStore(next).store.close()
    #expect(files().filter { $0.contains(".version-") } == ["shop.db.version-1", "shop.db.version-1.2"])
  }

  @Test("The copy before a migration that fails goes with it")
  func failedMigration() throws {
    struct Refusal: Error {}
    try makePets(3)
    var next = configuration(2)
    next.migration = { _, _ in throw Refusal() }
    #expect(throws: StoreError.self) { try TestStore(next) }
    #expect(!files().contains { $0.contains("version") || $0.contains("partial") })
    try TestStore(configuration()).store.close()
  }

  @Test("A file of which no copy can be made is not migrated, and says why")
  func migrationWithoutCopy() throws {
    try makePets(500)
    let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64)
    try overwrite(path, at: Int(size) - 4096, with: [UInt8](repeating: 0x77, count: 4096))
    var next = configuration(2)
    next.migration = { _, _ in }
    do {
      _ = try TestStore(next)
      Issue.record("it was migrated")
    } catch {
      #expect("\(error)".contains("was not migrated") && "\(error)".contains("damaged"), "\(error)")
    }
    #expect(sqlite3(path, "pragma user_version") == "1\n")
    next.backsUpBeforeMigration = false
    _ = try? TestStore(next)
    #expect(!files().contains { $0.contains(".version-") })
  }
}

/// Writes over some bytes of a file that no connection of this process has open.
func overwrite(_ path: String, at offset: Int, with bytes: [UInt8]) throws {
  let descriptor = open(path, O_WRONLY | O_CLOEXEC)
  defer { close(descriptor) }
  try #require(pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count)
}
