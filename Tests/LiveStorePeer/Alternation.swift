import LibC
import LiveStore
import LiveStoreFixtures
import TestSupport

/// Several processes that take turns in raising a number, each in the callback by which its store tells that
/// the others have.
struct Alternation {
  let path: String
  let number: Int
  let processes: Int
  let count: Int

  func run() throws {
    let source = NotificationSource()
    let store = try Store(
      Store.Configuration(path: path, objectTypes: [Person.self, Dog.self]),
      scheduler: .fileDescriptor(source))
    let token = store.observe { _, store in raise(store) }
    raise(store)
    while age(store) < count {
      guard waitForInput(source.fileDescriptor) else { exit(1) }
      store.processNotifications()
    }
    token.invalidate()
    store.close()
  }

  private func age(_ store: Store) -> Int {
    store.object(ofType: Person.self, forPrimaryKey: 1)?.age ?? 0
  }

  private func raise(_ store: Store) {
    guard age(store) < count, age(store) % processes == number else { return }
    do {
      try store.write { store.object(ofType: Person.self, forPrimaryKey: 1)?.age += 1 }
    } catch {
      print(error)
      exit(1)
    }
  }
}
