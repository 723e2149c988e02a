import FoundationEssentials
import LiveStore

/// Reading the cells, clocks and keys of objects from the JSON that PostgreSQL writes, as ``JSONWriting``
/// has written them.
///
/// PostgreSQL has checked that it is JSON. But any client may have written it: a value of a form that this
/// program does not know is nil, and the cell is left alone.
enum JSONReading {
  /// The key of an object, which the server does not know to be JSON; `nil` if it is no text or whole number
  /// as ``JSONWriting/writeKey(_:to:)`` writes it.
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

  /// The value of a cell, as ``JSONScanner`` has read it out of the bytes of a text.
  static func cell(_ value: SQLiteValue, _ text: UnsafeBufferPointer<UInt8>) -> SQLiteValue? {
    switch (text.first ?? 0, value) {
    case (UInt8(ascii: "{"), _): return typedValue(text)
    case (UInt8(ascii: "\""), _), (UInt8(ascii: "n"), _): return value
    // Of `true` and `false` the scanner makes integers, too.
    case (UInt8(ascii: "-"), .integer), (UInt8(ascii: "0")...UInt8(ascii: "9"), .integer): return value
    default: return nil
    }
  }

  /// The spans of what was replaced unseen of a cell: a basis and a replacement of each, as four numbers.
  static func unseenSpans(_ text: UnsafeBufferPointer<UInt8>) -> [UnseenSpan]? {
    var scanner = JSONScanner(text)
    var numbers: [Int64] = []
    let isRead = scanner.elements { value, text in
      guard case .integer(let number) = cell(value, text) else { return false }
      numbers.append(number)
      return true
    }
    guard isRead, numbers.count.isMultiple(of: 4) else { return nil }
    return stride(from: 0, to: numbers.count, by: 4).map { first in
      UnseenSpan(
        basis: HybridClock(stamp: numbers[first], replica: numbers[first + 1]),
        replacement: HybridClock(stamp: numbers[first + 2], replica: numbers[first + 3]))
    }
  }

  /// A clock: `[stamp, replica]`.
  static func clock(_ text: UnsafeBufferPointer<UInt8>) -> HybridClock? {
    var scanner = JSONScanner(text)
    var (clock, count) = (HybridClock(stamp: 0, replica: 0), 0)
    let isRead = scanner.elements { value, text in
      guard case .integer(let number) = cell(value, text) else { return false }
      if count == 0 { clock.stamp = number } else { clock.replica = number }
      count += 1
      return true
    }
    return isRead && count == 2 ? clock : nil
  }

  /// A value that JSON has none for: an object of one member, which is named by the kind of the value.
  private static func typedValue(_ text: UnsafeBufferPointer<UInt8>) -> SQLiteValue? {
    var scanner = JSONScanner(text)
    var (typed, count): (SQLiteValue?, Int) = (nil, 0)
    let isRead = scanner.members { kind, value, _ in
      if case .text(let text) = value { typed = Self.value(text, ofKind: kind) }
      count += 1
      return true
    }
    return isRead && count == 1 ? typed : nil
  }

  private static func value(_ text: String, ofKind kind: String) -> SQLiteValue? {
    func bytes() -> [UInt8]? { Data(base64Encoded: text).map(Array.init) }
    return switch kind {
    case "r": Double(text).flatMap { $0.isNaN ? nil : .real($0) }
    case "b": bytes().map { .blob($0) }
    case "m": bytes().map { .malformedText($0) }
    case "t": bytes().map { SQLiteValue(utf8: $0) }
    default: nil
    }
  }
}
