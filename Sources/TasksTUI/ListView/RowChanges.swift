/// The changes of the rows of a list between two states.
///
/// The order of application is deletions, then insertions, then modifications. A moved row is in `deletions`
/// with its old index and in `insertions` with its new one, and `moves` pairs the two.
struct RowChanges: Equatable, Sendable {
  struct Move: Equatable, Sendable {
    /// The index before.
    var from: Int
    /// The index after.
    var to: Int
    /// Whether the row's content changed as well.
    var isModified = false
  }

  /// The indices before, ascending, including those of moved rows.
  var deletions: [Int] = []
  /// The indices after, ascending, including those of moved rows.
  var insertions: [Int] = []
  /// The indices before, ascending, of modified rows that kept their place among the others.
  var modifications: [Int] = []
  var moves: [Move] = []

  var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

  static func insertion(at index: Int) -> RowChanges { RowChanges(insertions: [index]) }
  static func deletion(at index: Int) -> RowChanges { RowChanges(deletions: [index]) }
  static func modification(at index: Int) -> RowChanges { RowChanges(modifications: [index]) }

  /// The change of the row at `from` that ends at index `to`. A move to the same place is only a
  /// modification, or no change.
  static func move(from: Int, to: Int, isModified: Bool = false) -> RowChanges {
    if from == to { return isModified ? .modification(at: from) : RowChanges() }
    return RowChanges(
      deletions: [from], insertions: [to], moves: [Move(from: from, to: to, isModified: isModified)])
  }
}

extension RowChanges {
  /// The index after of the row at `old`, or `nil` if it was deleted. Complexity: O(log n); for a moved row,
  /// O(moves).
  func newIndex(ofOld old: Int) -> Int? {
    if Self.contains(deletions, old) { return moves.first { $0.from == old }?.to }
    return newIndex(ofSurvivor: survivorsBefore(old: old))
  }

  /// `modifications` as indices after.
  var modificationsInNew: [Int] { modifications.compactMap { newIndex(ofOld: $0) } }

  /// The number of rows before `old` that were neither deleted nor moved. Complexity: O(log n).
  func survivorsBefore(old: Int) -> Int { old - Self.count(in: deletions, below: old) }

  /// The number of rows before `new` that existed before and did not move. Complexity: O(log n).
  func survivorsBefore(new: Int) -> Int { new - Self.count(in: insertions, below: new) }

  /// The index after of the survivor with this number (0 is the first). Complexity: O(log n).
  func newIndex(ofSurvivor number: Int) -> Int { Self.index(ofNumber: number, outside: insertions) }

  /// The index before of the survivor with this number (0 is the first). Complexity: O(log n).
  func oldIndex(ofSurvivor number: Int) -> Int { Self.index(ofNumber: number, outside: deletions) }

  /// Whether an ascending array contains a value. Complexity: O(log n).
  static func contains(_ ascending: [Int], _ value: Int) -> Bool {
    let place = count(in: ascending, below: value)
    return place < ascending.count && ascending[place] == value
  }

  /// Complexity: O(log n).
  private static func count(in ascending: [Int], below value: Int) -> Int {
    firstPlace(in: ascending) { ascending[$0] >= value }
  }

  /// The index that is not in `ascending` and has `number` smaller indices that are not in it either.
  private static func index(ofNumber number: Int, outside ascending: [Int]) -> Int {
    // Before ascending[k] there are ascending[k] - k indices that are not in the array: that only grows.
    number + firstPlace(in: ascending) { ascending[$0] - $0 > number }
  }

  private static func firstPlace(in array: [Int], where holds: (Int) -> Bool) -> Int {
    var low = 0
    var high = array.count
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
