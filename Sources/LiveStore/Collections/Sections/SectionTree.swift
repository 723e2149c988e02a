/// The elements of a collection by section, at one version.
///
/// Elements are identified by their rank keys and have the same order in a section as in the collection.
/// Sections are in the order of their first elements, and none is empty. A section is identified by a number,
/// which ``SectionKeys`` assigns to its key. The tree stores the section of each element, so that it is also
/// known for an older version.
///
/// A value, like ``RankTree``: copying is free, and a copy does not change with the original.
struct SectionTree: Sendable {
  // Three trees, for three kinds of lookup. In each, the entries are a number and a rank key, in one order or
  // the other. No rank key of a collection is a prefix of another, so that a number after it does not change
  // the order.

  /// Number, then rank key: the elements of each section, which are adjacent.
  private var rows: RankTree
  /// Rank key, then number: the section of each element.
  private var members: RankTree
  /// Rank key of a section's first element, then number: the order of the sections.
  private var order: RankTree

  init() {
    rows = RankTree()
    members = RankTree()
    order = RankTree()
  }

  /// Puts all elements of a collection into sections.
  ///
  /// - Parameters:
  ///   - start: The rank of the first element to use.
  ///   - count: The greatest number of elements to use.
  ///   - section: Returns the number of the section that the element with a rank key belongs to; called once
  ///     for each element, in their order.
  /// - Complexity: O(n) if the elements of each section are adjacent; O(n log n) otherwise.
  init(
    _ elements: RankTree, from start: Int = 0, count: Int = .max,
    section: (UnsafeRawBufferPointer) -> UInt64
  ) {
    var members = RankTree.Builder()
    var order = RankTree.Builder()
    // The ranks of the elements of each section.
    var runs: [UInt64: [Range<Int>]] = [:]
    var run: (number: UInt64, start: Int)?
    var rank = 0
    elements.forEachEntry(from: start) { key in
      guard rank < count else { return false }
      let number = section(key)
      if run?.number != number {
        if let run { runs[run.number, default: []].append(run.start..<rank) }
        run = (number, rank)
        if runs[number] == nil {
          runs[number] = []
          order.append(SectionTree.key(key, number))
        }
      }
      members.append(SectionTree.key(key, number))
      rank += 1
      return true
    }
    if let run { runs[run.number, default: []].append(run.start..<rank) }
    var rows = RankTree.Builder()
    for number in runs.keys.sorted() {
      for run in runs[number] ?? [] {
        var rest = run.count
        elements.forEachEntry(from: start + run.lowerBound) { key in
          rows.append(SectionTree.key(number, key))
          rest -= 1
          return rest > 0
        }
      }
    }
    self.rows = rows.finish()
    self.members = members.finish()
    self.order = order.finish()
  }

  var elementCount: Int { members.count }

  var count: Int { order.count }

  /// - Complexity: O(log n), like everything below.
  func number(at index: Int) -> UInt64 {
    order.withEntry(at: index) { SectionTree.number(behind: $0) }
  }

  /// The index of a section, or `nil` if there is none with the number.
  func index(of number: UInt64) -> Int? {
    guard let first = first(of: number) else { return nil }
    return order.rank(of: first.withUnsafeBytes { SectionTree.key($0, number) })
  }

  /// The number of elements of a section; zero if there is no section with the number.
  func count(of number: UInt64) -> Int {
    let range = range(of: number)
    return range.count
  }

  /// The rank key of a section's first element.
  func first(of number: UInt64) -> RankKey? {
    let start = start(of: number)
    guard start < rows.count else { return nil }
    return rows.withEntry(at: start) { entry in
      guard SectionTree.number(before: entry) == number else { return nil }
      return RankKey(copying: SectionTree.key(behindNumber: entry))
    }
  }

