import Testing

@testable import LiveStore

/// A value as SQLite stores it, with SQLite's order, told as simply as possible.
private enum ModelValue: Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])

  static func compare(_ left: ModelValue, _ right: ModelValue) -> Int {
    switch (left, right) {
    case (.null, .null): return 0
    case (.integer(let a), .integer(let b)): return a < b ? -1 : a > b ? 1 : 0
    case (.real(let a), .real(let b)): return a < b ? -1 : a > b ? 1 : 0
    case (.integer(let a), .real(let b)): return compare(a, b)
    case (.real(let a), .integer(let b)): return -compare(b, a)
    case (.text(let a), .text(let b)), (.blob(let a), .blob(let b)):
      return a.lexicographicallyPrecedes(b) ? -1 : b.lexicographicallyPrecedes(a) ? 1 : 0
    default: return left.storageClass < right.storageClass ? -1 : 1
    }
  }

  /// An integer against a real, exactly.
  private static func compare(_ integer: Int64, _ real: Double) -> Int {
    if real >= 0x1p63 { return -1 }
    if real < -0x1p63 { return 1 }
    let floor = real.rounded(.down)
    let whole = Int64(floor)
    if integer != whole { return integer < whole ? -1 : 1 }
    return floor < real ? -1 : 0
  }

  private var storageClass: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }
}

extension RankKeyWriter {
  fileprivate mutating func append(_ value: ModelValue, descending: Bool, asUUID: Bool = false) {
    switch value {
    case .null: appendNull(descending: descending)
    case .integer(let value): append(value, descending: descending)
    case .real(let value): append(value, descending: descending)
    case .text(let value):
      value.withUnsafeBytes { bytes in
        if asUUID {
          append(text: bytes, descending: descending, isKey: true)
        } else {
          append(text: bytes, descending: descending)
        }
      }
    case .blob(let value): value.withUnsafeBytes { append(blob: $0, descending: descending) }
    }
  }
}

private func encode(_ values: [ModelValue], descending: [Bool], asUUID: Bool = false) -> RankKey {
  var writer = RankKeyWriter()
  for (value, descending) in zip(values, descending) {
    writer.append(value, descending: descending, asUUID: asUUID)
  }
  return writer.key
}

private let edgeNumbers: [ModelValue] = {
  var values: [ModelValue] = [
    .real(.infinity), .real(-.infinity), .real(.greatestFiniteMagnitude), .real(-.greatestFiniteMagnitude),
    .real(.leastNonzeroMagnitude), .real(-.leastNonzeroMagnitude), .real(0.0), .real(-0.0), .real(0x1p63),
    .real(-0x1p63), .real(0x1p64), .real((0x1p63).nextDown), .real((0x1p63).nextUp), .real((-0x1p63).nextUp),
    .real((-0x1p63).nextDown), .integer(.min), .integer(.min + 1), .integer(.max), .integer(.max - 1),
  ]
  for power in [0, 1, 7, 8, 31, 32, 52, 53, 54, 55, 61, 62] {
    for offset in -3...3 as ClosedRange<Int64> {
      let integer = Int64(1) << Int64(power) &+ offset
      values += [.integer(integer), .integer(-integer), .real(Double(integer)), .real(-Double(integer))]
    }
    values += [
      .real(Double(Int64(1) << Int64(power)).nextUp), .real(Double(Int64(1) << Int64(power)).nextDown),
    ]
  }
  for small in -40...40 as ClosedRange<Int64> { values += [.integer(small), .real(Double(small) + 0.5)] }
  return values
}()

private let edgeValues: [ModelValue] = {
  let strings: [[UInt8]] = [
    [], [0], [0, 0], [0, 1], [1], [1, 0], [1, 1], [1, 2], [2], [0, 0xFF], [0xFF], [0xFF, 0], [0xFF, 0xFF],
    [0xFE],
    Array("a".utf8), Array("ab".utf8), Array("a\u{0}".utf8), Array("a\u{1}b".utf8), Array("é".utf8),
    Array("😀".utf8),
  ]
  return [.null] + edgeNumbers + strings.map { .text($0) } + strings.map { .blob($0) }
}()

