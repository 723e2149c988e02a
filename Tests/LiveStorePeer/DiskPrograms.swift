import LibC
import LiveStore
import LiveStoreFixtures
import TestSupport

/// Commits with numbers, each of which is said on standard output once it has been made; then ends, or stops
/// where it is as if it were killed, so that the log stays.
struct NumberedCommitter {
  let path: String
  let numbers: ClosedRange<Int>
  let durability: Store.Configuration.Durability
  let isKilled: Bool

  func run() throws {
    var configuration = Store.Configuration(path: path, objectTypes: [Person.self, Dog.self])
    configuration.durability = durability
    let store = try Store(configuration, scheduler: .fileDescriptor(NotificationSource()))
    for number in numbers {
      try NumberedCommits.commit(number, to: store)
      say("\(number)")
    }
    if isKilled { kill(getpid(), SIGKILL) }
    store.close()
  }
}

/// Observes the people of a file, says their ages whenever they change, and adds a dog each time, until there
/// is somebody called "end". An error is one sentence on standard error, and the status 1.
struct DiskObserver {
  let path: String

  func run() -> Int32 {
    do {
      return try observe()
    } catch {
      complain("\(error)")
      return 1
    }
  }

  private func observe() throws -> Int32 {
    let source = NotificationSource()
    let store = try Store(
      Store.Configuration(path: path, objectTypes: [Person.self, Dog.self]),
      scheduler: .fileDescriptor(source))
    defer { store.close() }
    var failure: (any Error)?
    var isChanged = false
    let people = store.objects(Person.self).sorted(by: \.id)
    let token = people.observe { change in
      if case .error(let error) = change { failure = error }
      isChanged = true
    }
    defer { token.invalidate() }
    while true {
      guard waitForInput(source.fileDescriptor, milliseconds: -1) || errno == EINTR else { return 2 }
      store.processNotifications()
      if let failure { throw failure }
      guard isChanged else { continue }
      isChanged = false
      let ages = people.map { "\($0.id):\($0.age)" }.joined(separator: " ")
      let isLast = people.contains { $0.name == "end" }
      try store.write { store.add(Dog("seen")) }
      say(ages)
      if isLast { return 0 }
    }
  }
}

private func say(_ line: String) {
  _ = Array((line + "\n").utf8).withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}

private func complain(_ sentence: String) {
  _ = Array((sentence + "\n").utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
