import LiveStore
import TasksModel

extension App {
  /// Delivers the changes of others.
  func processNotifications() {
    context.store.processNotifications()
    context.noteArrivals()
    lookAtFile()
    leaveIfGone()
    settleArrivals()
    keptLists.sort(except: screen.place)
    updatePresence()
  }

  /// Puts what has come from other machines since the last time where it belongs.
  private func settleArrivals() {
    guard context.lastArrival > settledArrival, !context.isReadOnly, context.loss == nil else { return }
    do {
      try context.store.settleArrivals(after: settledArrival)
      settledArrival = context.lastArrival
    } catch let error as StoreError where error.code == .busy {
      // With the next change.
    } catch {
      settledArrival = context.lastArrival
      context.say(error)
    }
  }

  /// Notifies the observers of what this window has written since the last call.
  ///
  /// Rows other than those that wrote, such as the lists beside them, would otherwise be drawn, or taken for
  /// those that a key means, before they know of the change.
  func deliverOwnWrites() {
    guard context.store.writeCount != deliveredWriteCount else { return }
    notifyOfWrites()
    leaveIfGone()
    keptLists.sort(except: screen.place)
    if context.store.writeCount != deliveredWriteCount { notifyOfWrites() }
  }

  private func notifyOfWrites() {
    deliveredWriteCount = context.store.writeCount
    refresh()
  }

  func refresh() {
    do throws(StoreError) {
      try context.store.refresh()
    } catch {
      lose(error)
    }
    context.noteArrivals()
  }

  /// Releases the snapshot before the process is suspended. Otherwise the write-ahead log could not be
  /// restarted, and would grow with all that others write meanwhile. `advance` comes next.
  func releaseSnapshot() { context.store.invalidate() }

  /// Advances to the newest version after the process was suspended.
  func advance() {
    refresh()
    // The screens have to receive the change before a frame is drawn.
    processNotifications()
    context.needsFrame = true
  }
}
