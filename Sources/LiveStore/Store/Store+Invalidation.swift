/// Stores that do not advance by themselves, and stores without a snapshot.
extension Store {
  /// Whether a turn advances the store to the newest version. The default is true.
  ///
  /// When it is off, a turn still makes first calls and reports the writes of this store, but the commits of
  /// others are not shown before ``refresh()`` or ``beginWrite(waitingAtMost:)``. The observers of the store
  /// receive ``Notification/refreshRequired``. The store then prevents the file's write-ahead log from being
  /// restarted, so that it grows with every commit of any program; see ``invalidate()``.
  public var autorefresh: Bool {
    get { coordinator.advances }
    set {
      confinement.require()
      coordinator.setAdvances(newValue)
    }
  }

  /// Releases the version that the store shows, and with it the hold on the file's write-ahead log.
  ///
  /// For a program that will not run for a while, such as one that is about to be suspended. Until the next
  /// turn with something to deliver, ``refresh()``, ``beginWrite(waitingAtMost:)`` or use of an object or
  /// collection, the store holds only its connections. Objects and collections stay valid. When they are
  /// used again, they show the newest version, and those deleted meanwhile are invalidated. An open write is
  /// cancelled. Inside a callback nothing happens. Frozen copies keep their versions; see ``freeze()``.
  ///
  /// Afterwards the observers are notified of the changes made meanwhile. For a collection, deletions,
  /// insertions and moves are exact. The former values of rows were released with the snapshot, so that
  /// `modifications` may name too many rows, never too few: every row that was written to, or leads to one
  /// that was, regardless of the property and of whether the value is the former one again. Where the
  /// elements lead to lists that were written to, or the log no longer reaches back, it names every row that
  /// was there before. For an object, properties that are values are exact, with the old values; lists, and
  /// paths beyond its own properties, are named when anything that they could depend on was written to.
  ///
  /// - Complexity: O(r + k) for r rows shown by objects and k observed objects. The next use costs O(n) for
  ///   each observed collection of n elements.
  public func invalidate() {
    confinement.require()
    guard !turns.isDelivering, !turns.isReporting, !isClosed, !isInvalidated else { return }
    if isInWriteTransaction { cancelWrite() }
    readIteratedOrders()
    coordinator.hold()
    let hasPending = coordinator.takePending() != nil
    coordinator.releaseSnapshots(images: imagesOfObservedObjects())
    forgetAllRows()
    readGeneration &+= 1
    for collection in liveSections() { collection.reset() }
    let mustTurn = hasPending || coordinator.input().hasUninformedObservers
    coordinator.resume()
    if mustTurn { coordinator.requestTurn() }
  }

  /// Whether the snapshot was released and the store has not been used since.
  var isInvalidated: Bool { coordinator.givenUp != nil }

  /// Acquires a snapshot for reading, if one can be had.
  func requireSnapshot() {
    do throws(StoreError) {
      try openSnapshot()
    } catch {
      note(error)
    }
  }

  /// Acquires a snapshot for reading. Called wherever the store is read.
  func openSnapshot() throws(StoreError) {
    confinement.require()
    guard isInvalidated, !isClosed else { return }
    coordinator.hold()
    defer { coordinator.resume(look: true) }
    try reopenSnapshot()
    // Observers are notified on a turn: a program does not expect calls while it reads.
    if turns.owesVersion { coordinator.requestTurn() }
  }

  /// Opens the newest version if the snapshot was released; in phase `held`.
  func reopenSnapshot() throws(StoreError) {
    guard isInvalidated else { return }
    readGeneration &+= 1
    if try coordinator.reopenSnapshot() { turns.versionDidChange(losesReads: true) }
  }

  /// The turn of a store without a snapshot, which acquires one only if there is something to deliver;
  /// returns a newer version to which the store does not advance by itself.
  func takeTurnInvalidated(_ mustLook: inout Bool) -> Int64? {
    let input = coordinator.input()
    do throws(StoreError) {
      let newest = try coordinator.newestVersion()
      if input.hasUninformedObservers || failure != nil || (newest != input.version && autorefresh) {
        try reopenSnapshot()
        recover()
        mustLook = true
        notifyVersionChange()
        return nil
      }
      return newest == input.version ? nil : newest
    } catch {
      deliver(coordinator.delivery(of: error, at: input.version))
      return nil
    }
  }

  /// The rows of the observed objects, whose old values the callbacks receive. Rows that cannot be read are
  /// left out.
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

  /// Discards the cached values of all rows.
  func forgetAllRows() {
    for entry in rows.entries { entry.value._withUnsafeGuaranteedRef { $0.forget() } }
  }
}
