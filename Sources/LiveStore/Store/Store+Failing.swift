/// Reads that fail: what the disk or another program does to a file never ends the program.
///
/// A property, a count and a subscript cannot throw. So where the file cannot be read, a value stands in: the
/// default of a property, `nil` for an object that was looked for, no elements. The cause is not lost: in a
/// write transaction it is thrown at the end, and all of the write is taken back; elsewhere it is
/// ``failure``, and the observers are told.
extension Store {
  /// What `body` reads or, where it cannot be read, `substitute`.
  func reading<R>(else substitute: @autoclosure () -> R, _ body: () throws(StoreError) -> R) -> R {
    do throws(StoreError) {
      try requireReadable()
      return try body()
    } catch {
      note(error)
      return substitute()
    }
  }

  /// Throws why nothing can be read: there is no snapshot to be had, or the open transaction has failed.
  /// SQLite may have taken that back already, so that nobody knows what its rows are before it has ended.
  func requireReadable() throws(StoreError) {
    try openSnapshot()
    if let writeFailure { throw writeFailure }
    if let frozen, let failure = frozen.failure { throw failure }
  }

  /// Notes why a read has failed: for the end of the open transaction or, when there is none, for the
  /// observers, who are told on the next turn.
  func note(_ error: StoreError) {
    if isInWriteTransaction {
      writeFailure = writeFailure ?? error
      return
    }
    exclusively {
      failedReads += 1
      guard failure == nil else { return }
      failure = error
      guard !isFrozen else { return }
      untoldFailure = (error, coordinator.liveSubscriptions())
      coordinator.requestTurn()
    }
  }

  /// Tells the observers why the file could not be read, if they have not been told; the callbacks of
  /// collections and objects, which nothing can be told any more, for the last time. The worker is held.
  func tellOfFailure() {
    guard let (cause, subscriptions) = untoldFailure else { return }
    untoldFailure = nil
    tellObservers(.failed(cause))
    undelivered = subscriptions.map { ($0, .error(cause)) }
    makeCalls()
  }

  /// Forgets a failure, because the newest version could be read.
  func recover() {
    guard failure != nil else { return }
    failure = nil
    untoldFailure = nil
    hasRecoveredUntold = true
    // Their keys may have been made of defaults.
    for collection in liveSections() { collection.reset() }
  }

  /// What is wrong when a row that an order, a list or an index leads to is not there.
  func missingRow(of table: Table) -> StoreError {
    StoreError(
      .notADatabase,
      "“\(path)” is damaged: a \(table.name) that it lists is not there; copy what can be read into a new "
        + "file."
    )
  }
}
