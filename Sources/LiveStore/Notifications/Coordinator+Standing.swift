/// An instance that stands still: it does not go to newer versions by itself, or has given its snapshot up.
extension Coordinator {
  // MARK: Staying at a version

  /// Says whether a turn may go to a newer version (instance).
  func setAdvances(_ advances: Bool) {
    lock.withLock { self.advances = advances }
    if advances { requestCalculation() }
  }

  /// Notes that the instance has been told of a version without going there (instance).
  func announce(_ version: Int64) {
    lock.withLock { announcedVersion = version }
  }

  /// Whether the instance has been told of a version without going there (worker).
  func isAnnounced(_ version: Int64) -> Bool {
    lock.withLock { announcedVersion == version }
  }

  /// Whether the instance is to stay where it is (worker).
  var standsStill: Bool {
    lock.withLock { !advances }
  }

  /// What can be delivered although the instance stays at its version (worker): first calls, and what it
  /// wrote itself.
  ///
  /// - Parameter newerVersion: The version that the instance has to be told of.
  func calculateInPlace(_ input: CalculationInput, newerVersion: Int64?) throws(StoreError) -> Delivery {
    back.close()
    var delivery = Delivery(version: input.version, changes: VersionDifference(schema: schema))
    if input.hasUninformedObservers {
      delivery = try input.calculate(old: front, new: front, newVersion: input.version)
    }
    delivery.newerVersion = newerVersion
    return delivery
  }

  // MARK: Without a snapshot (instance, phase `held`)

  /// What the instance showed when it gave its snapshot up.
  struct GivenUpSnapshot {
    let version: Int64
    /// Rows as they were then, for those who have to know.
    let images: [RowIdentity: RowImage?]
  }

  /// Lets go of both snapshots, and of the orders read from them; the observers keep theirs.
  func giveUpSnapshot(images: [RowIdentity: RowImage?]) {
    lock.withLock {
      givenUp = GivenUpSnapshot(version: version, images: images)
      for live in collections { live.live?.tree = nil }
    }
    front.close()
    back.close()
  }

  /// The newest version, which is not held.
  func newestVersion() throws(StoreError) -> Int64 {
    defer { back.close() }
    return try back.open()
  }

  /// Takes up the newest version.
  ///
  /// - Returns: Whether it is another one than was given up.
  func reopenSnapshot() throws(StoreError) -> Bool {
    // Whoever reads goes on with what is open; the next look says what has become of the file.
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
