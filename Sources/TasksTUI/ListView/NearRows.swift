/// Values of rows near those in sight, by their indices.
///
/// A screen has adjacent rows, and each is looked up several times for a frame: a place in an array is found
/// without hashing its index.
struct NearRows<Value> {
  private var first = 0
  private var values: [Value?] = []
  /// The greatest distance of two rows that are stored.
  let limit: Int

  init(limit: Int) { self.limit = limit }

  var stored: some Sequence<Value> { values.lazy.compactMap { $0 } }

  /// Storing a value far from the others forgets those.
  subscript(row: Int) -> Value? {
    get { row >= first && row - first < values.count ? values[row - first] : nil }
    set {
      if values.isEmpty || row - first >= limit || first + values.count - row > limit {
        values.removeAll(keepingCapacity: true)
        first = row
      }
      if row < first {
        values.insert(contentsOf: repeatElement(nil, count: first - row), at: 0)
        first = row
      }
      while row - first >= values.count { values.append(nil) }
      values[row - first] = newValue
    }
  }

  mutating func removeAll() { values.removeAll(keepingCapacity: true) }
}
