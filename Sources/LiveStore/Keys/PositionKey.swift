/// Keys for the positions in a list: texts that sort (BINARY, by their bytes) in the order of the elements,
/// and between any two of which another one fits. Moving an element writes one key and renumbers nothing.
///
/// A key is a sequence of integers. Keys sort like the sequences, and a prefix before the longer sequence:
/// between 5 and 6 there is (5, 0), between (5, 0) and 6 there is (5, 1), between 5 and (5, 0) there is (5,
/// -1). Repeatedly adding after (or before) the last added element counts up (or down), at the ends of a list
/// as well as between any two elements, so that keys grow with the logarithm of the number of elements. Only
/// repeatedly adding *between* the last two added elements lengthens keys by a character, each time or every
/// second time.
///
/// An integer is written in digits 0–9 A–Z a–z of value 0…61: -20…19 as one digit (B…o), others as a digit
/// for the number of those that follow (1…10 of them: p…y; negative ones: A, 9…1) and those. No integer
/// begins with 0 or z.
///
/// Any other text in the column is accepted: a text that a person entered there is a key too.
package enum PositionKey {
  /// A key between two others.
  ///
  /// - Parameters:
  ///   - lower: The key of the element before the new position, `nil` at the beginning of the list.
  ///   - upper: The key of the element after it, `nil` at the end.
  /// - Returns: A key strictly between the two. If there is no text (without U+0000) between them, the key of
  ///   one of them, `lower` if given: elements with equal keys are ordered by their primary keys. That is so
  ///   if the two are equal, which happens when two processes inserted at the same position at the same time.
  ///
  /// Complexity: O(length of the keys); O(its square) for keys that this library did not create.
  static func between(_ lower: String?, _ upper: String?) -> String {
    String(decoding: between(lower.map { Array($0.utf8) }, upper.map { Array($0.utf8) }), as: UTF8.self)
  }

  /// Returns `count` ascending keys between two others, as short as if added one after the other.
  ///
  /// - Returns: Keys strictly between the two and different from each other, if there is text between them;
  ///   see ``between(_:_:)``.
  ///
  /// Complexity: O(count).
  static func keys(_ count: Int, between lower: String?, and upper: String?) -> [String] {
    let upper = upper.map { Array($0.utf8) }
    var last = lower.map { Array($0.utf8) }
    var integers: Integers?
    return (0..<count).map { _ in
      // Behind a key of our making stands the one whose last integer is greater by one, as long as that is
      // less than the upper key.
      if let text = integers?.countUp(), upper.map(text.lexicographicallyPrecedes) ?? true {
        last = text
      } else {
        let key = between(last, upper)
        let read = Integers(key)
        integers = read.isComplete ? read : nil
        last = key
      }
      return String(decoding: last ?? [], as: UTF8.self)
    }
  }

  /// A key between two others, of a machine whose file is joined to others'.
  ///
  /// Machines that insert at the same place, not knowing of each other, would make the same keys, and mix
  /// what they insert. So a first key gets a last integer from a range of the machine's own, which the keys
  /// after it, or before it, count on in: what one machine inserts there stays together.
  ///
  /// - Parameters:
  ///   - run: The number of the machine's range; `nil` in a file that is not joined.
  static func between(_ lower: String?, _ upper: String?, run: Int?) -> String {
    guard let run else { return between(lower, upper) }
    let (lower, upper) = (lower.map { Array($0.utf8) }, upper.map { Array($0.utf8) })
    return String(decoding: between(lower, upper, run: run), as: UTF8.self)
  }

  private static func between(_ lower: [UInt8]?, _ upper: [UInt8]?, run: Int) -> [UInt8] {
    func isBetween(_ key: [UInt8]) -> Bool {
      (lower.map { $0.lexicographicallyPrecedes(key) } ?? true)
        && (upper.map { key.lexicographicallyPrecedes($0) } ?? true)
    }
    if let key = lower.flatMap({ Integers.beside($0, by: 1, inRun: run) }), isBetween(key) { return key }
    if let key = upper.flatMap({ Integers.beside($0, by: -1, inRun: run) }), isBetween(key) { return key }
    var key = between(lower, upper)
    let own = Integers.firstOfRun(run)
    if isBetween(key + own) { return key + own }
    // The next element is one of another machine's that begins like the new key.
    key = between(key, upper)
    return isBetween(key + own) ? key + own : key
  }

  /// Returns `count` ascending keys between two others; see ``between(_:_:run:)``.
  static func keys(_ count: Int, between lower: String?, and upper: String?, run: Int?) -> [String] {
    guard let run, count > 0 else { return keys(count, between: lower, and: upper) }
    // The further ones count on from the first.
    let first = between(lower, upper, run: run)
    var keys = [first]
    keys.reserveCapacity(count)
    while keys.count < count { keys.append(between(keys[keys.count - 1], upper, run: run)) }
    return keys
  }

  /// The number of ranges for machines; see ``between(_:_:run:)``.
  static let runs = 62 * 62 * 62

  private static func between(_ lower: [UInt8]?, _ upper: [UInt8]?) -> [UInt8] {
    func isBetween(_ key: [UInt8]) -> Bool {
      if let lower, !lower.lexicographicallyPrecedes(key) { return false }
      if let upper, !key.lexicographicallyPrecedes(upper) { return false }
      return true
    }
    if let lower, let upper, !lower.lexicographicallyPrecedes(upper) { return lower }

    // For keys of this library the first always succeeds; the others are for foreign texts.
    let lowerKey = Integers(lower ?? [])
    let upperKey = Integers(upper ?? [])
    if lowerKey.isComplete, upperKey.isComplete {
      let integers = Integers.between(lowerKey.values, upper == nil ? nil : upperKey.values)
      if let key = integers?.text, isBetween(key) { return key }
    }
    for key in candidates(lower ?? [], upper) where isBetween(key) { return key }
    return lower ?? upper ?? []
  }

  /// Keys that may be between two, at least one of which is foreign. If any text is between them, one of
  /// these is.
  private static func candidates(_ lower: [UInt8], _ upper: [UInt8]?) -> [[UInt8]] {
    var candidates: [[UInt8]] = []
    func add(_ prefix: ArraySlice<UInt8>, _ lower: [Int], _ upper: [Int]?) {
      if let integers = Integers.between(lower, upper) { candidates.append(prefix + integers.text) }
    }

    // As if the keys consisted only of the integers that they begin with.
    add([], Integers(lower).values, upper.map { Integers($0).values })
    if let upper {
      // After the common prefix.
      var common = zip(lower, upper).prefix { $0 == $1 }.count
      while common > 0, common < upper.count, upper[common] & 0xC0 == 0x80 { common -= 1 }
      add(upper[..<common], Integers(lower[common...]).values, Integers(upper[common...]).values)
    }
    // After the lower one, as if there were no upper one, counting up the integers that it ends with.
    for start in lower.indices {
      let end = Integers(lower[start...])
      if end.isComplete {
        add(lower[..<start], end.values, nil)
        break
      }
    }
    add(lower[...], [], nil)
    if let upper, upper.starts(with: lower), upper.count > lower.count {
      // Between a text and a longer one that begins with it: the next lower byte.
      let byte = upper[lower.count]
      if byte > 2 {
        candidates.append(lower + [min(byte - 1, UInt8(ascii: "U"))] + Integers.first)
        candidates.append(lower + [min(byte - 1, UInt8(ascii: "U"))])
      }
      candidates.append(lower + [1] + Integers.first)
      candidates.append(lower + [1])
    }
    return candidates
  }

  /// SQL that selects a key after the last one of a list: the integer with which that begins, and one more;
  /// (0) after a negative one.
  ///
  /// SQL has no loop for that: the digits z at the end of the integer become 0, and the one before them is
  /// the next. If that is the first, which says how many follow, there is one more of them. It is short: each
  /// connection reads the triggers in which it stands.
  ///
  /// - Parameter last: SQL that selects the last key as `last`; NULL if there is none.
  static func sqlAfterLast(_ last: String) -> String {
    let digits = literal(String(decoding: Integers.digits, as: UTF8.self))
    return "SELECT CASE WHEN last >= 'z' OR w GLOB '*[^0-9A-Za-z]*' THEN last || 'V' WHEN last >= 'V' THEN "
      + "substr(r, 1, length(r) - 1) || substr(\(digits), instr(\(digits), substr(r, -1)) + 1, 1) "
      + "|| substr('00000000000', 1, length(w) - length(r) + (length(r) = 1 AND w >= 'o')) ELSE 'V' END "
      + "FROM (SELECT *, rtrim(w, 'z') AS r FROM "
      + "(SELECT *, substr(last, 1, 1 + instr('pqrstuvwxy', substr(last, 1, 1))) AS w FROM (\(last))))"
  }
}

