/// The text of a cell: a spacing scalar and up to four marks over it, or nothing.
///
/// A screen has thousands of cells, and a frame copies and compares each several times. Scalars packed into
/// two numbers are copied like numbers; strings would be reference-counted each time.
package struct CellText: Hashable, Sendable {
  /// Five scalars of 21 bits, the first lowest: three of them, and two. Absent ones are 0.
  private(set) var low: UInt64
  private(set) var high: UInt64

  /// A cell that a wide cluster to the left covers has no text.
  static let empty = CellText(low: 0, high: 0)
  package static let space = CellText(low: 0x20, high: 0)

  private static let bits: UInt64 = 21
  private static let mask: UInt64 = 1 << bits - 1
  static let mostScalars = 5

  /// - Parameter high: At most 42 bits.
  init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// The first five scalars of a text. NUL, which is never drawn, ends it.
  init(_ text: String) {
    self = .empty
    let bytes = text.utf8
    if bytes.count == 1, let byte = bytes.first {
      low = UInt64(byte)
      return
    }
    for (place, scalar) in text.unicodeScalars.prefix(Self.mostScalars).enumerated() {
      guard scalar.value != 0 else { return }
      set(scalar, at: place)
    }
  }

  /// Not NUL.
  init(_ scalar: Unicode.Scalar) {
    self.init(low: UInt64(scalar.value), high: 0)
  }

  /// Adds a scalar, if there is room for it.
  mutating func append(_ scalar: Unicode.Scalar) {
    var count = 0
    forEachScalar { _, _ in count += 1 }
    if count < Self.mostScalars { set(scalar, at: count) }
  }

  private mutating func set(_ scalar: Unicode.Scalar, at place: Int) {
    let value = UInt64(scalar.value)
    if place < 3 {
      low |= value << (Self.bits * UInt64(place))
    } else {
      high |= value << (Self.bits * UInt64(place - 3))
    }
  }

  /// Whether it has one scalar of ASCII, or none.
  var isASCII: Bool { low < 0x80 && high == 0 }

  /// The scalar, if it is the only one.
  var single: Unicode.Scalar? { low >> Self.bits == 0 && high == 0 ? first : nil }

  var first: Unicode.Scalar? { low == 0 ? nil : scalar(at: 0) }

  /// Calls `body` with each scalar and its index.
  func forEachScalar(_ body: (Int, Unicode.Scalar) -> Void) {
    for place in 0..<Self.mostScalars {
      guard let scalar = scalar(at: place), scalar.value != 0 else { return }
      body(place, scalar)
    }
  }

  private func scalar(at place: Int) -> Unicode.Scalar? {
    let value = place < 3 ? low >> (Self.bits * UInt64(place)) : high >> (Self.bits * UInt64(place - 3))
    return Unicode.Scalar(UInt32(truncatingIfNeeded: value & Self.mask))
  }

  /// The text with a mark over it, which replaces the last one if there are four already.
  func marked(with mark: Unicode.Scalar) -> CellText {
    var result = self
    // Keeps the fourth scalar, and has room for the mark.
    result.high &= Self.mask
    result.append(mark)
    return result
  }

  var string: String {
    var view = String.UnicodeScalarView()
    forEachScalar { view.append($1) }
    return String(view)
  }
}
