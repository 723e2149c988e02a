/// The numbers of a store's work, for finding out what a program costs.
extension Store {
  /// The work of a store since it was opened, and what it keeps in memory.
  public struct Counters: Encodable, Equatable, Sendable {
    /// The versions that the store has gone to by turns, by refreshing, and when a write began.
    public internal(set) var deliveries = 0
    /// The write transactions that have changed something.
    public internal(set) var transactions = 0
    /// The calls of observers of collections, objects and results.
    public internal(set) var calls = 0
    /// The observers.
    public internal(set) var observers = 0
    /// The rows whose values are kept, because an object refers to them.
    public internal(set) var rows = 0
    /// The collections whose order is kept up to date.
    public internal(set) var orders = 0
    /// The members of all these orders.
    public internal(set) var members = 0
  }

  /// The numbers now.
  ///
  /// The size of the file and of its write-ahead log is in ``fileSizes()``, and the statements with their
  /// times go to `Configuration.trace`.
  ///
  /// - Complexity: O(c) for c collections and observers.
  public func counters() -> Counters {
    confinement.require()
    var counters = work
    counters.rows = rows.count
    counters.observers = coordinator.liveSubscriptions().count + observers.count(where: \.state.isLive)
    let trees = coordinator.liveCollections().compactMap(\.tree)
    counters.orders = trees.count
    counters.members = trees.reduce(0) { $0 + $1.memberCount }
    return counters
  }
}