/// The integers that a key consists of.
private struct Integers {
  var values: [Int] = []
  /// Whether the text consisted entirely of integers.
  private(set) var isComplete = true

  /// The text of the key (0).
  static let first = Integers(values: [0]).text

  /// The greatest integer that can be written, and the negative of the least.
  private static let limit = 20 + (1...10).reduce(0) { $0 + power($1) } - 1

  private init(values: [Int]) {
    self.values = values
  }

  /// The integers that a text begins with.
  init(_ text: some RandomAccessCollection<UInt8>) {
    var index = text.startIndex
    while index < text.endIndex {
      guard let head = Self.value(ofDigit: text[index]), head != 0, head != 61 else {
        isComplete = false
        return
      }
      let count = head < 11 ? 11 - head : head > 50 ? head - 50 : 0
      guard text.distance(from: index, to: text.endIndex) > count else {
        isComplete = false
        return
      }
      var digits = 0
      for offset in 0..<count {
        guard let digit = Self.value(ofDigit: text[text.index(index, offsetBy: 1 + offset)]) else {
          isComplete = false
          return
        }
        digits = digits * 62 + digit
      }
      if head < 11 {
        values.append(digits - 20 - Self.total(count))
      } else {
        values.append(head > 50 ? digits + 20 + Self.total(count - 1) : head - 31)
      }
      index = text.index(index, offsetBy: 1 + count)
    }
  }

