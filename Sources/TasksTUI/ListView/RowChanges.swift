/// What happened to the rows of a list between two states of it.
///
/// The order of application is deletions, then insertions, then modifications. A moved row is in `deletions`
/// with its old index and in `insertions` with its new one, and `moves` joins the two.
struct RowChanges: Equatable, Sendable {
  struct Move: Equatable, Sendable {
    /// Index before.
    var from: Int
    /// Index after.
    var to: Int
    /// The row's content changed as well.
    var isModified = false
  }

  /// Indices before, ascending, those of moved rows among them.
  var deletions: [Int] = []
  /// Indices after, ascending, those of moved rows among them.
  var insertions: [Int] = []
  /// Indices before, ascending, of rows that kept their place among the others.
  var modifications: [Int] = []
  var moves: [Move] = []

  var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

  static func insertion(at index: Int) -> RowChanges { RowChanges(insertions: [index]) }
  static func deletion(at index: Int) -> RowChanges { RowChanges(deletions: [index]) }
  static func modification(at index: Int) -> RowChanges { RowChanges(modifications: [index]) }

  /// The row at `from` ends at index `to` of the result. A move to the same place is only a modification, or
  /// nothing.
  static func move(from: Int, to: Int, isModified: Bool = false) -> RowChanges {
    if from == to { return isModified ? .modification(at: from) : RowChanges() }
    return RowChanges(
      deletions: [from], insertions: [to], moves: [Move(from: from, to: to, isModified: isModified)])
  }
}

extension RowChanges {
  /// Where the row at `old` is afterwards, or `nil` when it was deleted. Complexity: O(log n); for a row that
  /// was taken out, O(moves).
  func newIndex(ofOld old: Int) -> Int? {
    if Self.contains(deletions, old) { return moves.first { $0.from == old }?.to }
    return newIndex(ofSurvivor: survivorsBefore(old: old))
  }

  /// `modifications` as indices after.
  var modificationsInNew: [Int] { modifications.compactMap { newIndex(ofOld: $0) } }

  /// How many rows in front of `old` neither went nor moved. Complexity: O(log n).
  func survivorsBefore(old: Int) -> Int { old - Self.count(in: deletions, below: old) }

  /// How many rows in front of `new` were there before and did not move. Complexity: O(log n).
  func survivorsBefore(new: Int) -> Int { new - Self.count(in: insertions, below: new) }

  /// Where the survivor with this number (0 is the first) stands after. Complexity: O(log n).
  func newIndex(ofSurvivor number: Int) -> Int { Self.index(ofNumber: number, outside: insertions) }

  /// Where the survivor with this number (0 is the first) stood before. Complexity: O(log n).
  func oldIndex(ofSurvivor number: Int) -> Int { Self.index(ofNumber: number, outside: deletions) }

  /// Whether an ascending array holds a value. Complexity: O(log n).
  static func contains(_ ascending: [Int], _ value: Int) -> Bool {
    let place = count(in: ascending, below: value)
    return place < ascending.count && ascending[place] == value
  }

  /// Complexity: O(log n).
  private static func count(in ascending: [Int], below value: Int) -> Int {
    firstPlace(in: ascending) { ascending[$0] >= value }
  }

  /// The index that has `number` indices in front of it which are not in `ascending`, and is not in it
  /// itself.
  private static func index(ofNumber number: Int, outside ascending: [Int]) -> Int {
    // In front of ascending[k] lie ascending[k] - k indices that are not in the array: that only grows.
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
