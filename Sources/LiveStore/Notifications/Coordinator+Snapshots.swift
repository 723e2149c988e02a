/// The snapshots of an instance (instance, phase `held`).
extension Coordinator {
  /// The version that the instance shows, or showed when it gave its snapshot up.
  var version: Int64 { front.version ?? givenUp?.version ?? 0 }

  /// Puts a delivery's orders in place and, if it has another version, lets the snapshots change places.
  func adopt(_ delivery: Delivery) {
    lock.withLock {
      if delivery.isRenewal {
        exchange()
      } else if delivery.version != version {
        // An order that was asked for while the calculation ran belongs to the version that is left now.
        for collection in collections { collection.live?.tree = nil }
        exchange()
      }
      for (live, tree) in delivery.trees { live.tree = tree }
    }
  }

  /// Lets the snapshots change places without a new version.
  func swapSnapshots() {
    lock.withLock { exchange() }
  }

  private func exchange() {
    swap(&front, &back)
    replaceBackIfPinned()
  }

  // MARK: Frozen copies

  /// Leaves a snapshot that frozen copies show to them.
  func replaceBackIfPinned() {
    guard back.isPinned, let spare else { return }
    back = spare
    self.spare = nil
  }

  var hasSpare: Bool { spare != nil }

  /// Provides what takes the place of a snapshot that is about to be pinned.
  func setSpare(_ snapshot: Snapshot) {
    spare = snapshot
  }

  /// Gives up what no frozen copy shows, after ``close()``.
  func closeSnapshots() {
    if !front.isPinned { front.close() }
    back.close()
    spare = nil
  }
}
