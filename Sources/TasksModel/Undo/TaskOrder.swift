import FoundationEssentials
import LiveStore

/// The order of the open tasks of a list, in a few bytes for each: enough to give it back to those of them
/// that are still there.
struct TaskOrder: Equatable, Sendable, Codable {
  /// Five bytes of the hash of each id, one after the other. Two tasks with the same ones, of which there are
  /// some in one of two hundred lists of the greatest length, may come back in each other's places.
  private var hashes = Data()

  private static let hashSize = 5
  /// The greatest number of tasks: their order takes a sixth of the history.
  static let mostTasks = 100_000

  /// - Returns: Nil for too many tasks.
  init?(of ids: [Identifier]) {
    guard ids.count <= Self.mostTasks else { return nil }
    for id in ids { hashes.append(contentsOf: Self.hash(of: id)) }
  }

  /// The indices of tasks in this order; those that it does not know come last, in their present order. A
  /// task that is there several times gets its former places from the first on.
  func indices(of ids: [Identifier]) -> [Int] {
    var ranks: [[UInt8]: ArraySlice<Int>] = [:]
    for start in stride(from: 0, to: hashes.count, by: Self.hashSize) {
      ranks[Array(hashes[start..<min(start + Self.hashSize, hashes.count)]), default: []].append(start)
    }
    let keys = ids.enumerated().map { index, id in
      (ranks[Self.hash(of: id)]?.popFirst() ?? hashes.count, index)
    }
    return keys.sorted(by: <).map { $0.1 }
  }

  private static func hash(of id: Identifier) -> [UInt8] {
    withUnsafeBytes(of: FNV1a.hash(id.description.utf8)) { Array($0.prefix(hashSize)) }
  }
}

extension List<TaskItem> {
  func openIDs() throws -> [Identifier] { try filter(#Predicate { !$0.completed }).values(of: \.id) }
}

extension RowCollection {
  /// The ids of all rows, in their order.
  var allIDs: [Identifier] { items.elementKeys.map(Identifier.init(sqliteValue:)) }

  /// The ids of the open rows.
  func openIDs() throws -> [Identifier] {
    switch self {
    case let rows as TaskRows: try rows.items.openIDs()
    case let rows as ListRows: try rows.items.filter(#Predicate { !$0.completed }).values(of: \.id)
    default: []
    }
  }
}
