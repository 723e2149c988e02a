import FoundationEssentials
import LiveStore

extension TasksStore {
  /// Adds an open row.
  ///
  /// - Parameter text: Its text, of which white space at the ends is dropped; when nothing is left, no row is added.
  /// - Returns: `.inserted`, or `.none` with `.emptyText` or `.gone`.
  /// - Throws: `StoreError`.
  ///
  /// Complexity: O(log n) on top, O(log n + the number of completed rows) after the open rows.
  @discardableResult
  public func add(
    _ text: String, to place: Place, at point: InsertionPoint = .afterOpenRows,
    withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    let text = text.trimmedForRow
    guard !text.isEmpty else { return Edit(place: place, change: .none(.emptyText)) }
    return try transaction(.add, in: place, withoutNotifying: tokens) { rows, recorder in
      let index = rows.index(of: point)
      let values = RowValues(id: UUID(), text: text)
      recorder.insert([values], at: index, in: rows)
      return Edit(place: place, change: .inserted(at: index), after: [values])
    }
  }

  /// Adds open rows after the open ones, in the order given and in one transaction; texts that are empty are left out.
  ///
  /// - Returns: The ids of the new rows, or nil when the list that was to hold them is gone.
  /// - Throws: `StoreError`; no row has been added then.
  ///
  /// Complexity: O(k log n + the number of completed rows) for k rows. The order of the rows is not read for it.
  @discardableResult
  public func add(
    _ texts: [String], to place: Place, withoutNotifying tokens: [NotificationToken] = []
  ) throws -> [UUID]? {
    let values = texts.map(\.trimmedForRow).filter { !$0.isEmpty }.map { RowValues(id: UUID(), text: $0) }
    guard !values.isEmpty else { return [] }
    return try store.write(withoutNotifying: tokens) {
      guard let rows = rows(of: place) else { return nil }
      var recorder = ActionRecorder(.add)
      try recorder.insertAfterOpenRows(values, in: rows)
      _ = try keep(recorder.transitions, as: recorder.action)
      return values.map(\.id)
    }
  }
}

extension RowCollection {
  /// The index that a new row gets.
  fileprivate func index(of point: InsertionPoint) -> Int {
    let end = lastOpenIndex().map { $0 + 1 } ?? 0
    return switch point {
    case .afterOpenRows: end
    case .top: 0
    case .above(let id): min(end, find(id)?.index ?? end)
    case .below(let id): min(end, find(id).map { $0.index + 1 } ?? end)
    }
  }
}
