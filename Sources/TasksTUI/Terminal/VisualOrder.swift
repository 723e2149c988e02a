import CTerminal
import Synchronization

/// How the clusters of a line stand from left to right, where some of them run from right to left.
///
/// Terminals disagree on who is to see to that. Here it is the program: each cluster is put into the cell
/// where it belongs, and a terminal that would do it too is told to leave it (see `Painter`). The levels are
/// FriBidi's; without that library text stands in the order in which it is stored.
struct VisualOrder: Equatable, Sendable {
  /// The line's own direction.
  let direction: TextDirection
  /// The clusters, by their indices, from left to right.
  let indices: [Int]
  /// Where each cluster, by its index, begins, in columns from the left end of the line.
  let columns: [Int]
  /// Columns of all clusters.
  let width: Int
  /// Clusters that are drawn mirrored: brackets among text that runs from right to left.
  private let mirrored: Set<Int>

  /// - Parameter direction: That of the text that the line is a part of; nil for what its first letter says.
  /// - Returns: Nil where everything runs from left to right, as nearly always.
  ///
  /// Complexity: O(n); without a cluster that runs from right to left nothing but the look at each.
  init?(of clusters: some Collection<DisplayText.Cluster>, in direction: TextDirection? = nil) {
    guard Self.isOn.load(ordering: .relaxed) else { return nil }
    guard direction == .rightToLeft || clusters.contains(where: \.isRightToLeft), !clusters.isEmpty else {
      return nil
    }
    let clusters = Array(clusters)
    let scalars = clusters.map { $0.glyphs.first?.text.unicodeScalars.first?.value ?? 0x20 }
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

  /// From the highest level down to the lowest odd one, what stands together at a level or above it is turned
  /// round.
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

  /// What is drawn of a cluster.
  func drawn(_ cluster: DisplayText.Cluster, at index: Int) -> DisplayText.Cluster {
    guard mirrored.contains(index), let scalar = cluster.glyphs.first?.text.unicodeScalars.first,
      let other = Unicode.Scalar(cterminal_mirrored(scalar.value))
    else { return cluster }
    var cluster = cluster
    cluster.glyphs[0].text = String(other)
    return cluster
  }

  /// The column of a cursor that stands before a cluster, or at the end; left of the first column where a
  /// line that runs from right to left ends.
  func cursorColumn(before index: Int) -> Int {
    if index < columns.count { return columns[index] }
    return direction == .leftToRight ? width : -1
  }

  /// Whether the program does it; the process has one terminal.
  static let isOn = Atomic(true)
  /// Whether any text has been put in order so far: then the terminal must not do it again.
  static let hasBeenUsed = Atomic(false)
}
