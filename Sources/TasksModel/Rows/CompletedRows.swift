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
    guard row(at: index).completed else {
      if completedRows == .end { return count - 1 }
      var lastOpen = count - 1
      while lastOpen >= 0, lastOpen == index || row(at: lastOpen).completed { lastOpen -= 1 }
      // Removing this row moves up the rows below it.
      return (lastOpen > index ? lastOpen : lastOpen + 1) + number
    }
    // The last open row may be below this one, if another program has completed it in place: removing this
    // row then moves that one up.
    let end = openEnd
    return end > index ? end - 1 : end
  }

  /// The destination of a completed row from another list.
  ///
  /// - Parameter number: The number of rows that the same action has moved before.
  func destination(ofArriving number: Int) -> Int {
    completedRows == .end ? count : openEnd + number
  }
}
