import LiveStore

/// Following the file.
extension App {
  /// Delivers what others have changed.
  func processNotifications() {
    context.store.store.processNotifications()
    leaveIfGone()
    updatePresence()
  }

  /// Throws why the file cannot be read any more, a sentence.
  func requireReadable() throws(StoreError) { try context.store.requireReadable() }

  /// Gives up what is held of the file, before the process does not run for a while: else its log could not
  /// begin anew, and would grow with all that others write meanwhile. `catchUp` comes next.
  func rest() { context.store.store.invalidate() }

  /// Moves to the newest version, after the process has not run for a while.
  func catchUp() {
    do {
      try context.store.store.refresh()
    } catch {
      context.say(error)
    }
    // Nothing may be drawn before the screens have been told how it came about.
    context.store.store.processNotifications()
    leaveIfGone()
    updatePresence()
    context.needsFrame = true
  }
}
