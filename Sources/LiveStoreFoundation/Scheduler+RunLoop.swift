import CRunLoop
import Foundation
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
  // Any thread may give a run loop blocks and wake it; nothing else of it is used.
  private let loop = RunLoop.current
  /// The same loop; `loop` keeps it.
  private let wakeable = CFRunLoopGetCurrent()
  private let thread = ThreadMark()

  var isCurrent: Bool { thread.isCurrent }

  func perform(_ turn: @escaping @Sendable () -> Void) {
    // A block by itself does not wake a loop that sleeps. A timer that is due does, but Foundation 6.3 on
    // Linux never releases a timer.
    loop.perform(inModes: [.common]) { [self] in
      turn()
      // So that a loop that has nothing else to wait for ends.
      CFRunLoopWakeUp(wakeable)
    }
    CFRunLoopWakeUp(wakeable)
  }
}
