/// Reads that fail. The disk or another program never ends this program, whatever it does to the file.
///
/// A property, a count and a subscript cannot throw. Where the file cannot be read, they return a substitute:
/// the default of a property, `nil` for an object that was looked up, no elements. The cause is kept. In a
/// write transaction it is thrown at the end, and all of the write is rolled back. Elsewhere it becomes
/// ``failure``, and the observers are notified.
///
/// A query may fail by itself, at a value in the rows that it reads, while the file can be read. Reading it
/// is then such a failure as well, but ends no observers: the worker finds out, and ends those of the query.
extension Store {
  /// The result of `body` or, if it throws, `substitute`.
  func reading<R>(else substitute: @autoclosure () -> R, _ body: () throws(StoreError) -> R) -> R {
    do throws(StoreError) {
      try requireReadable()
      return try body()
    } catch {
      note(error)
      return substitute()
    }
  }

  /// Throws if nothing can be read, because there is no snapshot or the open transaction has failed. SQLite
  /// may have rolled a failed transaction back already, so that its rows are unknown until it has ended.
  func requireReadable() throws(StoreError) {
    try openSnapshot()
    if let writeFailure { throw writeFailure }
    if let frozen, let failure = frozen.failure { throw failure }
  }

  /// Records why a read failed: for the end of the open transaction or, if there is none, for the observers,
  /// which are notified on the next turn.
  func note(_ error: StoreError) {
    if isInWriteTransaction {
      writeFailure = writeFailure ?? error
      return
    }
    exclusively {
      failedReads += 1
      // A query that fails does not hide that the file cannot be read.
      guard failure.map({ $0.isOfQuery && !error.isOfQuery }) ?? true else { return }
      failure = error
      guard !isFrozen else { return }
      turns.didFail((error, error.isOfQuery ? [] : coordinator.liveSubscriptions()))
      coordinator.requestTurn()
    }
  }

  /// Whether a trigger of another program may have taken away an object or an element that the open write
  /// names: then it is no mistake of this program, and the write fails.
  func failsByTriggers() -> Bool {
    guard isInWriteTransaction, let error = recorder.foreign.removalError else { return false }
    failWrite(error)
    return true
  }

  /// Notifies the observers, unless they have been, that the file could not be read. For the callbacks of
  /// collections and objects, which cannot follow any more, this is the last call. Called in phase `held`.
  func notifyFailure() {
    guard let (cause, subscriptions) = turns.takeFailure() else { return }
    notifyObservers(.failed(cause))
    guard !subscriptions.isEmpty else { return }
    turns.setCalls(subscriptions.map { ($0, .error(cause)) })
    makeCalls()
  }

  /// Clears a failure, because the newest version could be read.
  func recover() {
    guard failure != nil else { return }
    failure = nil
    turns.didRecover()
    // Their keys may have been computed from defaults.
    for collection in liveSections() { collection.reset() }
  }

  /// The error for a row that an order, a list or an index names and that does not exist.
  func missingRow(of table: Table) -> StoreError {
    StoreError(
      .damaged,
      "“\(path)” is damaged: a \(table.name) that it lists is not there; "
        + "copy what can be read into a new file."
    )
  }
}
