import FoundationEssentials
import LiveStore

/// A hash of what is a person's work in rows: it is the same in every process, unlike Swift's own. A date and
/// a repetition that were read out of a text, whenever that was, are no work.
struct WorkHash {
  private(set) var value: UInt64

  /// - Parameter value: The value up to here.
  init(_ value: UInt64 = FNV1a.start) {
    self.value = value
  }

  /// Adds a row, without the rows it contains.
  mutating func add(_ values: RowValues) {
    let details = values.details
    add(values.text.utf8)
    add(details.notes.utf8)
    add(details.priority.rawValue.utf8)
    add(CollectionOfOne(values.completed ? 1 : 0))
    if details.dateOrigin == .person || details.dateOrigin == .unknown && values.date != nil {
      let moment = values.date?.timeIntervalSinceReferenceDate ?? .infinity
      withUnsafeBytes(of: moment.bitPattern.littleEndian) { add($0) }
    }
    if details.repetitionOrigin == .person
      || details.repetitionOrigin == .unknown && !details.repetition.isEmpty
    {
      add(details.repetition.utf8)
    }
  }

  private mutating func add(_ bytes: some Sequence<UInt8>) {
    // No byte of UTF-8 ends a value, so that it is known where the next begins.
    value = FNV1a.hash(CollectionOfOne(0xFF), from: FNV1a.hash(bytes, from: value))
  }
}
