import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("M. Re-entrancy")
struct ReentrancyTests {
  private let file = TestFile()

  init() throws { try file.addPeople(1...3) }

  @Test("R148: refresh in a callback does nothing and says so; a turn neither")
  func refresh() throws {
    let test = try file.observer()
    let other = try file.open()
    let observation = Observation(test.people)
    var results: [Bool] = []
    observation.onEvent = { _ in
      recordingErrors {
        if results.count < 2 { try other.write { $0.add(Person(id: 10 + results.count)) } }
        results.append(try test.store.refresh())
        test.store.processNotifications()
      }
    }
    #expect(test.turns { observation.rows.count == 5 })
    #expect(results == [false, false, false])
    #expect(observation.changes == [ChangeSet(ins: [3]), ChangeSet(ins: [4])])
  }

  @Test(
    "R149, R151: beginWrite in a callback delivers newer changes first; later callbacks get all of it at once"
  )
  func newerVersion() throws {
    let test = try file.observer()
    let other = try file.open()
    let a = test.observe(test.people)
    let b = test.observe(test.people)
    let c = test.observe(test.people)
    var order: [String] = []
    a.onEvent = { _ in order.append("a") }
    b.onEvent = { b in
      order.append("b begins")
      guard b.changes.count == 1 else { return }
      recordingErrors {
        try other.write { $0.add(Person(id: 5)) }
        try test.store.beginWrite()
        order.append("b writes")
        #expect(test.people.count == 5)
        try test.store.commitWrite()
      }
    }
    c.onEvent = { _ in order.append("c") }
    try other.write { $0.add(Person(id: 4)) }
    try test.store.refresh()
    #expect(order == ["a", "b begins", "a", "b begins", "c", "b writes"])
    #expect(a.changes == [ChangeSet(ins: [3]), ChangeSet(ins: [4])])
    #expect(b.changes == [ChangeSet(ins: [3]), ChangeSet(ins: [4])])
    #expect(c.changes == [ChangeSet(ins: [3, 4])])
    try test.store.refresh()
    #expect(c.changes.count == 1)
  }

  @Test(
    "R150: beginWrite in a callback without a newer version: the others of the round are called first, once")
  func sameVersion() throws {
    let test = try file.observer()
    let other = try file.open()
    let a = test.observe(test.people)
    let b = test.observe(test.people)
    let c = test.observe(test.people)
    var order: [String] = []
    a.onEvent = { _ in
      order.append("a")
      recordingErrors {
        try test.store.beginWrite()
        order.append("a writes")
        test.store.cancelWrite()
      }
    }
    for (name, observation) in [("b", b), ("c", c)] {
      observation.onEvent = { _ in
        #expect(test.store.isInWriteTransaction)
        order.append(name)
      }
    }
    try other.write { $0.add(Person(id: 4)) }
    try test.store.refresh()
    #expect(order == ["a", "b", "c", "a writes"])
    try test.store.refresh()
    #expect(order.count == 4)
  }

  @Test("R150: so do first calls that have not been made")
  func sameVersionFirstCalls() throws {
    let test = try file.observer()
    let a = Observation(test.people)
    let b = Observation(test.people)
    var order: [String] = []
    a.onEvent = { a in
      order.append("a")
      guard a.events.count == 1 else { return }
      recordingErrors {
        try test.store.beginWrite()
        order.append("a writes")
        test.store.add(Person(id: 4))
        try test.store.commitWrite()
      }
    }
    b.onEvent = { _ in order.append("b") }
    try test.store.refresh()
    #expect(order == ["a", "b", "a writes"])
    try test.store.refresh()
    #expect(order == ["a", "b", "a writes", "a", "b"])
    #expect(a.events == [.initial, .update(ChangeSet(ins: [3]))] && b.events == a.events)
  }

