/// A writer that encodes values as bytes that compare as the values do, one component after another.
///
/// The order is SQLite's: NULL, then numbers (integers and reals by exact numeric value), then text (BINARY
/// collation, the bytes of its UTF-8), then blobs; <https://www.sqlite.org/datatype3.html#sort_order>. A
/// component written `descending` sorts in reverse, NULL last. Every component marks its own end, so two keys
/// compare by the first component in which they differ. Corresponding components of two keys of one
/// collection must be written by the same method with the same direction.
///
/// An integer and a real of the same value have the same bytes, as they are equal for SQLite.
///
/// Component lengths in bytes: NULL 1; number 4 if sign, exponent and the first four fractional bits suffice
/// (0, 1, 2, … 32, 0.5), otherwise 10, from 2⁵³ on 2 more; text and blob their length + 2, and 1 more for
/// every byte 0 or 1 in it; a UUID's text 18.
struct RankKeyWriter {
  /// The bytes written since the start or the last ``removeAll()``.
  private(set) var bytes: [UInt8] = []

  init() {
    bytes.reserveCapacity(64)
  }

  var key: RankKey { RankKey(bytes: bytes) }

  /// Begins a new key, and keeps the memory.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Calls `body` with the bytes written so far, which are valid until it returns.
  @inline(__always)
  func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try bytes.withUnsafeBytes(body)
  }

  mutating func appendNull(descending: Bool = false) {
    bytes.append(descending ? ~RankKeyTag.null : RankKeyTag.null)
  }

  mutating func append(_ value: Int64, descending: Bool = false) {
    let magnitude = value.magnitude
    let rounded = Double(magnitude)
    appendNumber(
      isNegative: value < 0, bits: rounded.bitPattern,
      residual: Int64(bitPattern: magnitude &- UInt64(rounded)), descending: descending)
  }

  /// Appends a real. NaN is written as NULL, as SQLite stores it; -0.0 as 0.
  mutating func append(_ value: Double, descending: Bool = false) {
    if value.isNaN { return appendNull(descending: descending) }
    appendNumber(
      isNegative: value < 0, bits: value.magnitude.bitPattern, residual: 0, descending: descending)
  }

  /// Appends text given as UTF-8, which need not be valid. Primary keys (`isKey`) are nearly always UUIDs.
  mutating func append(text: UnsafeRawBufferPointer, descending: Bool = false, isKey: Bool = false) {
    if isKey { return append(uuidText: text, descending: descending) }
    let start = bytes.count
    bytes.append(RankKeyTag.text)
    appendEscaped(text)
    if descending { invert(from: start) }
  }

  mutating func append(text: String, descending: Bool = false, isKey: Bool = false) {
    var text = text
    text.withUTF8 { append(text: UnsafeRawBufferPointer($0), descending: descending, isKey: isKey) }
  }

  mutating func append(blob: UnsafeRawBufferPointer, descending: Bool = false) {
    let start = bytes.count
    bytes.append(RankKeyTag.blob)
    appendEscaped(blob)
    if descending { invert(from: start) }
  }

  /// Appends text of a column that nearly always contains UUIDs in their canonical form (36 characters, upper
  /// case), in half the bytes. The order is still that of all texts, for any other text in the column.
  ///
  /// A UUID is its 16 bytes and a 0. Any other text is the greatest UUID whose text is before it, a 1, and
  /// the text.
  private mutating func append(uuidText text: UnsafeRawBufferPointer, descending: Bool) {
    let start = bytes.count
    switch UUIDTextPlace(of: text) {
    case .beforeAll:
      bytes.append(RankKeyTag.textBeforeUUIDs)
      appendEscaped(text)
    case .at(let uuid):
      bytes.append(RankKeyTag.uuidText)
      appendBigEndian(uuid)
      bytes.append(0)
    case .after(let uuid):
      bytes.append(RankKeyTag.uuidText)
      appendBigEndian(uuid)
      bytes.append(1)
      appendEscaped(text)
    }
    if descending { invert(from: start) }
  }

  /// Appends a number as its sign (in the tag), the bits of the Double nearest to its magnitude, and, if
  /// neighbouring Doubles are more than 1 apart, the remainder of the rounding. All except the tag is
  /// inverted for negative numbers.
  private mutating func appendNumber(isNegative: Bool, bits: UInt64, residual: Int64, descending: Bool) {
    let tag = (isNegative ? RankKeyTag.negative : RankKeyTag.positive) ^ (descending ? 0xFF : 0)
    // All of it in one number, from the highest byte on, which is appended at once: every key has two of
    // them.
    var rest = UInt128(bits >> 48) << 104
    var count = 4
    if bits & RankKeyTag.lowBits != 0 {
      rest |= 1 << 96 | UInt128(bits & RankKeyTag.lowBits) << 48
      count = 10
    }
    if bits >= RankKeyTag.firstInexactBits {
      count += 2
      rest |= UInt128(UInt16(truncatingIfNeeded: residual + 0x8000)) << UInt128(128 - 8 * count)
    }
    if isNegative != descending { rest = ~rest & (.max >> 8) }
    let component = UInt128(tag) << 120 | rest
    Swift.withUnsafeBytes(of: component.bigEndian) {
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[..<count]))
    }
  }

  private mutating func appendBigEndian(_ value: UInt128) {
    Swift.withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends bytes terminated by a 0: 0 and 1 themselves become 1 1 and 1 2.
  private mutating func appendEscaped(_ source: UnsafeRawBufferPointer) {
    var unwritten = 0
    for index in source.indices where source[index] <= 1 {
      bytes.append(contentsOf: source[unwritten..<index])
      bytes.append(1)
      bytes.append(source[index] + 1)
      unwritten = index + 1
    }
    bytes.append(contentsOf: source[unwritten...])
    bytes.append(0)
  }

  private mutating func invert(from start: Int) {
    for index in start..<bytes.count { bytes[index] = ~bytes[index] }
  }
}

