import BenchmarkRunner
import Glibc
import LiveStore

/// A store on this thread whose collections are observed, as in a program with a poll loop.
final class Observer {
  let store: Store
  let source: NotificationSource
  private(set) var calls = 0
  /// The time of the last callback.
  private(set) var lastCall: Int64 = 0
  /// The time of the first callback.
  private(set) var firstCall: Int64 = 0
  private(set) var tokens: [NotificationToken] = []
  /// Called after each callback.
  var called: (() -> Void)?

  init(_ file: BenchmarkFile, _ types: [Object.Type]) throws {
    source = NotificationSource()
    store = try file.store(types, source: source)
  }

  /// A store that observes the collection of a workload, and has made its first call.
  convenience init(_ file: BenchmarkFile, _ workload: any Workload.Type) throws {
    try self.init(file, workload.types)
    try observe { try workload.observe($0, $1) }
    wait(forCall: 1)
  }

  func observe(_ body: (Store, @escaping () -> Void) throws -> NotificationToken) rethrows {
    tokens.append(
      try body(store) { [unowned self] in
        lastCall = monotonicNanoseconds()
        if calls == 0 { firstCall = lastCall }
        calls += 1
        called?()
      })
  }

  func wait(forCall number: Int) {
    var descriptor = pollfd(fd: source.fileDescriptor, events: Int16(POLLIN), revents: 0)
    while calls < number {
      _ = poll(&descriptor, 1, -1)
      store.processNotifications()
    }
  }

  /// Takes turns until a descriptor is readable.
  func process(until other: Int32) {
    while true {
      var descriptors = [
        pollfd(fd: source.fileDescriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: other, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&descriptors, 2, -1)
      if descriptors[0].revents != 0 { store.processNotifications() }
      if descriptors[1].revents != 0 { return }
    }
  }

  /// Takes turns until nothing has come for some milliseconds.
  func settle(milliseconds: Int32) {
    var descriptor = pollfd(fd: source.fileDescriptor, events: Int16(POLLIN), revents: 0)
    while poll(&descriptor, 1, milliseconds) > 0 { store.processNotifications() }
  }

  func close() {
    for token in tokens { token.invalidate() }
    tokens = []
    store.close()
  }
}