  @Test("R151: chained writers, each in the callback of the one before")
  func chain() throws {
    let test = try file.observer()
    let other = try file.open()
    let observations = (0..<4).map { _ in test.observe(test.people) }
    for (index, observation) in observations.enumerated().dropLast() {
      observation.onEvent = { observation in
        guard observation.changes.count == 1 else { return }
        do {
          // Called by the one before, it is in that one's write.
          guard !test.store.isInWriteTransaction else { return }
          try other.write { $0.add(Person(id: 100 + index)) }
          try test.store.write { test.store.add(Person(id: 200 + index)) }
        } catch {
          Issue.record(error)
        }
      }
    }
    try other.write { $0.add(Person(id: 4)) }
    for _ in 0..<10 { try test.store.refresh() }
    #expect(Observation.keys(test.people) == ["1", "2", "3", "4", "100", "200"])
    for observation in observations { #expect(observation.rows == Observation.keys(test.people)) }
  }

  @Test(
    "R138: a callback that writes in the write that is beginning spoils nothing for those called after it")
  func writesWhileBeginning() throws {
    let test = try file.observer()
    let other = try file.open()
    let results = test.people
    let first = test.observe(results)
    let observations = [first, test.observe(results), test.observe(test.people.sorted(by: \.age))]
    first.onEvent = { first in
      guard first.changes.count == 1 else { return }
      test.store.add(Person(id: 100))
      // Has the collections catch up with the write.
      #expect(results.count == 5)
    }
    for observation in observations { observation.showsVersion = false }
    try other.write { $0.add(Person(id: 4)) }
    try test.store.beginWrite()
    for observation in observations { observation.showsVersion = true }
    for observation in observations.dropLast() { #expect(observation.changes == [ChangeSet(ins: [3])]) }
    observations[0].show(results.prefix(4))
    observations[1].show(results.prefix(4))
    observations[2].show(Array(test.people.sorted(by: \.age)).filter { $0.id != 100 })
    try test.store.commitWrite()
    try other.write { $0.add(Person(id: 101)) }
    try test.store.refresh()
    for observation in observations.dropLast() {
      #expect(observation.changes == [ChangeSet(ins: [3]), ChangeSet(ins: [4, 5])])
    }
    for observation in observations { #expect(observation.changes.count == 2) }
  }

  @Test("R152: a commit in a callback is told on a later turn, to the writer too")
  func commitInCallback() throws {
    let test = try file.observer()
    let other = try file.open()
    let writer = test.observe(test.people)
    let reader = test.observe(test.people)
    writer.onEvent = { writer in
      guard writer.changes.count == 1 else { return }
      recordingErrors { try test.store.write { test.store.add(Person(id: 5)) } }
      #expect(writer.changes.count == 1)
    }
    try other.write { $0.add(Person(id: 4)) }
    #expect(test.turns { writer.changes.count == 1 })
    #expect(reader.changes == [ChangeSet(ins: [3])])
    #expect(test.turns { writer.changes.count == 2 && reader.changes.count == 2 })
    #expect(writer.changes == [ChangeSet(ins: [3]), ChangeSet(ins: [4])])
    #expect(reader.changes == writer.changes)
  }

  @Test("R153: cancelWrite in a callback that beginWrite makes ends that write")
  func cancelInCallback() throws {
    let test = try file.observer()
    let other = try file.open()
    let observation = test.observe(test.people)
    observation.onEvent = { _ in
      if test.store.isInWriteTransaction { test.store.cancelWrite() }
    }
    try other.write { $0.add(Person(id: 4)) }
    try test.store.beginWrite()
    #expect(!test.store.isInWriteTransaction)
    #expect(observation.changes == [ChangeSet(ins: [3])])
    // The lock is free again.
    try other.write { $0.add(Person(id: 5)) }
    #expect(throws: StoreError.self) { try test.store.write { Issue.record("The write was cancelled") } }
    #expect(observation.changes.count == 2)
    observation.onEvent = { _ in }
    try test.write { $0.add(Person(id: 6)) }
    #expect(test.people.count == 6)
  }

  @Test("R155: close in a callback ends everything quietly")
  func closeInCallback() throws {
    let test = try file.observer()
    let other = try file.open()
    let observation = test.observe(test.people)
    observation.onEvent = { _ in test.store.close() }
    try other.write { $0.add(Person(id: 4)) }
    #expect(test.turns { observation.changes.count == 1 })
    #expect(try test.store.refresh() == false)
    #expect(throws: StoreError.self) { try test.store.beginWrite() }
    try other.write { $0.add(Person(id: 5)) }
  }

  @Test("R156: a callback added in a callback gets its first call in the next cycle")
  func addedInCallback() throws {
    let test = try file.observer()
    let results = test.people
    let adder = Observation(results)
    var same: Observation?
    var fresh: Observation?
    adder.onEvent = { adder in
      guard same == nil else { return }
      same = Observation(results)
      fresh = Observation(test.people.sorted(by: \.age))
    }
    try test.store.refresh()
    #expect(same?.events == [] && fresh?.events == [])
    #expect(test.turns { same?.isReady == true && fresh?.isReady == true })
    try test.store.refresh()
    #expect(same?.events == [.initial] && fresh?.events == [.initial])
    #expect(adder.events == [.initial])
  }

  @Test("R157: a change before that late first call is not told as a change")
  func changeBeforeLateFirstCall() throws {
    let test = try file.observer()
    let other = try file.open()
    let results = test.people
    let adder = test.observe(results)
    var late: Observation?
    adder.onEvent = { _ in
      guard late == nil else { return }
      late = Observation(results)
      recordingErrors { try other.write { $0.add(Person(id: 5)) } }
    }
    try other.write { $0.add(Person(id: 4)) }
    #expect(test.turns { late?.isReady == true && adder.changes.count == 2 })
    try test.store.refresh()
    #expect(late?.events == [.initial])
    #expect(late?.rows.count == 5)
  }

  @Test("R158: a callback removed in another one of the round is not called; removing oneself skips nobody")
  func removedInCallback() throws {
    let test = try file.observer()
    let other = try file.open()
    let first = test.observe(test.people)
    let second = test.observe(test.people)
    let third = test.observe(test.people)
    first.onEvent = { first in
      first.token?.invalidate()
      second.token = nil
    }
    try other.write { $0.add(Person(id: 4)) }
    #expect(test.turns { third.changes.count == 1 })
    #expect(first.changes.count == 1)
    #expect(second.changes == [])
    try other.write { $0.add(Person(id: 5)) }
    #expect(test.turns { third.changes.count == 2 })
    #expect(first.changes.count == 1)
    #expect(second.changes == [])
  }
}