/// The first bytes of components, ascending in the order of SQLite's storage classes. All are below 0x80, so
/// that the first byte of an inverted (descending) component is recognized by its highest bit.
enum RankKeyTag {
  static let null: UInt8 = 0x08
  static let negative: UInt8 = 0x10
  static let positive: UInt8 = 0x11
  static let text: UInt8 = 0x20
  static let textBeforeUUIDs: UInt8 = 0x21
  static let uuidText: UInt8 = 0x22
  static let blob: UInt8 = 0x30

  /// The bits of a Double that are omitted when they are all zero.
  static let lowBits: UInt64 = 0x0000_FFFF_FFFF_FFFF
  /// The bits of 2⁵³: from there on an integer may lie between two Doubles.
  static let firstInexactBits: UInt64 = 0x4340_0000_0000_0000
}

/// The place of a text among the texts of all UUIDs (canonical, upper case), which sort like their 128-bit
/// numbers.
enum UUIDTextPlace: Equatable {
  case beforeAll
  /// The text is that of this UUID.
  case at(UInt128)
  /// The text is not that of a UUID, and this is the last UUID whose text is before it.
  case after(UInt128)

  init(of text: UnsafeRawBufferPointer) {
    if let uuid = UInt128(canonicalUUID: text) {
      self = .at(uuid)
      return
    }
    var digits: UInt128 = 0
    var digitsRead: UInt128 = 0
    // The first UUID that begins with the digits read so far, and the last one.
    var first: UInt128 { digitsRead == 0 ? 0 : digits << (128 - 4 * digitsRead) }
    var last: UInt128 { digitsRead == 0 ? .max : first | (.max >> (4 * digitsRead)) }
    func isBeforeFirst() -> UUIDTextPlace { first == 0 ? .beforeAll : .after(first - 1) }

    for index in 0..<36 {
      guard index < text.count else {
        self = isBeforeFirst()
        return
      }
      let byte = text[index]
      if index == 8 || index == 13 || index == 18 || index == 23 {
        if byte == UInt8(ascii: "-") { continue }
        self = byte < UInt8(ascii: "-") ? isBeforeFirst() : .after(last)
        return
      }
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits = digits << 4 | UInt128(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "A")...UInt8(ascii: "F"):
        digits = digits << 4 | UInt128(byte - UInt8(ascii: "A") + 10)
      case ..<UInt8(ascii: "0"):
        self = isBeforeFirst()
        return
      case ..<UInt8(ascii: "A"):
        digits = digits << 4 | 9
        digitsRead += 1
        self = .after(last)
        return
      default:
        self = .after(last)
        return
      }
      digitsRead += 1
    }
    self = text.count == 36 ? .at(digits) : .after(digits)
  }
}
