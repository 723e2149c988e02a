/// A numbering of the sections of a collection.
protocol SectionNumbering: AnyObject {
  /// The number of the section that the element with a rank key belongs to; computes the element's section
  /// key.
  func number(ofElement rankKey: UnsafeRawBufferPointer) -> UInt64

  var count: Int { get }

  /// Removes numbers that no version uses any more.
  func removeAll(except numbers: Set<UInt64>)
}

/// The section keys of a collection and their numbers, which identify them in ``SectionTree``.
///
/// A key has the same number in every version in use, even if it was absent in between, so that versions can
/// be compared by number. Texts are the same key only if their bytes are equal; Swift's equality is not
/// enough.
final class SectionKeys<Key: Hashable>: SectionNumbering {
  private let key: (UnsafeRawBufferPointer) -> Key
  private let keyLength: ((UnsafeRawBufferPointer) -> Int)?
  /// The prefix of the last rank key that determines the section key, and the section's number.
  private var known: (bytes: [UInt8], number: UInt64)?
  /// The numbers of keys that are no texts.
  private var numbers: [Key: UInt64] = [:]
  private var textNumbers: [SQLiteValue: UInt64] = [:]
  private let isText = Key.self == String.self || Key.self == String?.self
  private var keys: [UInt64: Key] = [:]
  private var last: UInt64 = 0

  /// - Parameters:
  ///   - keyLength: The length in bytes of the prefix of a rank key that determines the section key, if one
  ///     does.
  ///   - key: The section key of the element with a rank key.
  init(
    keyLength: ((UnsafeRawBufferPointer) -> Int)? = nil, _ key: @escaping (UnsafeRawBufferPointer) -> Key
  ) {
    self.keyLength = keyLength
    self.key = key
  }

  /// A copy of the present keys for a frozen collection, all of whose elements have one.
  func frozen() -> SectionKeys<Key> {
    let copy = SectionKeys { _ in preconditionFailure("A frozen collection has an element without a section.")
    }
    copy.numbers = numbers
    copy.textNumbers = textNumbers
    copy.keys = keys
    return copy
  }

  var count: Int { keys.count }

  func number(ofElement rankKey: UnsafeRawBufferPointer) -> UInt64 {
    guard let keyLength else { return number(adding: key(rankKey)) }
    let bytes = UnsafeRawBufferPointer(rebasing: rankKey[..<keyLength(rankKey)])
    // Elements usually come in their order, and so those of a section one after the other.
    if let known, known.bytes.elementsEqual(bytes) { return known.number }
    let number = number(adding: key(rankKey))
    known = (Array(bytes), number)
    return number
  }

  private func number(adding key: Key) -> UInt64 {
    if let number = number(of: key) { return number }
    last += 1
    if isText { textNumbers[text(key)] = last } else { numbers[key] = last }
    keys[last] = key
    return last
  }

  private func text(_ key: Key) -> SQLiteValue {
    (key as? String).map { .text($0) } ?? .null
  }

  /// The number of a key, or `nil` if no section has had it.
  func number(of key: Key) -> UInt64? {
    isText ? textNumbers[text(key)] : numbers[key]
  }

  func key(of number: UInt64) -> Key {
    guard let key = keys[number] else { preconditionFailure("A section without a key.") }
    return key
  }

  func removeAll(except kept: Set<UInt64>) {
    known = nil
    keys = keys.filter { kept.contains($0.key) }
    numbers = numbers.filter { kept.contains($0.value) }
    textNumbers = textNumbers.filter { kept.contains($0.value) }
  }
}