private func randomValue(_ generator: inout SeededGenerator) -> ModelValue {
  func bytes(_ generator: inout SeededGenerator) -> [UInt8] {
    let palette: [UInt8] = [0, 1, 2, 0x41, 0x7F, 0x80, 0xFE, 0xFF]
    return (0..<Int.random(in: 0...6, using: &generator)).map { _ in palette.randomElement(using: &generator)!
    }
  }
  switch Int.random(in: 0..<8, using: &generator) {
  case 0: return .null
  case 1: return .integer(Int64(bitPattern: generator.next()) >> Int64.random(in: 0..<64, using: &generator))
  case 2:
    let value = Double(bitPattern: generator.next())
    return value.isNaN ? .null : .real(value)
  case 3: return edgeNumbers.randomElement(using: &generator)!
  case 4: return .real(Double(Int.random(in: -8...8, using: &generator)) / 4)
  case 5: return edgeValues.randomElement(using: &generator)!
  case 6: return .text(bytes(&generator))
  default: return .blob(bytes(&generator))
  }
}

private let sampleUUID = "3F2504E0-4F89-11D3-9A0C-0305E82C3301"

@Suite("Rank keys")
struct RankKeyTests {
  @Test("Every pair of edge values compares as in SQLite, ascending and descending")
  func edgePairs() {
    let values = edgeValues.map {
      (value: $0, up: encode([$0], descending: [false]), down: encode([$0], descending: [true]))
    }
    for left in values {
      for right in values {
        let expected = ModelValue.compare(left.value, right.value)
        expectInLoop(compare(left.up, right.up) == expected, "\(left.value) \(right.value)")
        expectInLoop(compare(left.down, right.down) == -expected, "\(left.value) \(right.value) descending")
      }
    }
  }

  @Test("Random keys of several components compare component by component")
  func randomKeys() {
    withSeededGenerator { generator in
      for _ in 0..<20_000 {
        let count = Int.random(in: 1...3, using: &generator)
        let descending = (0..<count).map { _ in Bool.random(using: &generator) }
        let left = (0..<count).map { _ in randomValue(&generator) }
        // Often equal beginnings, so that the later components decide.
        let right = left.map { Bool.random(using: &generator) ? $0 : randomValue(&generator) }
        var expected = 0
        for (index, (a, b)) in zip(left, right).enumerated() where expected == 0 {
          expected = ModelValue.compare(a, b) * (descending[index] ? -1 : 1)
        }
        let found = compare(encode(left, descending: descending), encode(right, descending: descending))
        expectInLoop(found == expected, "\(left) \(right) \(descending)")
      }
    }
  }

  @Test("Values are read back, the components before them passed over")
  func roundTrip() {
    withSeededGenerator { generator in
      for round in 0..<20_000 {
        let values =
          round < edgeValues.count
          ? [edgeValues[round]]
          : (0..<Int.random(in: 1...4, using: &generator)).map { _ in randomValue(&generator) }
        let descending = values.map { _ in Bool.random(using: &generator) }
        let key = encode(values, descending: descending)
        key.withUnsafeBytes { bytes in
          var reader = RankKeyReader(bytes)
          for value in values { expectInLoop(equals(reader.read(), value), "\(values) \(descending)") }
          expectInLoop(reader.isAtEnd)
          expectInLoop(reader.read() == nil)
          var last = RankKeyReader(bytes)
          expectInLoop(last.skip(values.count - 1))
          expectInLoop(equals(last.read(), values.last!))
          expectInLoop(!last.skip())
        }
      }
    }
  }

  @Test("A cut key is read as far as it goes and never beyond")
  func truncation() {
    withSeededGenerator { generator in
      for _ in 0..<2_000 {
        let values = (0..<3).map { _ in randomValue(&generator) } + [.text(Array(sampleUUID.utf8))]
        let descending = values.map { _ in Bool.random(using: &generator) }
        let key = encode(values, descending: descending, asUUID: Bool.random(using: &generator))
        for count in 0..<key.bytes.count {
          key.withUnsafeBytes { bytes in
            var reader = RankKeyReader(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            while reader.read() != nil {}
            expectInLoop(reader.offset <= count)
          }
        }
      }
    }
  }

  @Test("Random bytes are read without stopping the program")
  func malformed() {
    withSeededGenerator { generator in
      let tags: [UInt8] = [0x08, 0x10, 0x11, 0x20, 0x21, 0x22, 0x30]
      for _ in 0..<20_000 {
        var bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        }
        let mask: UInt8 = Bool.random(using: &generator) ? 0xFF : 0
        if !bytes.isEmpty { bytes[0] = tags.randomElement(using: &generator)! ^ mask }
        bytes.withUnsafeBytes { bytes in
          var reader = RankKeyReader(bytes)
          while reader.read() != nil {}
          expectInLoop(reader.offset <= bytes.count)
        }
      }
    }
  }

