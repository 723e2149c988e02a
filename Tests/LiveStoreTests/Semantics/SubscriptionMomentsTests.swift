import Glibc
import LiveStoreFixtures
import TestSupport
import Testing

@testable import LiveStore

@Suite("Subscriptions that begin, skip and rest at any moment")
struct SubscriptionMomentsTests {
  private let file = TestFile()

  private enum Step: CaseIterable {
    case foreignWrite, ownWrite, skippedWrite, wait, turn, observe, readFirst, cancelledWrite, rest
  }

  @Test(
    "L1, L2, L7, L8, R147: the first call and every change set after it fit together, whatever comes between")
  func random() throws {
    var random = SeededGenerator()
    print(random.comment)
    try file.addPeople(1...8)
    for _ in 0..<60 {
      let test = try file.observer()
      let other = try file.open()
      var observations: [Observation] = [test.observe(test.people)]
      for _ in 0..<40 {
        switch Step.allCases.randomElement(using: &random) {
        case .foreignWrite: try other.write { _ in change(other, &random) }
        case .ownWrite: try test.write { _ in change(test, &random) }
        case .skippedWrite:
          let observation = observations.randomElement(using: &random)
          try test.store.beginWrite()
          change(test, &random)
          try test.store.commitWrite(withoutNotifying: [observation?.token].compactMap { $0 })
          if let observation, observation.isReady { observation.show(test.people) }
        case .wait:
          waitForInput(test.source.fileDescriptor, milliseconds: 20)
        case .turn: test.turn(milliseconds: 0)
        case .observe: observations.append(test.observe(test.people))
        case .readFirst: _ = test.people.first
        case .cancelledWrite:
          try test.store.beginWrite()
          test.store.cancelWrite()
        case .rest:
          test.store.invalidate()
          if Bool.random(using: &random) { try other.write { _ in change(other, &random) } }
          if Bool.random(using: &random) { try test.store.refresh() }
        case nil: break
        }
      }
      try test.store.refresh()
      for observation in observations {
        #expect(test.turns { observation.isReady })
        try #require(observation.rows == Observation.keys(test.people), "\(random.comment)")
      }
    }
  }

  private func change(_ test: TestStore, _ random: inout SeededGenerator) {
    let people = test.people
    if people.count > 4, Bool.random(using: &random) {
      test.store.delete(people[Int.random(in: 0..<people.count, using: &random)])
    } else {
      let id = Int.random(in: 1...10_000, using: &random)
      guard test.store.object(ofType: Person.self, forPrimaryKey: id) == nil else { return }
      test.store.add(Person(id: id, name: "n\(id)"))
    }
  }
}
