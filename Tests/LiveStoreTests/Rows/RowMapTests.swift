import Testing

@testable import LiveStore

@Suite("Values by row")
struct RowMapTests {
  @Test("Random insertions, look-ups and removals agree with a dictionary")
  func model() {
    withSeededGenerator { generator in
      for round in 0..<20 {
        var map = RowMap<Int>()
        var model: [RowIdentity: Int] = [:]
        let keys = 1 << (round % 10 + 2)
        for step in 0..<2_000 {
          let number = Int64.random(in: 0..<Int64(keys), using: &generator)
          let key: SQLiteValue =
            switch number % 4 {
            case 0: .integer(number << 40)
            case 1: .text(String(repeating: "x", count: Int(number % 40)) + "\(number)")
            case 2: .malformedText([0xFF, UInt8(truncatingIfNeeded: number)])
            default: .integer(number)
            }
          let row = RowIdentity(table: Int.random(in: 0..<3, using: &generator), key: key)
          switch Int.random(in: 0..<10, using: &generator) {
          case 0..<5:
            let (index, isNew) = map.index(of: row, adding: step)
            #expect(isNew == (model[row] == nil))
            model[row] = model[row] ?? step
            #expect(map.entries[index].row == row && map[index: index] == model[row])
          case 5..<8:
            #expect(map.index(of: row).map { map[index: $0] } == model[row])
            if let index = map.index(of: row) { map.remove(at: index) }
            model[row] = nil
          case 8: #expect(map[row] == model[row])
          default:
            if Int.random(in: 0..<100, using: &generator) == 0 {
              map.removeAll()
              model = [:]
            }
          }
        }
        #expect(map.count == model.count && map.isEmpty == model.isEmpty)
        for entry in map.entries { #expect(model[entry.row] == entry.value) }
        for (row, value) in model { #expect(map[row] == value) }
      }
    }
  }

  @Test("Rows stay in the order in which they came")
  func order() {
    var map = RowMap<Int>()
    for number in 0..<100 {
      _ = map.index(of: RowIdentity(table: 0, key: .integer(Int64(number * 37 % 100))), adding: number)
    }
    #expect(map.entries.map(\.value) == Array(0..<100))
  }

  @Test("Texts that look the same but have other bytes are other keys, as they are to SQLite")
  func canonicalEquivalence() {
    var map = RowMap<Int>()
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    #expect(composed == decomposed)
    #expect(map.index(of: RowIdentity(table: 0, key: .text(composed)), adding: 1).isNew)
    #expect(map.index(of: RowIdentity(table: 0, key: .text(decomposed)), adding: 2).isNew)
    #expect(map[RowIdentity(table: 0, key: .text(composed))] == 1)
  }
}
