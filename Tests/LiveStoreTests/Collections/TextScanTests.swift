import Dispatch
import FoundationEssentials
import LiveStoreFixtures
import Synchronization
import TestSupport
import Testing

@testable import LiveStore

/// The search of a text in the order of the file, compared with the elements themselves.
@Suite("Searching texts on other threads")
struct TextScanTests {
  private let test: TestStore

  init() throws {
    test = try TestFile().open()
  }

  private func indices(of scan: TextScan, containing word: String) throws -> [Int] {
    let word = Array(word.utf8)
    let isOver = DispatchSemaphore(value: 0)
    let result = Mutex(Result<[Int], StoreError>.success([]))
    let run = scan.start(
      matching: { text in text.indices.contains { text[$0...].starts(with: word) } },
      completion: { found in
        result.withLock { $0 = found }
        isOver.signal()
      })
    defer { run.cancel() }
    try #require(isOver.wait(timeout: .now() + .milliseconds(Int(Patience.milliseconds))) == .success)
    return try result.withLock { $0 }.get()
  }

  @Test("It finds the elements with a word, whatever their keys are, and divides the rows about in half")
  func elements() throws {
    try withSeededGenerator { generator in
      let names = (0..<1_000).map { "n\($0)" + (Bool.random(using: &generator) ? " x" : "") }
      let owner = Person(id: 0, name: "owner x")
      try test.store.write {
        test.store.add(owner)
        for (number, name) in names.enumerated() {
          test.store.add(Person(id: number + 1, name: name))
          let dog = Dog(name)
          // Consecutive ones, in a random order.
          dog.id = try #require(UUID(uuidString: "10000000-0000-4000-8000-\(100_000_000_000 + number)"))
          owner.dogs.insert(dog, at: Int.random(in: 0...owner.dogs.count, using: &generator))
        }
      }
      let people = test.store.objects(Person.self).sorted(by: \.name, ascending: false)
      let found = try indices(of: people.textScan(of: \.name), containing: "x")
      #expect(found == people.indices.filter { people[$0].name.contains("x") })
      let scan = owner.dogs.textScan(of: \.name)
      let foundInList = try indices(of: scan, containing: "x")
      #expect(foundInList == owner.dogs.indices.filter { owner.dogs[$0].name.contains("x") })
      guard case .text(let middle)? = scan.middle else {
        Issue.record("no key divides the rows: \(String(describing: scan.middle))")
        return
      }
      // The median of a hundred is off by a twentieth of the rows on average; five times that never happens.
      #expect(250...750 ~= owner.dogs.count { $0.id.uuidString < middle })
    }
  }

  @Test("Nothing is found where there is nothing")
  func nothing() throws {
    #expect(try indices(of: test.people.textScan(of: \.name), containing: "x") == [])
  }
}
