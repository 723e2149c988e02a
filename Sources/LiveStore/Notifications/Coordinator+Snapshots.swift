/// The snapshots of an instance (instance, phase `held`).
extension Coordinator {
  /// The version that the instance shows, or showed when it released its snapshot.
  var version: Int64 { front.version ?? givenUp?.version ?? 0 }

  /// Sets a delivery's orders and, if it has another version, swaps the snapshots.
  func adopt(_ delivery: Delivery) {
    lock.withLock {
      if delivery.isRenewal {
        exchange()
      } else if delivery.version != version {
        // An order that was requested during the calculation belongs to the version that is left now.
        for collection in collections { collection.value?.tree = nil }
        for result in results { result.value?.state = nil }
        exchange()
      }
      for (live, tree) in delivery.trees { live.tree = tree }
      for (live, state) in delivery.results { live.state = state }
    }
  }

  /// Swaps the snapshots without a new version.
  func swapSnapshots() {
    lock.withLock { exchange() }
  }

  private func exchange() {
    guard let back = openedBack else { preconditionFailure("There is no other version to show.") }
    openedBack = front
    front = back
    replaceBackIfPinned()
  }

  /// Releases the version that the back snapshot holds, if it holds one.
  func closeBack() { openedBack?.close() }

  /// Leaves a snapshot that frozen copies show to them.
  func replaceBackIfPinned() {
    guard openedBack?.isPinned == true, let spare else { return }
    openedBack = spare
    self.spare = nil
  }

  /// Leaves the version shown to the frozen copies that show it, too, when the instance releases it.
  func leaveFrontIfPinned() {
    guard front.isPinned, let spare else { return }
    lock.withLock { front = spare }
    self.spare = nil
  }

  /// Closes the snapshots that no frozen copy shows, after ``close()``.
  func closeSnapshots() {
    if !front.isPinned { front.close() }
    closeBack()
    spare = nil
  }
}
