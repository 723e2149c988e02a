/// An instance that stands still: it does not advance by itself, or has released its snapshot.
extension Coordinator {
  /// Sets whether a turn may advance to a newer version (instance).
  func setAdvances(_ advances: Bool) {
    lock.withLock { self.advances = advances }
    if advances { requestCalculation() }
  }

  /// Records that the instance was notified of a version without advancing to it (instance).
  func announce(_ version: Int64) {
    lock.withLock { announcedVersion = version }
  }

  /// Whether the instance was notified of a version without advancing to it (worker).
  func isAnnounced(_ version: Int64) -> Bool {
    lock.withLock { announcedVersion == version }
  }

  /// Whether the instance stays at its version (worker).
  var standsStill: Bool {
    lock.withLock { !advances }
  }

  /// The delivery that is possible while the instance stays at its version (worker): first calls, and its own
  /// writes.
  ///
  /// - Parameter newerVersion: The version of which the instance is to be notified.
  func calculateInPlace(_ input: CalculationInput, newerVersion: Int64?) throws(StoreError) -> Delivery {
    closeBack()
    var delivery = Delivery(version: input.version, changes: VersionDifference(schema: schema))
    if input.hasUninformedObservers {
      delivery = try input.calculate(old: front, new: front, newVersion: input.version)
    }
    delivery.newerVersion = newerVersion
    return delivery
  }

  /// The state of the instance when it released its snapshot.
  struct GivenUpSnapshot {
    let version: Int64
    /// The former values of the rows that observers need.
    let images: [RowIdentity: RowImage?]
  }

  /// Closes both snapshots, and releases the orders read from them; the observers keep theirs.
  func releaseSnapshots(images: [RowIdentity: RowImage?]) {
    lock.withLock {
      givenUp = GivenUpSnapshot(version: version, images: images)
      for collection in collections { collection.value?.tree = nil }
      for result in results { result.value?.state = nil }
    }
    leaveFrontIfPinned()
    front.close()
    closeBack()
  }

  /// The newest version, which is not held.
  func newestVersion() throws(StoreError) -> Int64 {
    defer { closeBack() }
    return try back.open()
  }

  /// Opens the newest version; returns whether it differs from the version that was released.
  func reopenSnapshot() throws(StoreError) -> Bool {
    // A reader uses the open file; the next look notices if the file was moved or replaced.
    let newest = try front.open(checkingFiles: false)
    return lock.withLock {
      defer { givenUp = nil }
      guard let givenUp, givenUp.version != newest else { return false }
      if !subscriptions.live.isEmpty {
        history.append(Transition(version: newest, before: givenUp.images, isWhole: false))
      }
      return true
    }
  }
}
