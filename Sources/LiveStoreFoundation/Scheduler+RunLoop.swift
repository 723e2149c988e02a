import Foundation
import Glibc
import LiveStore

extension Scheduler {
  /// The run loop of the calling thread, which opens the store and then runs the loop, in any of the common
  /// modes.
  ///
  /// ```swift
  /// let thread = Thread {
  ///   guard let store = try? Store(configuration, scheduler: .runLoop) else { return }
  ///   let token = store.objects(Note.self).observe { change in print(change) }
  ///   let untilInvalidated = Timer(timeInterval: 1e9, repeats: true) { _ in }
  ///   RunLoop.current.add(untilInvalidated, forMode: .common)
  ///   RunLoop.current.run()
  ///   token.invalidate()
  /// }
  /// ```
  ///
  /// A loop without timers and sources ends at once: expected callbacks do not keep it running.
  public static var runLoop: Scheduler {
    let loop = CurrentRunLoop()
    return .custom(isCurrent: { loop.isCurrent }, schedule: { loop.perform($0) })
  }
}

/// The run loop of the thread that created the instance.
private final class CurrentRunLoop: @unchecked Sendable {
  // Any thread may add timers to a run loop; nothing else of it is used.
  private let loop = RunLoop.current
  private let thread = pthread_self()

  var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }

  func perform(_ turn: @escaping @Sendable () -> Void) {
    // A block given to perform(_:) does not wake a loop that sleeps (Foundation 6.3 on Linux); a timer that
    // is due does.
    loop.add(Timer(timeInterval: 0, repeats: false) { _ in turn() }, forMode: .common)
  }
}
