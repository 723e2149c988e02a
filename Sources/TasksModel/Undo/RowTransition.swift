import FoundationEssentials

/// A row at one moment: its values, and where it stood.
struct RowState: Equatable, Sendable, Codable {
  var place: Place
  var values: RowValues
  /// Where a row goes whose neighbours are both gone.
  var index: Int
  /// The row above it; nil on top.
  var previous: UUID?
  /// The row below it; nil at the end.
  var next: UUID?

  /// For a row that stood after the open ones, at an index that nobody needed to know: that is where it goes again.
  static let unknownIndex = Int.max

  /// Whether a row stands where it stood, as far as its neighbours tell.
  func standsLike(_ other: RowState) -> Bool {
    place == other.place && previous == other.previous && next == other.next
  }
}

/// What one action made of one row: enough to go from either state to the other, and to tell whether somebody else has
/// been there since.
struct RowTransition: Equatable, Sendable, Codable {
  var id: UUID
  /// Nil: the row was not there.
  var before: RowState?
  /// Nil: the row is gone.
  var after: RowState?

  var reversed: RowTransition { RowTransition(id: id, before: after, after: before) }

  /// With those of the tasks that a list takes along.
  var withTasks: [RowTransition] {
    let tasks = (before?.values.tasks ?? []) + (after?.values.tasks ?? [])
    return [self] + tasks.map { RowTransition(id: $0.id, before: nil, after: nil) }
  }

  var text: String { (before ?? after)?.values.text ?? "" }
}
