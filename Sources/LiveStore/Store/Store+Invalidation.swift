/// Standing still: a store that does not follow by itself, and one that has no snapshot.
extension Store {
  /// Whether a turn takes the store to the newest version. True unless it is set.
  ///
  /// When it is off, a turn still makes first calls and tells of what this store wrote, but what others
  /// commit is not seen before ``refresh()`` or ``beginWrite()``; the observers of the store are told
  /// ``Notification/refreshRequired``. The store then keeps the file's write-ahead log from starting anew, so
  /// that it grows with every commit of anybody; see ``invalidate()``.
  public var autorefresh: Bool {
    get { coordinator.advances }
    set {
      confinement.require()
      coordinator.setAdvances(newValue)
    }
  }

  /// Gives up the version that the store shows, and with it the hold on the file's write-ahead log.
  ///
  /// To be called by a program that is not going to run for a while, such as one that is about to be
  /// suspended: until the next turn that has something to tell, ``refresh()``, ``beginWrite()`` or use of an
  /// object or collection, the store holds nothing of the file but its connections. Objects and collections
  /// stay valid; used again, they show the newest version, and what was deleted meanwhile is invalidated. An
  /// open write is cancelled. Inside a callback nothing happens.
  ///
  /// Callbacks are told afterwards what changed meanwhile. Of a collection, deletions, insertions and moves
  /// are exact, but the values that rows had are gone with the snapshot, so that `modifications` may name too
  /// many rows, never too few: every row that was written to, or leads to one that was, whichever property it
  /// was, also if it has its former values again; where the elements lead to lists that were written to, or
  /// the log no longer reaches back, every row that was there before. Of an object, properties that are
  /// values are exact, with the old values; lists, and paths beyond its own properties, are named when
  /// anything that they could depend on was written to.
  ///
  /// - Complexity: O(r + k) for r rows shown by objects and k objects observed. Coming back costs O(n) for
  ///   each observed collection of n elements.
  public func invalidate() {
    confinement.require()
    guard !isDelivering, !isTellingObservers, !isClosed, !isInvalidated else { return }
    if isInWriteTransaction { cancelWrite() }
    readIteratedOrders()
    coordinator.hold()
    let hasPending = coordinator.takePending() != nil
    coordinator.giveUpSnapshot(images: imagesOfObservedObjects())
    forgetAllRows()
    for collection in liveSections() { collection.reset() }
    let mustTurn = hasPending || coordinator.input().hasUninformedObservers
    coordinator.resume()
    if mustTurn { coordinator.requestTurn() }
  }

  /// Whether the snapshot has been given up, and nothing used the store since.
  var isInvalidated: Bool { coordinator.givenUp != nil }

  /// Has everything that is read, read from a snapshot, if one can be had.
  func requireSnapshot() {
    do throws(StoreError) {
      try openSnapshot()
    } catch {
      note(error)
    }
  }

  /// The same; called wherever the store is read.
  func openSnapshot() throws(StoreError) {
    confinement.require()
    guard isInvalidated, !isClosed else { return }
    coordinator.hold()
    defer { coordinator.resume(look: true) }
    try reopenSnapshot()
    // Observers of the store, and of collections, hear of it on a turn: nobody expects to be called while
    // reading.
    if hasMovedUntold { coordinator.requestTurn() }
  }

  /// Takes up the newest version if the snapshot had been given up; the worker is held.
  func reopenSnapshot() throws(StoreError) {
    guard isInvalidated else { return }
    if try coordinator.reopenSnapshot() {
      hasMovedUntold = true
      hasLostReads = true
    }
  }

  /// The turn of a store that has no snapshot: it stays without unless there is something to tell.
  ///
  /// - Returns: A newer version, when the store is not to go there by itself.
  func takeTurnInvalidated(_ mustLook: inout Bool) -> Int64? {
    let input = coordinator.input()
    do throws(StoreError) {
      let newest = try coordinator.newestVersion()
      if input.hasUninformedObservers || failure != nil || (newest != input.version && autorefresh) {
        try reopenSnapshot()
        recover()
        mustLook = true
        tellOfMove()
        return nil
      }
      return newest == input.version ? nil : newest
    } catch {
      deliver(coordinator.delivery(of: error, at: input.version))
      return nil
    }
  }

  /// The rows of the objects that callbacks observe, whose old values they are to be told. What cannot be
  /// read is left out.
  private func imagesOfObservedObjects() -> [RowIdentity: RowImage?] {
    var images: [RowIdentity: RowImage?] = [:]
    for subscription in coordinator.liveSubscriptions() {
      guard case .object(let id) = subscription.observed.identity, images[id] == nil else { continue }
      do throws(StoreError) {
        images[id] = .some(try front.instance.row(schema.tables[id.table], id.key))
      } catch {
        continue
      }
    }
    return images
  }

  /// Has the values of all rows read again when they are next asked for.
  func forgetAllRows() {
    for entry in rows.entries { entry.value._withUnsafeGuaranteedRef { $0.forget() } }
  }
}
