import FoundationEssentials
import LiveStore

/// Reading the cells, clocks and keys of objects from the JSON that PostgreSQL writes, as ``JSONWriting``
/// has written them.
///
/// PostgreSQL has checked that it is JSON. But any client may have written it: a value of a form that this
/// program does not know is nil, and the cell is left alone.
enum JSONReading {
  /// The key of an object, which the server does not know to be JSON.
  ///
  /// - Returns: `nil` if it is no text or whole number as ``JSONWriting/writeKey(_:to:)`` writes it.
  static func key(_ text: UnsafeBufferPointer<UInt8>) -> SQLiteValue? {
    var scanner = JSONScanner(text)
    guard let key = scanner.onlyValue() else { return nil }
    switch key {
    case .integer, .text: break
    default: return nil
    }
    // Two forms of one key would be two objects on the server and one here.
    var written: [UInt8] = []
    JSONWriting.writeKey(key, to: &written)
    return written.elementsEqual(text) ? key : nil
  }

  /// The value of a cell.
  ///
  /// - Parameters:
  ///   - value: The value as ``JSONScanner`` has read it.
  ///   - text: The bytes that it was written with.
  static func cell(_ value: SQLiteValue, _ text: UnsafeBufferPointer<UInt8>) -> SQLiteValue? {
    switch (text.first ?? 0, value) {
    case (UInt8(ascii: "{"), _): return typedValue(text)
    case (UInt8(ascii: "\""), _), (UInt8(ascii: "n"), _): return value
    // Of `true` and `false` the scanner makes integers, too.
    case (UInt8(ascii: "-"), .integer), (UInt8(ascii: "0")...UInt8(ascii: "9"), .integer): return value
    default: return nil
    }
  }

  /// A clock: `[stamp, replica]`.
  static func clock(_ text: UnsafeBufferPointer<UInt8>) -> HybridClock? {
    var scanner = JSONScanner(text)
    var numbers: [Int64] = []
    let isClock = scanner.elements { value, text in
      guard case .integer(let number) = cell(value, text) else { return false }
      numbers.append(number)
      return true
    }
    return isClock && numbers.count == 2 ? HybridClock(stamp: numbers[0], replica: numbers[1]) : nil
  }

  /// A value that JSON has none for: an object of one member, which is named by the kind of the value.
  private static func typedValue(_ text: UnsafeBufferPointer<UInt8>) -> SQLiteValue? {
    var scanner = JSONScanner(text)
    var members: [(kind: String, value: SQLiteValue)] = []
    let isRead = scanner.members { kind, value, _ in
      members.append((kind, value))
      return true
    }
    guard isRead, members.count == 1, case .text(let letters) = members[0].value else { return nil }
    let bytes = Data(base64Encoded: letters).map(Array.init)
    switch members[0].kind {
    case "r": return Double(letters).flatMap { $0.isNaN ? nil : .real($0) }
    case "b": return bytes.map { .blob($0) }
    case "m": return bytes.map { .malformedText($0) }
    case "t": return bytes.map { SQLiteValue(utf8: $0) }
    default: return nil
    }
  }
}
