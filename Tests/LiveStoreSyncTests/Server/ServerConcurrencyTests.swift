import Dispatch
import Glibc
import LiveStore
import LiveStoreSync
import PostgreSQLCluster
import Testing

/// Several machines at the same time.
@Suite("Machines at the same time", .enabled(if: TestCluster.isInstalled, "PostgreSQL is not installed"))
struct ServerConcurrencyTests {
  @Test("Whoever pulls while others push misses nothing: versions are in the order of commits")
  func commitOrder() throws {
    let server = try TestDatabase()
    let (reader, entrance) = try server.machine("reader", as: "anna", in: nil)
    let (writers, pushes) = (3, 60)
    let failures = Failures()
    let group = DispatchGroup()
    for writer in 0..<writers {
      DispatchQueue.global().async(group: group) {
        failures.collect {
          let (machine, _) = try server.machine("writer \(writer)", as: "anna", in: entrance.space)
          for push in 0..<pushes {
            _ = try machine.push(
              [
                task("\(writer) \(push)", ["x": 1], at: 1),
                task("all", ["\(writer)": .integer(Int64(push))], at: Int64(push)),
              ],
              known: SpaceVersion())
          }
        }
      }
    }
    var known: Int64 = 0
    var keys: Set<SyncedObject.Identity> = []
    var versions: [Int64] = []
    func pull() throws {
      known = try reader.pull(after: known, page: 5) { page in
        for row in page {
          keys.insert(row.object.identity)
          versions.append(row.version)
        }
      }.number
    }
    while group.wait(timeout: .now()) == .timedOut { try pull() }
    try pull()
    #expect(failures.all.isEmpty, "\(failures.all)")
    #expect(known == Int64(writers * pushes))
    #expect(keys.count == writers * pushes + 1)
    #expect(versions == versions.sorted())
    let all = try #require(server.pull(reader, after: 0).first { $0.object.identity.key == .text("all") })
    #expect(all.object.cells.mapValues(\.value) == ["0": 59, "1": 59, "2": 59])
  }

  @Test("Another machine's push wakes the connection, one's own does not")
  func notices() throws {
    let server = try TestDatabase()
    let (laptop, entrance) = try server.machine("laptop", as: "anna", in: nil)
    let (tablet, _) = try server.machine("tablet", as: "anna", in: entrance.space)
    let (elsewhere, _) = try server.machine("other", as: "ben", in: nil)
    try laptop.listen()
    #expect(try !laptop.receiveNotices())
    _ = try elsewhere.push([task("a", ["x": 1], at: 1)], known: SpaceVersion())
    let first = try laptop.push([task("a", ["x": 1], at: 1)], known: SpaceVersion()).version
    #expect(try !laptop.receiveNotices())
    _ = try tablet.push([task("a", ["x": 2], at: 2)], known: first)
    #expect(try laptop.waitForNotice())
    #expect(try !laptop.receiveNotices())
    // Also a notice that came with the answer to something else.
    _ = try tablet.push([task("a", ["x": 3], at: 3)], known: first)
    _ = try laptop.members()
    #expect(try laptop.waitForNotice())
    // Rights that change are looked at.
    try tablet.share(with: "ben", .read)
    #expect(try laptop.waitForNotice())
  }

  /// The errors of several threads.
  private final class Failures: @unchecked Sendable {
    // The lock protects the errors.
    private var lock = pthread_mutex_t()
    private var errors: [any Error] = []

    init() { pthread_mutex_init(&lock, nil) }

    var all: [any Error] {
      pthread_mutex_lock(&lock)
      defer { pthread_mutex_unlock(&lock) }
      return errors
    }

    func collect(_ body: () throws -> Void) {
      do { try body() } catch {
        pthread_mutex_lock(&lock)
        errors.append(error)
        pthread_mutex_unlock(&lock)
      }
    }
  }
}
