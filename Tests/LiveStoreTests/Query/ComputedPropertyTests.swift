import FoundationEssentials
import Testing

@testable import LiveStore

private final class Sample: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var number = 0
  @Persisted var next: Sample?

  var isBig: Bool { number > 5 }
  var negated: Int { -number }
  var clamped: Int {
    get { min(number, 100) }
    set { number = newValue }
  }
  /// Alike in type and in what is read.
  var following: Sample? { number > 5 ? nil : next }
}

private final class Indexed: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var number = 0

  var negated: Int { -number }
  override class var indexes: [[AnyKeyPath]] { [[\Indexed.negated]] }
}

private func samples() throws -> Results<Sample> {
  let configuration = Store.Configuration(inMemory: UUID().uuidString, objectTypes: [Sample.self])
  let test = try TestStore(configuration)
  try test.store.write {
    for number in 1...9 {
      let sample = Sample()
      (sample.id, sample.number) = (number, number)
      sample.next = test.store.object(ofType: Sample.self, forPrimaryKey: number - 1)
      test.store.add(sample)
    }
  }
  return test.store.objects(Sample.self)
}

@Suite("Computed properties, of which SQL knows nothing")
struct ComputedPropertyTests {
  @Test(
    "A filter by a property that is computed from one persisted property is refused and names what to use")
  func filters() throws {
    let all = try samples()
    for predicate in [
      #Predicate<Sample> { $0.isBig }, #Predicate { $0.negated < 3 }, #Predicate { $0.clamped < 3 },
      #Predicate { $0.next?.negated == 3 }, #Predicate { $0.following == nil },
    ] {
      let error = #expect(throws: QueryError.self) { try all.filter(predicate) }
      #expect(
        error?.description.contains("persisted properties of Sample") == true, "\(String(describing: error))")
    }
    #expect(try all.filter(#Predicate { $0.next?.number == 3 }).count == 1)
  }

  @Test("An index over a property that is computed from one persisted property is refused")
  func indexes() throws {
    let file = TestFile()
    let error = #expect(throws: StoreError.self) { try TestStore(file.path, types: [Indexed.self]) }
    #expect(error?.code == .schema && error?.description.contains("no persisted value") == true)
  }

  @Test("Key paths over several links are known by their steps, whichever way they unwrap")
  func steps() throws {
    let schema = try ObjectSchema.of(Sample.self)
    func isPath(_ keyPath: AnyKeyPath) -> Bool { KeyPathTrace(keyPath, from: schema).isPath }
    #expect(isPath(\Sample.number) && isPath(\Sample.next))
    #expect(isPath(\Sample.next?.number) && isPath(\Sample.next!.number))
    #expect(isPath(\Sample.next?.next?.number) && isPath(\Sample.next?.next))
    #expect(!isPath(\Sample.negated) && !isPath(\Sample.clamped) && !isPath(\Sample.number.description))
    #expect(
      !isPath(\Sample.next?.negated) && !isPath(\Sample.next!.clamped) && !isPath(\Sample.next?.next?.isBig))
    #expect(!isPath(\Sample.following?.number) && !isPath(\Sample.next?.following?.number))
    let all = try samples()
    #expect(all.sorted(by: \.next?.number, ascending: false).first?.id == 9)
    #expect(all.max(of: \.next?.number) == 8)
  }

  /// The message that a use of samples stops the program with.
  private static func message(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test(
    "Sorting, aggregating, making distinct and observing by a computed property stop the program with a sentence"
  )
  func stops() async {
    let sorted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try samples().sorted(by: \.negated)
    }
    #expect(Self.message(sorted).contains("Sample can be sorted by its persisted properties"))
    let summed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try samples().sum(of: \.negated)
    }
    #expect(Self.message(summed).contains("Sample can be aggregated over its persisted properties"))
    let distinct = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try samples().distinct(by: [\.clamped])
    }
    #expect(Self.message(distinct).contains("Sample can be made distinct by its persisted properties"))
    let further = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try samples().sorted(by: \.next?.negated)
    }
    #expect(Self.message(further).contains("Sample can be sorted by its persisted properties"))
    let observed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try samples().observe(keyPaths: [\.isBig]) { _ in }
    }
    #expect(Self.message(observed).contains("cannot be observed"))
  }

  @Test("Sections by a computed property stay, in the order of the persisted property that it is made of")
  func sections() throws {
    let sections = try samples().sorted(by: \.id, ascending: false).sectioned(by: \.isBig)
    #expect(sections.allKeys == [false, true])
    #expect(sections.map { $0.map(\.number) } == [[1, 2, 3, 4, 5], [6, 7, 8, 9]])
  }
}
