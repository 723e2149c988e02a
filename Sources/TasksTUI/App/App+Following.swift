import LiveStore

/// Following the file.
extension App {
  /// Delivers the changes of others.
  func processNotifications() {
    context.store.processNotifications()
    lookAtFile()
    leaveIfGone()
    updatePresence()
  }

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
