import BenchmarkRunner
import LiveStore

/// A change of one row.
enum Operation: Int64, CaseIterable {
  case modify, insert, delete, move

  var name: String { "\(self)" }
}

/// A kind of collection that is observed, and the changes that are made to it.
protocol Workload: SendableMetatype {
  static var name: String { get }
  static var types: [Object.Type] { get }
  /// Creates the file; the observed collection then has `rows` elements.
  static func fill(_ file: BenchmarkFile, rows: Int) throws
  static func observe(_ store: Store, _ called: @escaping () -> Void) throws -> NotificationToken
  /// SQL for the same collection: an integer that identifies the element, its rank and its text, in order.
  static var query: String { get }

  /// The state of the writer.
  init(_ store: Store, rows: Int) throws
  /// Changes one row, in the open transaction, so that one callback follows. An insertion is followed by a
  /// deletion.
  mutating func perform(_ operation: Operation)
}

private let workloads: [any Workload.Type] = [
  SortedWorkload.self, FilteredWorkload.self, LinkedWorkload.self, DistinctWorkload.self,
  LimitedWorkload.self, ListWorkload.self, SectionedWorkload.self,
]

func workload(named name: String) throws -> any Workload.Type {
  guard let workload = workloads.first(where: { $0.name == name }) else {
    throw Failure("No workload is called “\(name)”.")
  }
  return workload
}

extension Record {
  /// Gives the record another place among ranks below ten times `rows`.
  func moveAnywhere(rows: Int) {
    // The parity changes every time: assigning the rank that it has would be no change.
    rank = Int.random(in: 0..<rows * 5) * 2 + 1 - rank % 2
  }
}
