import TestSupport
import Testing

@testable import LiveStoreSync

@Suite("The server's time")
struct ServerTimeTests {
  @Test("Answers that the network has held up count for nothing beside one that came soon")
  func heldUp() {
    for _ in 0..<1_000 {
      var random = SeededGenerator()
      let offset = Int64.random(in: -10_000_000...10_000_000, using: &random)
      var (time, now, shortest) = (ServerTime(), Int64(0), Int64.max)
      for _ in 0..<Int.random(in: 1...6, using: &random) where time.isUncertain {
        let isHeldUp = Bool.random(using: &random)
        let there = Int64.random(in: 0...(isHeldUp ? 5_000 : 60), using: &random)
        let back = Int64.random(in: 0...(isHeldUp ? 5_000 : 60), using: &random)
        time.note(now + there + offset, sent: now, received: now + there + back)
        now += there + back
        shortest = min(shortest, there + back)
      }
      #expect(abs(time.bootTimeOffset - offset) <= shortest / 2 + 1, Comment(rawValue: random.comment))
    }
  }

  @Test("The server is asked again after a long way, four times at most")
  func questions() {
    var time = ServerTime()
    for round in 0..<4 {
      #expect(time.isUncertain)
      time.note(0, sent: 0, received: round == 3 ? 5_000 : 1_000)
    }
    #expect(!time.isUncertain)
    var near = ServerTime()
    near.note(0, sent: 0, received: 3)
    #expect(!near.isUncertain)
    // Of a way that others lengthen at times, the shortest time counts.
    var far = ServerTime()
    far.note(0, sent: 0, received: 190)
    #expect(far.isUncertain)
    far.note(540, sent: 500, received: 580)
    far.note(1_100, sent: 1_000, received: 1_120)
    #expect(far.isUncertain && far.bootTimeOffset == 0)
    far.note(1_650, sent: 1_600, received: 1_760)
    #expect(!far.isUncertain && far.bootTimeOffset == 0)
  }
}
