import Glibc
import LiveStore
import LiveStoreFixtures

/// A second process for the tests: `LiveStorePeer PATH SEED TRANSACTIONS` changes a file at random, then ends.
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
    for _ in 0..<count {
      try store.write { writer.change(store) }
    }
    store.close()
  }
}
