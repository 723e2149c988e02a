import CLinux
import Dispatch
import Synchronization

/// The thread, queue or actor on which a store, and everything that comes from it, may be used.
enum Confinement: Sendable {
  /// Frozen stores, which never change.
  case anywhere
  case mainQueue
  case queue(QueueMark, label: String)
  case thread(ThreadMark)
  /// An actor; `require` stops the program elsewhere, with its own message.
  case actor(require: @Sendable () -> Void)
  /// An actor that names itself after it has opened the store.
  case claimed(ActorClaim)
  case custom(isCurrent: @Sendable () -> Bool)

  /// Stops the program if the caller is elsewhere.
  ///
  /// - Complexity: O(1). Some nanoseconds for a thread, tens of them for a queue or an actor.
  func require() {
    switch self {
    case .anywhere: return
    case .thread(let thread):
      if thread.isCurrent { return }
      fatalError(
        "A store and what comes from it may only be used on the thread that opened it; open another store "
          + "for this thread. An actor opens its own, with the scheduler .actor(_:)."
      )
    case .mainQueue:
      if MainThread.isCurrent || QueueMark.main.isCurrent { return }
      fatalError(
        "A store with the main scheduler may only be opened and used on the main thread; open another store, "
          + "with a scheduler such as .actor(_:), .queue(_:) or .fileDescriptor(_:), for this one.")
    case .queue(let mark, let label):
      if mark.isCurrent { return }
      fatalError(
        "A store with a queue as its scheduler may only be opened and used on that queue (“\(label)”); "
          + "open another store for this one, with a scheduler such as .actor(_:) for an actor, "
          + "or go there with queue.async.")
    case .actor(let require):
      require()
    case .claimed(let claim):
      claim.require()
    case .custom(let isCurrent):
      if isCurrent() { return }
      fatalError(
        "A store may only be opened and used where its scheduler calls it; "
          + "open another store for this place, with a scheduler of its own such as .actor(_:).")
    }
  }
}

/// A mark on a queue, by which code can tell whether it runs there, including on a queue that targets it.
final class QueueMark: Sendable {
  private let key = DispatchSpecificKey<Bool>()

  /// The mark of each queue that has one, stored in the queue.
  private static let marks = DispatchSpecificKey<QueueMark>()
  private static let marking = Mutex(())

  static let main = QueueMark.of(.main)

  /// The mark of a queue, always the same one.
  static func of(_ queue: DispatchQueue) -> QueueMark {
    marking.withLock { _ in
      if let mark = queue.getSpecific(key: marks) { return mark }
      let mark = QueueMark()
      queue.setSpecific(key: marks, value: mark)
      queue.setSpecific(key: mark.key, value: true)
      return mark
    }
  }

  var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}

/// The initial thread of the process.
enum MainThread {
  private static let known = Atomic<UInt>(0)

  static var isCurrent: Bool {
    let current = clinux_current_thread()
    let main = known.load(ordering: .relaxed)
    if main != 0 { return main == current }
    // Asking the kernel takes two system calls, so the answer for the main thread is kept.
    guard clinux_is_main_thread() != 0 else { return false }
    known.store(current, ordering: .relaxed)
    return true
  }
}
