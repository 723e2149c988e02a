import Testing

@testable import LiveStore

@Suite("When to look again")
struct LookAgainScheduleTests {
  private func delays(after event: CommitEvent, _ outcomes: CommitEvent.Outcome...) -> [Int64?] {
    var schedule = LookAgainSchedule()
    var time: Int64 = 1_000
    var delays: [Int64?] = []
    for (index, outcome) in outcomes.enumerated() {
      schedule.looked(for: index == 0 ? event : .lookAgain, outcome: outcome, at: time)
      delays.append(schedule.deadline.map { $0 - time })
      time = schedule.deadline ?? time
    }
    return delays
  }

  @Test("After a write of the -wal, at growing intervals and then no more")
  func sequence() {
    let expected: [Int64?] = LookAgainSchedule.intervals + [nil]
    #expect(
      delays(
        after: .wal, .moreMayFollow, .moreMayFollow, .moreMayFollow, .moreMayFollow, .moreMayFollow,
        .moreMayFollow,
        .moreMayFollow,
        .moreMayFollow) == expected)
  }

  @Test("While a transaction is seen to go on, at the longest interval until it is over")
  func goingOn() {
    let intervals = LookAgainSchedule.intervals
    var schedule = LookAgainSchedule()
    schedule.looked(for: .wal, outcome: .commitMayFollow, at: 0)
    for _ in 1..<intervals.count {
      #expect(!schedule.isLast)
      schedule.looked(for: .lookAgain, outcome: .moreMayFollow, at: 0)
    }
    for _ in 0..<100 {
      #expect(schedule.isLast && schedule.deadline == intervals.last)
      schedule.looked(for: [.lookAgain, .lastLook], outcome: .commitMayFollow, at: 0)
    }
    var ended = schedule
    ended.looked(for: [.lookAgain, .lastLook], outcome: .moreMayFollow, at: 0)
    #expect(ended.deadline == nil && !ended.isLast)
    schedule.looked(for: [.lookAgain, .lastLook], outcome: .upToDate, at: 0)
    #expect(schedule.deadline == nil)
  }

  @Test("Once everything written is known, no more")
  func upToDate() {
    let first = LookAgainSchedule.intervals[0]
    #expect(delays(after: .wal, .upToDate) == [nil])
    #expect(delays(after: .wal, .moreMayFollow, .upToDate) == [first, nil])
    #expect(delays(after: .signal, .upToDate) == [nil])
  }

  @Test("The log is written back in the pause after the last event that is no poll")
  func pause() {
    let pause = LookAgainSchedule.pause
    #expect(delays(after: .wal, .logHasCommits) == [pause])
    #expect(delays(after: .wal, .moreMayFollow, .logHasCommits).last == pause)
    var schedule = LookAgainSchedule()
    schedule.looked(for: .lookAgain, outcome: .logHasCommits, at: 0)
    #expect(schedule.deadline == nil)
    schedule.looked(for: .signal, outcome: .logHasCommits, at: 1_000)
    schedule.looked(for: .lookAgain, outcome: .logHasCommits, at: 2_000)
    #expect(schedule.deadline == 1_000 + pause && schedule.reason == .pause)
    schedule.looked(for: [.wal, .pause], outcome: .logHasCommits, at: 3_000)
    #expect(schedule.deadline == 3_000 + pause)
    var other = schedule
    other.looked(for: .wal, outcome: .moreMayFollow, at: 4_000)
    #expect(other.reason == .lookAgain)
    schedule.looked(for: .pause, outcome: .logHasCommits, at: 3_000 + pause)
    #expect(schedule.deadline == nil)
  }

  @Test("A signal or a wake moves no deadline")
  func signal() {
    #expect(delays(after: .wake, .moreMayFollow) == [LookAgainSchedule.intervals[0]])
    var schedule = LookAgainSchedule()
    schedule.looked(for: .wal, outcome: .moreMayFollow, at: 0)
    let deadline = schedule.deadline
    schedule.looked(for: .signal, outcome: .moreMayFollow, at: 100_000)
    #expect(schedule.deadline == deadline)
    schedule.looked(for: [.signal, .wal], outcome: .moreMayFollow, at: 200_000)
    #expect(schedule.deadline == 450_000)
  }

  @Test(
    "Lost events and a replaced file are looked after as a write is",
    arguments: [CommitEvent.overflow, .file])
  func others(event: CommitEvent) {
    #expect(delays(after: event, .moreMayFollow) == [LookAgainSchedule.intervals[0]])
  }
}
