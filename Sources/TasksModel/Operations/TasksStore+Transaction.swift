import FoundationEssentials
import LiveStore

extension TasksStore {
  /// The rows of a place, or nil when the list that holds them is gone.
  func rows(of place: Place) -> (any RowCollection)? {
    switch place {
    case .lists: ListRows(store: store, items: lists)
    case .tasks(let listID): list(listID).map { TaskRows(store: store, items: $0.items) }
    }
  }

  /// Runs one operation on the rows of a place in a transaction of its own. One that finds nothing to do writes nothing,
  /// and nobody is notified.
  ///
  /// - Parameter body: Changes the rows and returns what it did.
  /// - Throws: A `Refusal` or what else `body` throws, after which nothing has been written, or `StoreError`.
  func transaction(
    in place: Place, withoutNotifying tokens: [NotificationToken],
    _ body: (any RowCollection) throws -> Edit
  ) throws -> Edit {
    try store.write(withoutNotifying: tokens) {
      try rows(of: place).map(body) ?? Edit(place: place, change: .none(.gone))
    }
  }
}

extension String {
  /// As a text is kept: without the white space around it.
  var trimmedForRow: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
