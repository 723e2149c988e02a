/// The destination of rows that are completed.
public enum CompletedRows: String, CaseIterable, Sendable {
  /// At the end of all rows, as on iOS and macOS.
  case end
  /// Above all rows completed before, as on Android.
  case top
}

/// The rule for the destination of a row that is completed or reopened.
extension RowCollection {
  /// The destination of a row that is completed or reopened.
  ///
  /// - Parameter number: The number of rows that the same action has completed before, which keep their
  ///   order.
  ///
  /// Complexity: O(1) to the end of all rows, otherwise O(the number of completed rows).
  func destination(ofToggled index: Int, following number: Int = 0) -> Int {
    let isCompleted = row(at: index).completed
    if !isCompleted, completedRows == .end { return count - 1 }
    let lastOpen = lastOpenIndex(except: index) ?? -1
    // Removing this row moves up the rows below it.
    return (lastOpen > index ? lastOpen : lastOpen + 1) + (isCompleted ? 0 : number)
  }

  /// The destination of a completed row from another list.
  ///
  /// - Parameter number: The number of rows that the same action has moved before.
  func destination(ofArriving number: Int) -> Int {
    completedRows == .end ? count : openEnd + number
  }
}
