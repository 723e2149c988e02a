import Glibc
import LiveStore
import LiveStoreFixtures

/// A second process for the tests: `LiveStorePeer PATH SEED TRANSACTIONS` changes a file at random, then ends; with status 3
/// when a newer program has migrated the file meanwhile.
@main
struct Peer {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let seed = UInt64(arguments[2]), let count = Int(arguments[3]) else {
      print("usage: LiveStorePeer PATH SEED TRANSACTIONS")
      exit(2)
    }
    let store = try Store(
      Store.Configuration(path: arguments[1], objectTypes: [Person.self, Dog.self]),
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
