import LibC
import LiveStore
import LiveStoreFixtures

/// A second process for the tests.
///
/// - `LiveStorePeer PATH SEED TRANSACTIONS` changes a file at random, then ends; with status 3 when a newer
///   program has migrated the file meanwhile.
/// - `LiveStorePeer soak PATH SEED TRANSACTIONS` changes a file of members and pieces at random, then ends.
/// - `LiveStorePeer alternate PATH NUMBER PROCESSES COUNT` raises the age of the person with the number 1
///   whenever it is its turn, until it is COUNT.
/// - `LiveStorePeer observe PATH` observes a file whose disk may fail; see ``DiskObserver``.
/// - `LiveStorePeer commit PATH FIRST LAST normal|full end|kill` makes commits whose numbers it says; see
///   ``NumberedCommitter``.
/// - `LiveStorePeer foreign PATH SEED` changes people and dogs with SQL alone, without a pause, until it is
///   killed.
/// - `LiveStorePeer hold PATH` holds the write lock until it gets SIGUSR1, then raises all ages by one and
///   commits.
/// - `LiveStorePeer memory` opens a store in memory; see ``MemoryHolder``.
/// - `LiveStorePeer ledger PATH NUMBER SEED` keeps the ledger of that number until it is killed,
///   `foreign-ledger` does so with SQL alone, and `ledger-observer PATH` watches.
@main
struct Peer {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.count == 3, let seed = UInt64(arguments[1]), let count = Int(arguments[2]) {
      try changeAtRandom(path: arguments[0], seed: seed, count: count)
    } else if arguments.count == 4, arguments[0] == "soak", let seed = UInt64(arguments[2]),
      let count = Int(arguments[3])
    {
      let store = try Store(
        Store.Configuration(path: arguments[1], objectTypes: SoakWriter.types),
        scheduler: .fileDescriptor(NotificationSource()))
      var writer = SoakWriter(seed: seed)
      for _ in 0..<count { try store.write { writer.change(store) } }
      store.close()
    } else if arguments.count == 5, arguments[0] == "alternate", let number = Int(arguments[2]),
      let processes = Int(arguments[3]), let count = Int(arguments[4])
    {
      try Alternation(path: arguments[1], number: number, processes: processes, count: count).run()
    } else if arguments.count == 2, arguments[0] == "observe" {
      exit(DiskObserver(path: arguments[1]).run())
    } else if arguments.count == 6, arguments[0] == "commit", let first = Int(arguments[2]),
      let last = Int(arguments[3]), first <= last
    {
      try NumberedCommitter(
        path: arguments[1], numbers: first...last, durability: arguments[4] == "full" ? .full : .normal,
        isKilled: arguments[5] == "kill"
      ).run()
    } else if arguments.count == 4, arguments[0].hasSuffix("ledger"), let number = Int(arguments[2]),
      let seed = UInt64(arguments[3])
    {
      let writer = LedgerWriter(path: arguments[1], id: number, seed: seed)
      if arguments[0] == "ledger" { try writer.run() } else { writer.runForeign() }
    } else if arguments.count == 3, arguments[0] == "foreign", let seed = UInt64(arguments[2]) {
      ForeignWriter(path: arguments[1], seed: seed).run()
    } else if arguments.count == 2, arguments[0] == "hold" {
      LockHolder(path: arguments[1]).run()
    } else if arguments == ["memory"] {
      try MemoryHolder().run()
    } else if arguments.count == 2, arguments[0] == "ledger-observer" {
      try LedgerObserver(path: arguments[1]).run()
    } else {
      print("usage: as the comment of Peer in Tests/LiveStorePeer/Peer.swift says")
      exit(2)
    }
  }

  private static func changeAtRandom(path: String, seed: UInt64, count: Int) throws {
    let store = try Store(
      Store.Configuration(path: path, objectTypes: [Person.self, Dog.self]),
      scheduler: .fileDescriptor(NotificationSource()))
    var writer = RandomWriter(seed: seed)
    do {
      for _ in 0..<count {
        try store.write { writer.change(store) }
      }
    } catch let error as StoreError where error.code == .newerVersion {
      exit(3)
    }
    store.close()
  }
}
