import LiveStore
import LiveStoreSync
import TestSupport
import Testing

@Suite("Merging")
struct MergingTests {
  @Test("Merging is commutative, associative and idempotent, whatever was changed")
  func laws() {
    var random = SeededGenerator()
    for round in 0..<cases(200_000, sample: 40_000) {
      let (a, b, c) = (object(&random), object(&random), object(&random))
      let isCommutative = a.merged(with: b) == b.merged(with: a)
      let isAssociative = a.merged(with: b).merged(with: c) == a.merged(with: b.merged(with: c))
      let isIdempotent = a.merged(with: a) == a
      guard isCommutative, isAssociative, isIdempotent else {
        Issue.record("round \(round), \(random.comment): \(a), \(b), \(c)")
        return
      }
    }
  }

  @Test("Two people who change different properties both keep what they did")
  func differentProperties() {
    let base = object(cells: ["text": ("Milk", 1, 1), "completed": (0, 1, 1)])
    let anna = object(cells: ["text": ("Oat milk", 3, 1)])
    let ben = object(cells: ["completed": (1, 2, 2)])
    let merged = base.merged(with: ben).merged(with: anna)
    #expect(merged.cells.mapValues(\.value) == ["text": .text("Oat milk"), "completed": .integer(1)])
  }

  @Test("Of two changes of one property the later one wins, at the same time that of the greater replica")
  func sameProperty() {
    let early = object(cells: ["text": ("early", 5, 2)])
    let late = object(cells: ["text": ("late", 6, 1)])
    #expect(early.merged(with: late) == late)
    let greater = object(cells: ["text": ("greater", 6, 2)])
    #expect(late.merged(with: greater) == greater)
  }

  @Test("A deletion wins over later changes that did not know of it, and a new life over the deletion")
  func deletion() {
    let deleted = SyncedObject(identity, deletion: HybridClock(stamp: 5, replica: 1))
    let changed = object(cells: ["text": ("changed", 9, 2)])
    #expect(deleted.merged(with: changed) == deleted)
    var again = object(cells: ["text": ("again", 2, 3)])
    again.life = 1
    #expect(deleted.merged(with: again) == again)
    #expect(again.merged(with: changed) == again)
  }

  @Test("Texts that are equal only for Unicode are two values, of which all machines keep the same")
  func canonicallyEquivalentTexts() {
    let composed = object(cells: ["text": ("\u{e9}", 1, 1)])
    let decomposed = object(cells: ["text": ("e\u{301}", 1, 1)])
    #expect(composed != decomposed)
    #expect(composed.merged(with: decomposed) == decomposed.merged(with: composed))
  }

  private let identity = SyncedObject.Identity(type: "Task", key: .text("a"))

  private func object(cells: [String: (SQLiteValue, Int64, Int64)]) -> SyncedObject {
    SyncedObject(
      identity,
      cells: cells.mapValues { value, stamp, replica in
        SyncedObject.Cell(value: value, clock: HybridClock(stamp: stamp, replica: replica))
      })
  }

  /// A state with few names, values and times, so that two often differ in little.
  private func object(_ random: inout SeededGenerator) -> SyncedObject {
    func clock() -> HybridClock {
      HybridClock(stamp: .random(in: 0..<3, using: &random), replica: .random(in: 0..<3, using: &random))
    }
    let life = Int64.random(in: 0..<3, using: &random)
    if Int.random(in: 0..<4, using: &random) == 0 {
      let known = Bool.random(using: &random) ? clock() : nil
      return SyncedObject(
        identity, life: life, deletion: clock(), known: known.map { [$0.replica: $0.stamp] } ?? [:])
    }
    var cells: [String: SyncedObject.Cell] = [:]
    for name in ["text", "completed", SyncedObject.place] where Bool.random(using: &random) {
      let value: SQLiteValue =
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .null
        case 1: .integer(.random(in: 0..<2, using: &random))
        case 2: .real(.random(in: 0..<2, using: &random))
        case 3: .text(["", "\u{e9}", "e\u{301}"].randomElement(using: &random)!)
        case 4: .malformedText([0xFF])
        default: .blob([UInt8.random(in: 0..<2, using: &random)])
        }
      cells[name] = SyncedObject.Cell(value: value, clock: clock())
    }
    return SyncedObject(identity, life: life, cells: cells)
  }
}

extension SQLiteValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  public init(stringLiteral value: String) { self = .text(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
}
