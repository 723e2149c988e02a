import LiveStore

/// All records in sections by their category, sorted within each. Rows are inserted, deleted and moved as
/// without sections.
struct SectionedWorkload: Workload {
  static let name = "sectioned"
  static var types: [Object.Type] { [Record.self] }
  static let query = "SELECT id, rank, text FROM Record ORDER BY category, rank, id"

  private var sorted: SortedWorkload

  static func fill(_ file: BenchmarkFile, rows: Int) throws {
    try Record.fill(file, rows: rows)
  }

  static func observe(_ store: Store, _ called: @escaping () -> Void) throws -> NotificationToken {
    store.objects(Record.self).sorted(by: \.rank).sectioned(by: \.category).observe { _ in called() }
  }

  init(_ store: Store, rows: Int) throws {
    sorted = try SortedWorkload(store, rows: rows)
  }

  mutating func perform(_ operation: Operation) {
    sorted.perform(operation)
  }
}