  @Test("NaN is NULL, and -0.0 is 0")
  func oddNumbers() {
    #expect(encode([.real(.nan)], descending: [false]) == encode([.null], descending: [false]))
    #expect(encode([.real(.nan)], descending: [true]) == encode([.null], descending: [true]))
    #expect(encode([.real(-0.0)], descending: [false]) == encode([.integer(0)], descending: [false]))
  }

  @Test("Small numbers take 4 bytes, dates 10, UUIDs 18")
  func lengths() {
    for small in [0, 1, -1, 2, 7, 31, 32, 100, -32] as [Int64] where small.magnitude < 33 {
      #expect(encode([.integer(small)], descending: [false]).bytes.count == 4, "\(small)")
    }
    #expect(encode([.real(753_000_000.123)], descending: [true]).bytes.count == 10)
    var writer = RankKeyWriter()
    writer.append(text: sampleUUID, isKey: true)
    #expect(writer.bytes.count == 18)
    writer.removeAll()
    writer.append(text: sampleUUID)
    #expect(writer.bytes.count == 38)
  }

  @Test("A UUID column keeps the order of texts, also among texts that are no UUIDs")
  func uuidTexts() {
    var texts: [String] = [
      "", "0", "-", "/", ":", "@", "A", "F", "G", "a", "00000000", "00000000-",
      "00000000-0000-0000-0000-000000000000",
      "00000000-0000-0000-0000-000000000000 ", "00000000-0000-0000-0000-00000000000",
      "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF\u{0}",
      "FFFFFFFF-FFFF-FFFF-FFFF-",
      "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFE", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFF",
      "FFFFFFFF-FFFF-FFFF-FFFF-G",
      sampleUUID.lowercased(), "zebra", "\u{0}", "\u{1}", "00000000.", "00000000,",
      "00000001-0000-0000-0000-000000000000",
    ]
    withSeededGenerator { generator in
      for _ in 0..<300 {
        // A UUID, cut, changed in one place, or prolonged: neighbours of UUIDs on either side.
        var text = Array((Bool.random(using: &generator) ? sampleUUID : randomUUID(&generator)).utf8)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: text.removeLast(Int.random(in: 0...36, using: &generator))
        case 1:
          text[Int.random(in: 0..<36, using: &generator)] = UInt8.random(in: 0...127, using: &generator)
        case 2: text.append(UInt8.random(in: 0...127, using: &generator))
        default: break
        }
        texts.append(String(decoding: text, as: UTF8.self))
      }
      let values = texts.map { text in
        let value = ModelValue.text(Array(text.utf8))
        return (
          value: value, up: encode([value], descending: [false], asUUID: true),
          down: encode([value], descending: [true], asUUID: true)
        )
      }
      for left in values {
        for right in values {
          let expected = ModelValue.compare(left.value, right.value)
          expectInLoop(compare(left.up, right.up) == expected, "\(left.value) \(right.value)")
          expectInLoop(compare(left.down, right.down) == -expected, "\(left.value) \(right.value) descending")
        }
      }
      for left in texts {
        for descending in [false, true] {
          let key = encode([.text(Array(left.utf8)), .null], descending: [descending, false], asUUID: true)
          key.withUnsafeBytes { bytes in
            var reader = RankKeyReader(bytes)
            expectInLoop(reader.read() == .text(left))
            expectInLoop(reader.read() == .null)
          }
        }
      }
    }
  }

  private func compare(_ left: RankKey, _ right: RankKey) -> Int {
    left < right ? -1 : right < left ? 1 : 0
  }

  private func randomUUID(_ generator: inout SeededGenerator) -> String {
    sampleUUID.map { $0 == "-" ? "-" : String("0123456789ABCDEF".randomElement(using: &generator)!) }.joined()
  }

  private func equals(_ component: SQLiteValue?, _ value: ModelValue) -> Bool {
    switch (component, value) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.integer(let a), .real(let b)): Int64(exactly: b) == a
    case (.real(let a), .real(let b)): a == b && Int64(exactly: b) == nil
    case (.text(let a), .text(let b)): Array(a.utf8) == b
    case (.malformedText(let a), .text(let b)): a == b && String(validating: b, as: UTF8.self) == nil
    case (.blob(let a), .blob(let b)): a == b
    default: false
    }
  }
}
