/// Where a row goes that is completed.
public enum CompletedRows: String, CaseIterable, Sendable {
  /// To the end of all, as on iOS and macOS.
  case end
  /// Above all that were completed before, as on Android.
  case top
}

/// The one rule on where a row goes that is completed or opened again.
extension RowCollection {
  /// Where a row goes when it is completed, or opened again.
  ///
  /// - Parameter number: How many rows the same action has completed before, which keep their order.
  ///
  /// Complexity: O(1) to the end of all, else O(the number of completed rows).
  func destination(ofToggled index: Int, following number: Int = 0) -> Int {
    guard row(at: index).completed else {
      if completedRows == .end { return count - 1 }
      var lastOpen = count - 1
      while lastOpen >= 0, lastOpen == index || row(at: lastOpen).completed { lastOpen -= 1 }
      // Taking this row out moves up what stands below it.
      return (lastOpen > index ? lastOpen : lastOpen + 1) + number
    }
    // The last open row may stand below this one, if another program has completed it in place: then taking
    // this row out moves that one up.
    let end = openEnd
    return end > index ? end - 1 : end
  }

  /// Where a completed row goes that comes from another list.
  ///
  /// - Parameter number: How many the same action has brought before.
  func destination(ofArriving number: Int) -> Int {
    completedRows == .end ? count : openEnd + number
  }
}
