import FoundationEssentials

/// Tasks that one action has added side by side, however many, in some hundred bytes: what undo has to know
/// of them.
///
/// Their ids follow from one random number and their place among them: they are consecutive, so that the rows
/// stand side by side in everything that is ordered by ids. At random places of a large file, each would cost
/// reading and writing pages of its own. A trace says whether a person has worked on any of them since, and
/// on which if it is a single one. Their values are kept in the file only once the addition is undone, so
/// that it can be redone.
public struct AddedRows: Equatable, Sendable, Codable {
  var place: Place
  /// The row above the first of them; nil on top.
  var previous: Identifier?
  /// The row below the last of them; nil at the end.
  var next: Identifier?
  public private(set) var count = 0

  private let seed: UUID
  private var trace = WorkTrace()
  /// Their values, once the addition has been undone.
  private var contents: Contents?

  /// The values of rows, most of which are no more than a text.
  private struct Contents: Equatable, Codable {
    /// The text of each row; empty for one of the others.
    var texts: [String] = []
    /// The rows that have other values than a text, by their index.
    var others: [Int: RowValues] = [:]
  }

  init(in place: Place, previous: Identifier? = nil, next: Identifier? = nil, seed: UUID = UUID()) {
    self.place = place
    self.previous = previous
    self.next = next
    self.seed = seed
  }

  var nextID: Identifier { id(at: count) }

  /// Notes a row that has been given `nextID`.
  mutating func append(_ values: RowValues) {
    count += 1
    trace.add(values)
  }

  /// The transitions that added the rows with the values that were kept; nil if none were.
  var keptTransitions: [RowTransition]? {
    guard let contents, contents.texts.count == count else { return nil }
    let values = contents.texts.enumerated().map { index, text in
      contents.others[index] ?? RowValues(id: id(at: index), text: text)
    }
    return [RowTransition](adding: values, to: place, above: previous, below: next)
  }

  /// Keeps the values of the rows, which are about to be removed.
  mutating func keepValues(of transitions: [RowTransition]) {
    var contents = Contents()
    for (index, values) in transitions.compactMap({ $0.after?.values }).enumerated() {
      let isText = values == RowValues(id: values.id, text: values.text)
      contents.texts.append(isText ? values.text : "")
      if !isText { contents.others[index] = values }
    }
    self.contents = contents
  }

  /// The rows as they are now, as transitions that added them with these values.
  ///
  /// - Throws: `UndoObstacle.rowsDeleted`, `.rowWorkedOn` and `.rowsChanged` when a person has been at one of
  ///   them.
  ///
  /// - Parameter visit: Called with each row.
  ///
  /// Complexity: O(count).
  func transitions(
    in rows: TaskRows, visit: (TaskItem) -> Void
  ) throws(UndoObstacle) -> [RowTransition] {
    let rows = rows.prepared(forRemoving: count)
    var present = AddedRows(in: place, seed: seed)
    var values: [RowValues] = []
    for _ in 0..<Swift.max(0, count) {
      guard let task = rows.store.object(ofType: TaskItem.self, forPrimaryKey: present.nextID) else {
        throw .rowsDeleted
      }
      visit(task)
      values.append(rows.values(of: task))
      guard values[values.count - 1].tasks.isEmpty else { throw .rowWorkedOn(task.text, .givingSubtasks) }
      present.append(values[values.count - 1])
    }
    guard present.trace == trace else { throw UndoObstacle(in: values, since: trace) }
    return [RowTransition](adding: values, to: place, above: previous, below: next)
  }

  private func id(at index: Int) -> Identifier {
    let (high, low) = unsafeBitCast(seed.uuid, to: (UInt64, UInt64).self)
    let number = UInt64(truncatingIfNeeded: index)
    // The digits that count are the first ones, by which a person tells tasks apart.
    return Identifier(
      randomBits: UInt64(bigEndian: high) &+ number << 32, UInt64(bigEndian: low) &+ number >> 32)
  }
}

extension AddedRows: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }
  public subscript(index: Int) -> Identifier { id(at: index) }
}
