import FoundationEssentials
import LiveStore
import TasksModel

/// Following the file.
extension App {
  /// Delivers the changes of others.
  func processNotifications() {
    context.store.processNotifications()
    lookAtFile()
    leaveIfGone()
    updatePresence()
  }

  /// Notifies the observers of what this window has written since the last call.
  ///
  /// Rows other than those that wrote, such as the lists beside them, would otherwise be drawn, or taken for
  /// those that a key means, before they know of the change.
  func deliverOwnWrites() {
    guard context.store.writeCount != deliveredWriteCount else { return }
    notifyOfWrites()
    leaveIfGone()
    keepListsOutOfSightSorted()
    if context.store.writeCount != deliveredWriteCount { notifyOfWrites() }
  }

  private func notifyOfWrites() {
    deliveredWriteCount = context.store.writeCount
    do throws(StoreError) {
      try context.store.refresh()
    } catch {
      lose(error)
    }
  }

  /// Sorts the lists that are kept sorted and not on the screen, which sorts its own. A long one is sorted
  /// when it is opened next.
  private func keepListsOutOfSightSorted() {
    guard context.loss == nil else { return }
    do {
      let sorted = try context.store.lists.filter(#Predicate { $0.sorting != "" })
      for list in Array(sorted) where list.id != screen.openList {
        guard list.items.limit(Self.mostToSortAtOnce + 1).count <= Self.mostToSortAtOnce else { continue }
        _ = try context.store.keepSorted(list.id)
      }
    } catch let error as StoreError where error.code == .busy {
      // The next change sorts them.
    } catch {
      context.say(error)
    }
  }

  private static var mostToSortAtOnce: Int { 1000 }

  /// Throws the reason why the file cannot be read, a sentence.
  func requireReadable() throws(StoreError) { try context.store.requireReadable() }

  /// Releases the snapshot before the process is suspended. Otherwise the write-ahead log could not be
  /// restarted, and would grow with all that others write meanwhile. `advance` comes next.
  func releaseSnapshot() { context.store.invalidate() }

  /// Advances to the newest version after the process was suspended.
  func advance() {
    do throws(StoreError) {
      try context.store.refresh()
    } catch {
      lose(error)
    }
    // The screens have to receive the change before a frame is drawn.
    context.store.processNotifications()
    lookAtFile()
    leaveIfGone()
    updatePresence()
    context.needsFrame = true
  }
}
