import Foundation
import LiveStoreFoundation
import Testing

@testable import LiveStore

private final class LoopNote: Object {
  @Persisted(primaryKey: true) var id: Int = 0
}

@Suite("Run loops")
struct RunLoopTests {
  private static func open(_ scheduler: Scheduler) throws -> Store {
    try Store(.init(inMemory: "run loop", objectTypes: [LoopNote.self]), scheduler: scheduler)
  }

  @Test("R132: a store on the run loop of a thread is told there, also while the loop sleeps")
  func thread() async throws {
    // Keeps what is in memory as long as the test.
    let keeper = try Self.open(.custom(isCurrent: { true }, schedule: { _ in }))
    let (counts, continuation) = AsyncStream<Int>.makeStream()
    let thread = Thread {
      do {
        let store = try Self.open(.runLoop)
        let thread = Thread.current
        let source = Timer(timeInterval: 1e9, repeats: true) { _ in }
        RunLoop.current.add(source, forMode: .common)
        let token = store.objects(LoopNote.self).observe { change in
          #expect(Thread.current === thread)
          switch change {
          case .initial(let notes), .update(let notes, _): continuation.yield(notes.count)
          case .error(let error): Issue.record(error)
          }
          // The loop ends when there is nothing left to wait for.
          if store.objects(LoopNote.self).count == 2 { source.invalidate() }
        }
        RunLoop.current.run()
        token.invalidate()
        store.close()
      } catch {
        Issue.record(error)
      }
      continuation.finish()
    }
    thread.start()
    var seen: [Int] = []
    for await count in counts {
      seen.append(count)
      let note = LoopNote()
      note.id = count
      if count < 2 { try keeper.write { keeper.add(note) } }
    }
    #expect(seen == [0, 1, 2])
    keeper.close()
  }

  @Test("A turn is released after it was taken")
  func releasing() {
    final class Marker: Sendable {}
    var marker: Marker? = Marker()
    weak let kept = marker
    let scheduler = Scheduler.runLoop
    scheduler.schedule { [marker] in withExtendedLifetime(marker) {} }
    marker = nil
    #expect(kept != nil)
    // Ends when there is nothing left to do.
    RunLoop.current.run()
    #expect(kept == nil)
  }
}
