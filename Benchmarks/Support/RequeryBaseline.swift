import BenchmarkRunner

/// A program that only learns that something changed: it runs the query again and compares.
///
/// Its wake-up is not counted.
final class RequeryBaseline {
  static let name = "query again + CollectionDifference"

  private struct Row {
    let id: Int
    let rank: Int
    let text: String
  }

  private let database: RawDatabase
  private let query: RawStatement
  private var rows: [Row] = []

  /// - Parameter query: Selects identity, sort key and text of all rows in order.
  init(_ path: String, query: String) {
    database = RawDatabase(path)
    self.query = database.prepare(query)
  }

  /// Brings the rows up to date without comparing.
  func read() {
    rows = fetch()
  }

  /// Updates the rows and computes the differences; returns their number.
  func refresh() -> Int {
    let old = rows
    rows = fetch()
    let difference = rows.map(\.id).difference(from: old.map(\.id))
    var inserted: Set<Int> = []
    var removed: Set<Int> = []
    for change in difference {
      switch change {
      case .insert(let offset, _, _): inserted.insert(offset)
      case .remove(let offset, _, _): removed.insert(offset)
      }
    }
    var modified = 0
    var before = 0
    for after in rows.indices where !inserted.contains(after) {
      while removed.contains(before) { before += 1 }
      if rows[after].rank != old[before].rank || rows[after].text != old[before].text { modified += 1 }
      before += 1
    }
    return difference.count + modified
  }

  private func fetch() -> [Row] {
    var rows: [Row] = []
    rows.reserveCapacity(self.rows.count)
    while query.step() {
      rows.append(Row(id: query.integer(0), rank: query.integer(1), text: query.text(2)))
    }
    query.reset()
    return rows
  }
}
