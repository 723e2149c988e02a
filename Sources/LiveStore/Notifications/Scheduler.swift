import Dispatch
import LibC

/// The thread, queue or actor on which a store is used and its callbacks are called.
///
/// A store is opened where its scheduler calls it: on its queue, thread or actor. Using the store, or an
/// object or collection of it, anywhere else stops the program with a sentence that says so; only reads of
/// cached values of objects are not checked.
///
/// To observe in the background, use a queue:
///
/// ```swift
/// final class Indexer: @unchecked Sendable {
///   // Everything but the queue is used on the queue only.
///   private let queue = DispatchQueue(label: "indexer")
///   private var tokens = NotificationTokenSet()
///
///   func start(_ configuration: Store.Configuration) {
///     queue.async { [self] in
///       guard let store = try? Store(configuration, scheduler: .queue(queue)) else { return }
///       store.objects(Note.self).observe { change in print(change) }.store(in: &tokens)
///     }
///   }
/// }
/// ```
///
/// The tokens keep the store open. In an actor it is `Store(configuration, scheduler: .actor(self))`, and in
/// the `init` of one ``actor()``.
public struct Scheduler: Sendable {
  private enum Kind: Sendable {
    case queue(DispatchQueue)
    case source(NotificationSource)
    case other(Confinement, schedule: @Sendable (@escaping @Sendable () -> Void) -> Void)
  }

  private let kind: Kind

  /// The main queue, which is the main actor's executor. The main thread must serve it (`dispatchMain()`, a
  /// main run loop, or an asynchronous `main`).
  public static var main: Scheduler { Scheduler(kind: .queue(.main)) }

  /// A dispatch queue, which must be serial: a concurrent one would use the store on several threads at once.
  ///
  /// A block counts as running on this queue if its own queue targets it.
  public static func queue(_ queue: DispatchQueue) -> Scheduler {
    Scheduler(kind: .queue(queue))
  }

  /// A program with its own poll loop: when the source's descriptor is readable, it calls
  /// ``Store/processNotifications()`` on the thread that opened the store.
  ///
  /// Not for asynchronous functions, nor for the main actor once `dispatchMain()` or an asynchronous `main`
  /// runs it: the code after an `await` may run on another thread.
  public static func fileDescriptor(_ source: NotificationSource) -> Scheduler {
    Scheduler(kind: .source(source))
  }

  /// An actor, which opens the store itself and does not share it. The scheduler does not retain the actor;
  /// when the actor is released, so is a store that only the actor retains. If the store is used outside the
  /// actor, Swift's runtime stops the program, often with its own message.
  ///
  /// Each turn is a task that hops to the actor. With the default executor the task comes from Swift's global
  /// pool, whose threads wake from time to time once they have been used. A program that must be completely
  /// idle uses a queue or a file descriptor.
  public static func actor(_ actor: some Actor) -> Scheduler {
    if actor is MainActor { return .main }
    // While the actor is deinitialized, no other code can have its store.
    let require = { @Sendable [weak actor] in
      if let actor { actor.requireIsolation() }
    }
    return Scheduler(
      kind: .other(.actor(require: require)) { [weak actor] turn in
        guard let actor else { return }
        Task { await actor.perform(turn) }
      })
  }

  /// An actor that opens the store in its `init`, where it cannot name itself before all of its properties
  /// have values. It does so at the end, with ``Store/confine(to:)``:
  ///
  /// ```swift
  /// actor Librarian {
  ///   private let store: Store
  ///
  ///   init(_ configuration: Store.Configuration) throws {
  ///     store = try Store(configuration, scheduler: .actor())
  ///     store.confine(to: self)
  ///   }
  /// }
  /// ```
  ///
  /// From then on it is like ``actor(_:)``. Until then the store may be used on the thread that opened it.
  public static func actor() -> Scheduler {
    let claim = ActorClaim()
    return Scheduler(kind: .other(.claimed(claim), schedule: claim.schedule))
  }

  /// An event loop that none of the others fits.
  ///
  /// - Parameters:
  ///   - isCurrent: Whether the calling thread is where the store may be used. Called often, by any thread.
  ///   - schedule: Has its argument called there, once, soon, one call after another. It is called by any
  ///     thread and must neither wait nor call the argument itself.
  public static func custom(
    isCurrent: @escaping @Sendable () -> Bool,
    schedule: @escaping @Sendable (_ turn: @escaping @Sendable () -> Void) -> Void
  ) -> Scheduler {
    Scheduler(kind: .other(.custom(isCurrent: isCurrent), schedule: schedule))
  }

  /// The confinement of a store that is being opened on the calling thread; stops the program if the
  /// scheduler does not allow it there.
  func confine() -> Confinement {
    let confinement: Confinement =
      switch kind {
      case .queue(let queue):
        QueueMark.of(queue) === QueueMark.main ? .mainQueue : .queue(.of(queue), label: queue.label)
      case .source: .thread(ThreadMark())
      case .other(let confinement, _): confinement
      }
    if case .claimed(let claim) = confinement { claim.open() }
    confinement.require()
    return confinement
  }

  /// Throws if the process has no descriptor to request turns with.
  func requireDescriptor() throws(StoreError) {
    if case .source(let source) = kind { try source.requireDescriptor() }
  }

  /// Whether it calls the turn itself; otherwise it only notifies the program, which takes the turn.
  var callsWork: Bool {
    if case .source = kind { false } else { true }
  }

  /// Calls `turn` where the store is used, or requests a turn from the program. From any thread; never
  /// blocks.
  func schedule(_ turn: @escaping @Sendable () -> Void) {
    switch kind {
    case .queue(let queue): queue.async(execute: turn)
    case .source(let source): source.signal()
    case .other(_, let schedule): schedule(turn)
    }
  }

  /// Withdraws the request for a turn, which the program takes by itself.
  func acknowledge() {
    if case .source(let source) = kind { source.clear() }
  }
}
