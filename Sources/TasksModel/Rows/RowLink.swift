/// A place of a task besides those that its state and its task or list have: only another program puts one
/// into several.
struct RowLink: Equatable, Sendable, Codable {
  var id: Identifier
  var place: Place
  /// The index to use when both neighbours were deleted.
  var index: Int
  /// The row above it; nil on top.
  var previous: Identifier?
  /// The row below it; nil at the end.
  var next: Identifier?

  /// - Parameter index: The present index of the task there.
  init(_ id: Identifier, at index: Int, in rows: TaskRows) {
    (self.id, self.index) = (id, index)
    place = rows.place
    previous = rows.neighbour(index - 1)
    next = rows.neighbour(index + 1)
  }
}

extension [RowLink] {
  /// The links, each once.
  var withoutRepetitions: [RowLink] {
    var seen: [Place: Set<Identifier>] = [:]
    return filter { seen[$0.place, default: []].insert($0.id).inserted }
  }
}