  var text: [UInt8] {
    var text: [UInt8] = []
    for value in values {
      if value >= -20, value < 20 {
        text.append(Self.digits[value + 31])
        continue
      }
      let magnitude = value < 0 ? -(value + 1) : value
      var count = 1
      while magnitude >= 20 + Self.total(count) { count += 1 }
      text.append(Self.digits[value < 0 ? 11 - count : 50 + count])
      var rest = value < 0 ? value + 20 + Self.total(count) : value - 20 - Self.total(count - 1)
      let start = text.count
      for _ in 0..<count {
        text.append(Self.digits[rest % 62])
        rest /= 62
      }
      text[start...].reverse()
    }
    return text
  }

  /// Adds one to the last integer; the text of the key that this makes, or `nil` if it cannot be written.
  mutating func countUp() -> [UInt8]? {
    guard let last = values.indices.last, values[last] < Self.limit else { return nil }
    values[last] += 1
    return text
  }

  /// The length of a machine's range of last integers, in the middle of which it begins.
  private static let runLength = 62 * 62 * 62

  /// The text of the first last integer of a machine's range.
  static func firstOfRun(_ run: Int) -> [UInt8] {
    Integers(values: [runStart + run * runLength + runLength / 2]).text
  }

  /// All integers of ranges are written with as many digits.
  private static let runStart = 20 + total(5)

  /// The key whose last integer is greater, or less, by one, if that is in a machine's range.
  static func beside(_ key: [UInt8], by difference: Int, inRun run: Int) -> [UInt8]? {
    var integers = Integers(key)
    guard integers.isComplete, integers.values.count > 1, let last = integers.values.popLast() else {
      return nil
    }
    let start = runStart + run * runLength
    guard (start..<start + runLength).contains(last + difference), last >= start, last < start + runLength
    else {
      return nil
    }
    integers.values.append(last + difference)
    return integers.text
  }

  /// A sequence between two others; `nil` if there is none that can be written.
  ///
  /// - Parameters:
  ///   - lower: The lower bound, exclusive; the empty sequence is less than all others.
  ///   - upper: The upper bound, exclusive; `nil` for no limit.
  static func between(_ lower: [Int], _ upper: [Int]?) -> Integers? {
    guard let upper else {
      guard let first = lower.first else { return Integers(values: [0]) }
      if first < limit { return Integers(values: [first + 1]) }
      return after(lower[...], prefix: [])
    }
    let common = zip(lower, upper).prefix { $0 == $1 }.count
    guard common < upper.count else { return nil }
    let prefix = upper[..<common]
    let next = upper[common]
    if common < lower.count, next - lower[common] > 1 {
      return Integers(values: prefix + [lower[common] + 1])
    }
    if common < lower.count, lower[common] > next { return nil }
    // `upper` continues after the integer in which it differs: without the rest it is less, and short.
    if upper.count > common + 1 { return Integers(values: prefix + [next]) }
    if common == lower.count {
      return next > -limit - 1 ? Integers(values: prefix + [next - 1]) : nil
    }
    return after(lower[(common + 1)...], prefix: lower[...common])
  }

  /// The shortest sequence of the form (`prefix`, one integer) after (`prefix`, `rest`).
  private static func after(_ rest: ArraySlice<Int>, prefix: ArraySlice<Int>) -> Integers {
    var prefix = Array(prefix)
    for value in rest {
      if value < limit {
        prefix.append(value + 1)
        return Integers(values: prefix)
      }
      prefix.append(value)
    }
    prefix.append(0)
    return Integers(values: prefix)
  }

  static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  private static func value(ofDigit byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A")) + 10
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a")) + 36
    default: nil
    }
  }

  private static func power(_ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { power, _ in power * 62 }
  }

  /// The number of integers of one sign that are written with 1…`count` digits after the first.
  private static func total(_ count: Int) -> Int {
    // 62 + 62² + … + 62ⁿ.
    (0..<count).reduce(0) { total, _ in total * 62 + 62 }
  }
}
