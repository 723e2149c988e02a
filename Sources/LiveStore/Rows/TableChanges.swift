/// The rows of one table that differ between two versions, in the order of their primary keys.
struct TableChanges: RandomAccessCollection, Sendable {
  private struct Entry {
    let key: OrderedKey
    /// The offsets of the old and the new row in the bytes; negative if there is none.
    let old: Int
    let new: Int
  }

  private var entries: [Entry] = []
  private var bytes: [UInt8] = []
  private var isSorted = true
  private let decimals: Set<Int>

  init(decimals: Set<Int> = []) {
    self.decimals = decimals
  }

  var startIndex: Int { 0 }
  var endIndex: Int { entries.count }

  subscript(index: Int) -> (key: SQLiteValue, change: VersionDifference.Change) {
    (entries[index].key.value, change(at: index))
  }

  /// The primary keys, ascending.
  var keys: some Collection<SQLiteValue> { entries.lazy.map(\.key.value) }

  /// The primary keys of the rows of which a value differs, as a property reads it.
  var modifiedKeys: some Collection<SQLiteValue> {
    entries.indices.lazy.filter { decimals.isEmpty || change(at: $0).isModification }
      .map { entries[$0].key.value }
  }

  /// The change of the row with a primary key, if it differs. Complexity: O(log k).
  subscript(key: SQLiteValue) -> VersionDifference.Change? {
    index(of: key).map { change(at: $0) }
  }

  /// Whether the row with a primary key differs. Complexity: O(log k).
  func contains(key: SQLiteValue) -> Bool { index(of: key) != nil }

  private func index(of key: SQLiteValue) -> Int? {
    if entries.isEmpty { return nil }
    let key = OrderedKey(key)
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      let order = entries[middle].key.compare(key)
      if order == 0 { return middle }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  private func change(at index: Int) -> VersionDifference.Change {
    func row(_ start: Int) -> PackedRow? { start < 0 ? nil : PackedRow(in: bytes, at: start) }
    return VersionDifference.Change(
      old: row(entries[index].old), new: row(entries[index].new), decimals: decimals)
  }

  /// Adds a row unless its values are the same in both versions; ``sort()`` must follow.
  mutating func add(_ key: OrderedKey, old: RowSource?, new: RowSource?) {
    let start = bytes.count
    let oldStart = old.map { bytes.appendPacked($0) } ?? -1
    let middle = bytes.count
    let newStart = new.map { bytes.appendPacked($0) } ?? -1
    let isSame = bytes.withUnsafeBytes { bytes in
      compareRankBytes(
        UnsafeRawBufferPointer(rebasing: bytes[start..<middle]),
        UnsafeRawBufferPointer(rebasing: bytes[middle...])) == 0
    }
    if isSame {
      bytes.removeLast(bytes.count - start)
      return
    }
    if let last = entries.last, last.key >= key { isSorted = false }
    entries.append(Entry(key: key, old: oldStart, new: newStart))
  }

  mutating func reserve(_ count: Int) {
    entries.reserveCapacity(count)
  }

  mutating func sort() {
    if !isSorted { entries.sort { $0.key < $1.key } }
    isSorted = true
  }
}
