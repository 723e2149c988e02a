/// New positions in lists, which in a file that is joined to those of other machines are this machine's own.
extension Store {
  /// A position between two others, in a write.
  func position(between lower: String?, and upper: String?) -> String {
    PositionKey.between(lower, upper, run: recorder.foreign.positionRun)
  }

  /// Ascending positions between two others, in a write.
  func positions(_ count: Int, between lower: String?, and upper: String?) -> [String] {
    PositionKey.keys(count, between: lower, and: upper, run: recorder.foreign.positionRun)
  }
}
