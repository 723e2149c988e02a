import FoundationEssentials
import LiveStore

/// A hash of what is a person's work in rows: it is the same in every process, unlike Swift's own. A date and
/// a repetition that were read out of a text, whenever that was, are no work.
struct WorkHash {
  private(set) var value = FNV1a.start

  /// Adds a row, without the rows it contains.
  mutating func add(_ values: RowValues) {
    let details = values.details
    add(values.text.utf8)
    add(details.notes.utf8)
    add(details.priority.rawValue.utf8)
    value = FNV1a.hash(values.completed ? 1 : 0, from: value)
    endValue()
    if values.isDateSet {
      let moment = values.date?.timeIntervalSinceReferenceDate ?? .infinity
      withUnsafeBytes(of: moment.bitPattern.littleEndian) { add($0) }
    }
    if details.isRepetitionSet { add(details.repetition.utf8) }
    if let wait = details.waitsUntil {
      withUnsafeBytes(of: wait.timeIntervalSinceReferenceDate.bitPattern.littleEndian) { add($0) }
    }
    if let list = values.list {
      add(list.color.utf8)
      add((list.sorting?.rawValue ?? "").utf8)
    }
  }

  private mutating func add(_ bytes: some Sequence<UInt8>) {
    value = FNV1a.hash(bytes, from: value)
    endValue()
  }

  /// Adds what is no byte of UTF-8, so that it is known where the next value begins.
  private mutating func endValue() {
    value = FNV1a.hash(0xFF, from: value)
  }
}

/// A trace of the work in many rows, in two numbers, that says whether any of them has changed, and which if
/// it is the only one: the sum of the hashes of all, and their sum with weights. The difference of the second
/// is that of the first with the weight of the row.
struct WorkTrace: Equatable, Sendable, Codable {
  private var sum: UInt64 = 0
  private var weighted: UInt64 = 0

  mutating func add(_ values: RowValues) {
    var work = WorkHash()
    work.add(values)
    sum &+= work.value
    weighted &+= work.value &* Self.weight(of: values)
  }

  /// The obstacle of the rows, which have changed, in any way, since this was their trace: it names the one
  /// that is all that has changed, if one is.
  func obstacle(in rows: some Sequence<RowValues>) -> UndoObstacle {
    var present = WorkTrace()
    for row in rows { present.add(row) }
    let (difference, weighted) = (present.sum &- sum, present.weighted &- weighted)
    let changed = difference == 0 ? nil : rows.first { difference &* Self.weight(of: $0) == weighted }
    return changed.map { .rowWorkedOn($0.text, .changing) } ?? .rowsChanged
  }

  private static func weight(of row: RowValues) -> UInt64 {
    FNV1a.hash(row.id.description.utf8)
  }
}

extension UndoObstacle {
  /// The obstacle of rows that were added together, some of which have changed since: where it is known, the
  /// one that stands in the way.
  init(in rows: some Sequence<RowValues>, since trace: WorkTrace) {
    let completed = rows.first(where: \.completed)
    self = completed.map { .rowWorkedOn($0.text, .completing) } ?? trace.obstacle(in: rows)
  }
}
