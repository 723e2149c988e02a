import CTerminal
import Synchronization

/// The order of a line's clusters from left to right, if some of them run from right to left.
///
/// Terminals disagree on who reorders text. Here the program does: each cluster is put into its visual cell,
/// and a terminal that would reorder too is told not to (see `Painter`). The levels are FriBidi's; without
/// that library text stays in its stored order.
package struct VisualOrder: Equatable, Sendable {
  /// The line's own direction.
  package let direction: TextDirection
  /// The clusters, by their indices, from left to right.
  let indices: [Int]
  /// The first column of each cluster, by its index, from the left end of the line.
  package let columns: [Int]
  /// The columns of all clusters.
  let width: Int
  /// The clusters that are drawn mirrored: brackets in right-to-left text.
  private let mirrored: Set<Int>

  /// - Parameter direction: The direction of the text that contains the line; nil for that of its first
  ///   letter.
  /// - Returns: Nil if everything runs from left to right, as nearly always.
  ///
  /// Complexity: O(n); without right-to-left clusters only one check of each.
  package init?(of clusters: some Collection<DisplayText.Cluster>, in direction: TextDirection? = nil) {
    guard Self.isOn.load(ordering: .relaxed) else { return nil }
    guard direction == .rightToLeft || clusters.contains(where: \.isRightToLeft), !clusters.isEmpty else {
      return nil
    }
    let clusters = Array(clusters)
    let scalars = clusters.map { $0.first.cell.first?.value ?? 0x20 }
    var levels = [Int8](repeating: 0, count: scalars.count)
    let found = cterminal_embedding_levels(scalars, Int32(scalars.count), direction?.rawValue ?? 0, &levels)
    guard let base = TextDirection(rawValue: found) else { return nil }
    Self.hasBeenUsed.store(true, ordering: .relaxed)
    self.direction = base
    // Blanks at the end belong to the line, not to the words before them.
    var end = clusters.count
    while end > 0, clusters[end - 1].isSpace {
      end -= 1
      levels[end] = base == .rightToLeft ? 1 : 0
    }
    indices = Self.reordered(levels)
    var columns = [Int](repeating: 0, count: levels.count)
    var width = 0
    for index in indices {
      columns[index] = width
      width += clusters[index].width
    }
    self.columns = columns
    self.width = width
    mirrored = Set(
      scalars.indices.filter { levels[$0] % 2 == 1 && cterminal_mirrored(scalars[$0]) != scalars[$0] })
  }

  /// Reverses each run of clusters at a level or above it, from the highest level down to the lowest odd one.
  private static func reordered(_ levels: [Int8]) -> [Int] {
    var indices = Array(levels.indices)
    guard let highest = levels.max(), let lowest = levels.filter({ $0 % 2 == 1 }).min() else {
      return indices
    }
    for level in stride(from: highest, through: lowest, by: -1) {
      var start = 0
      while start < indices.count {
        guard levels[indices[start]] >= level else {
          start += 1
          continue
        }
        var end = start
        while end < indices.count, levels[indices[end]] >= level { end += 1 }
        indices[start..<end].reverse()
        start = end
      }
    }
    return indices
  }

  /// The drawn form of a cluster.
  func drawn(_ cluster: DisplayText.Cluster, at index: Int) -> DisplayText.Cluster {
    guard mirrored.contains(index), let scalar = cluster.first.cell.first,
      let other = Unicode.Scalar(cterminal_mirrored(scalar.value))
    else { return cluster }
    var cluster = cluster
    cluster.first.cell = CellText(other)
    return cluster
  }

  /// The column of a cursor before a cluster, or at the end; left of the first column at the end of a
  /// right-to-left line.
  func cursorColumn(before index: Int) -> Int {
    if index < columns.count { return columns[index] }
    return direction == .leftToRight ? width : -1
  }

  /// Whether the program reorders; the process has one terminal.
  package static let isOn = Atomic(true)
  /// Whether any text has been reordered so far: then the terminal must not do it again.
  static let hasBeenUsed = Atomic(false)
}