  /// Calls `body` with the rank key of an element of a section, which must have that many.
  func withElement<R>(at row: Int, of number: UInt64, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows
    -> R
  {
    let range = range(of: number)
    precondition(row >= 0 && row < range.count, "The section has no element \(row), it has \(range.count).")
    return try rows.withEntry(at: range.lowerBound + row) { try body(SectionTree.key(behindNumber: $0)) }
  }

  /// The section that an element is in, or `nil` if it is in none.
  func section(of key: RankKey) -> UInt64? {
    key.withUnsafeBytes { key in
      let rank = members.lowerBound(of: key)
      guard rank < members.count else { return nil }
      return members.withEntry(at: rank) { entry in
        guard entry.count == key.count + SectionTree.numberLength, entry.starts(with: key) else { return nil }
        return SectionTree.number(behind: entry)
      }
    }
  }

  /// The index of an element within a section.
  func row(of key: RankKey, in number: UInt64) -> Int? {
    key.withUnsafeBytes { rows.rank(of: SectionTree.key(number, $0)) }.map { $0 - start(of: number) }
  }

  /// Calls `body` with the numbers of all sections, in their order.
  func forEachSection(_ body: (UInt64) -> Void) {
    order.forEachEntry {
      body(SectionTree.number(behind: $0))
      return true
    }
  }

  private func start(of number: UInt64) -> Int {
    withUnsafeBytes(of: number.bigEndian) { rows.lowerBound(of: $0) }
  }

  private func range(of number: UInt64) -> Range<Int> {
    start(of: number)..<start(of: number + 1)
  }

  /// Removes and inserts elements.
  ///
  /// - Parameters:
  ///   - removed: Rank keys of elements; those that are not in the tree are ignored.
  ///   - inserted: Rank keys of elements that are not in the tree after the removal, with the sections that
  ///     they belong to.
  /// - Complexity: O(k log n) for k elements.
  mutating func update(removing removed: [RankKey], inserting inserted: [(key: RankKey, section: UInt64)]) {
    var firsts: [UInt64: RankKey?] = [:]
    func note(_ number: UInt64) {
      if firsts[number] == nil { firsts[number] = .some(first(of: number)) }
    }
    for key in removed {
      guard let number = section(of: key) else { continue }
      note(number)
      key.withUnsafeBytes {
        _ = members.remove(SectionTree.key($0, number))
        _ = rows.remove(SectionTree.key(number, $0))
      }
    }
    for (key, number) in inserted {
      note(number)
      key.withUnsafeBytes {
        _ = members.insert(SectionTree.key($0, number))
        _ = rows.insert(SectionTree.key(number, $0))
      }
    }
    for (number, oldFirst) in firsts {
      let newFirst = first(of: number)
      guard newFirst != oldFirst else { continue }
      if let oldFirst { order.remove(oldFirst.withUnsafeBytes { SectionTree.key($0, number) }) }
      if let newFirst { order.insert(newFirst.withUnsafeBytes { SectionTree.key($0, number) }) }
    }
  }

  private static var numberLength: Int { MemoryLayout<UInt64>.size }

  private static func key(_ number: UInt64, _ key: UnsafeRawBufferPointer) -> RankKey {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numberLength + key.count)
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: key)
    return RankKey(bytes: bytes)
  }

  private static func key(_ key: UnsafeRawBufferPointer, _ number: UInt64) -> RankKey {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numberLength + key.count)
    bytes.append(contentsOf: key)
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    return RankKey(bytes: bytes)
  }

  private static func number(before entry: UnsafeRawBufferPointer) -> UInt64 {
    UInt64(bigEndian: entry.loadUnaligned(as: UInt64.self))
  }

  private static func number(behind entry: UnsafeRawBufferPointer) -> UInt64 {
    UInt64(bigEndian: entry.loadUnaligned(fromByteOffset: entry.count - numberLength, as: UInt64.self))
  }

  private static func key(behindNumber entry: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: entry.dropFirst(numberLength))
  }
}
