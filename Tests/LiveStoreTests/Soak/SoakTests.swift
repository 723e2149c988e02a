import Dispatch
import Glibc
import LiveStoreFixtures
import Testing

@testable import LiveStore

/// `make soak` has it take a million steps.
@Suite("Everything at once: threads, processes, foreign programs, and callbacks of every kind")
struct SoakTests {
  @Test(
    "L1–L6, L9–L13, R69–R84, R138, R149–R152, R174: every change set is the difference of two states, and all converge"
  )
  @MainActor
  func soak() async throws {
    let steps = randomSteps(usually: 450)
    let random = SeededGenerator()
    let seed = random.seed
    print(random.comment)
    let file = TestFile()
    let path = file.path
    let main = try SoakInstance(path, queue: .main, seed: seed)
    var others: [SoakInstance] = []
    for number: UInt64 in 1...2 {
      let queue = DispatchQueue(label: "soak \(number)")
      others.append(try queue.sync { try SoakInstance(path, queue: queue, seed: seed &+ number * 10) })
    }
    let loneQueue = DispatchQueue(label: "soak with one connection")
    let lone = try loneQueue.sync { try SoakLoneStore(path, queue: loneQueue, seed: seed &+ 30) }
    let stream = main.view("stream") { [$0.named] }
    let changes = main.store.objects(Member.self).sorted(by: \.name).changes
    let consumer = Task { @MainActor in
      for await change in changes {
        stream.receive(change)
        if stream.known[0].contains(where: { $0.content.contains("the end") }) { break }
      }
    }
    let peer = try Peer.start(["soak", path, "\(seed &+ 100)", "\(steps / 3)"])

    let group = DispatchGroup()
    for instance in [main] + others { instance.run(steps / 3, group: group) }
    lone.run(steps / 3, group: group)
    await withCheckedContinuation { continuation in
      group.notify(queue: .main) { continuation.resume() }
    }
    #expect(peer.waitForEnd() == 0)

    for instance in others { instance.queue.sync { instance.endWriting() } }
    main.endWriting()
    try main.store.write { try main.store.create(Member.self, value: ["id": -1, "name": "the end"]) }
    main.store.autorefresh = true
    await consumer.value
    let expected = try main.finish()
    #expect(stream.calls > 1)
    for instance in others {
      let shown = try instance.queue.sync { try instance.finish() }
      #expect(shown == expected, "seed \(seed)")
      instance.queue.sync { instance.close() }
    }
    #expect(try loneQueue.sync { try lone.finish() } == expected, "seed \(seed)")
    main.close()
  }
}
