import LibC
import LiveStore
import LiveStoreFixtures

/// A program with a store in memory: it says where its file lies, and exits at SIGUSR1 with the store open.
struct MemoryHolder {
  func run() throws -> Never {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGUSR1)
    sigprocmask(SIG_BLOCK, &signals, nil)
    let store = try Store(
      Store.Configuration(inMemory: "memory", objectTypes: [Person.self, Dog.self]),
      scheduler: .fileDescriptor(NotificationSource()))
    try store.write { store.add(Person(id: 1)) }
    announce(openFiles().first { $0.hasSuffix("/store.db") } ?? "no file")
    var signal: Int32 = 0
    sigwait(&signals, &signal)
    exit(0)
  }

  private func openFiles() -> [String] {
    (0..<256).map { descriptor in
      var path = [CChar](repeating: 0, count: 4096)
      let length = max(0, readlink("/proc/self/fd/\(descriptor)", &path, path.count - 1))
      return String(decoding: path.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
