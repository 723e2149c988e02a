/// The progress of a long exchange.
struct ExchangeProgress: Equatable {
  /// `sending`, `fetching` or `writing`.
  var step: SyncStatus.Phase
  /// The number of objects that the step has behind it.
  var done: Int
  /// The number of all objects of the step; 0 where it is not known.
  var total = 0

  /// The number of objects of an exchange from which on it is told how far it is, and the interval.
  static let interval = 1000
}
