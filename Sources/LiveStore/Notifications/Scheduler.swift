import CLinux
import Dispatch
import Glibc

/// Where a store is used and its callbacks are called.
public struct Scheduler: Sendable {
  private enum Kind: Sendable {
    case queue(DispatchQueue)
    case source(NotificationSource)
  }

  private let kind: Kind

  /// The main queue.
  public static var main: Scheduler { Scheduler(kind: .queue(.main)) }

  /// A serial dispatch queue.
  public static func queue(_ queue: DispatchQueue) -> Scheduler {
    Scheduler(kind: .queue(queue))
  }

  /// A program with a poll loop of its own: when the source's descriptor is readable, it calls
  /// ``Store/processNotifications()`` on the thread that opened the store.
  public static func fileDescriptor(_ source: NotificationSource) -> Scheduler {
    Scheduler(kind: .source(source))
  }

  /// Whether it calls what it is given; otherwise it only has a program told to take a turn.
  var callsWork: Bool {
    if case .source = kind { false } else { true }
  }

  /// Has `turn` called where the store is used, or the program told to take a turn. From any thread; never blocks.
  func schedule(_ turn: @escaping @Sendable () -> Void) {
    switch kind {
    case .queue(let queue): queue.async(execute: turn)
    case .source(let source): source.signal()
    }
  }

  /// Called when the program takes a turn by itself.
  func acknowledge() {
    if case .source(let source) = kind { source.clear() }
  }
}

/// A file descriptor that becomes readable when a store has something to deliver.
public final class NotificationSource: Sendable {
  /// For `poll`, `select` or `epoll`; not to be read or closed.
  public let fileDescriptor: Int32

  public init() {
    fileDescriptor = clinux_eventfd()
    precondition(fileDescriptor >= 0, "No file descriptor is left for notifications.")
  }

  deinit {
    close(fileDescriptor)
  }

  func signal() {
    var one: UInt64 = 1
    _ = write(fileDescriptor, &one, 8)
  }

  func clear() {
    var count: UInt64 = 0
    _ = read(fileDescriptor, &count, 8)
  }
}
