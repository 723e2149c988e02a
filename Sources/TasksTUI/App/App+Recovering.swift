import LiveStore
import TasksModel
import TerminalUI

/// A file that cannot be followed for a while, because it was moved or deleted, has lost a table, or the
/// disk does not read it.
///
/// The window stays open: lines at the bottom tell the cause, nothing is written, and the rows are those of
/// the version that was shown last. If that version cannot be read either, the last frame stays, and keys
/// only ask for help or quit. When the file can be followed again, the screens are made anew, with the text
/// that is being typed.
extension App {
  /// Notes a failure of the store, or its end.
  func lookAtFile() {
    if let failure = context.store.failure {
      context.endOfObservation = nil
      lose(failure)
    } else {
      tryToFollow()
    }
  }

  /// Follows the file again if that is possible now.
  ///
  /// - Returns: Whether the row under the cursor is still the one that the last frame showed there.
  @discardableResult
  func tryToFollow() -> Bool {
    if let failure = context.endOfObservation {
      context.endOfObservation = nil
      lose(failure)
    }
    guard context.loss != nil else { return true }
    let selected = screen.selectedRow
    // A version that cannot be read is given up.
    if context.isUnreadable { context.store.invalidate() }
    do throws(StoreError) {
      try context.store.refresh()
    } catch {
      lose(error)
      return true
    }
    followAgain("The file can be used again.")
    // A key acts on a row that has been laid out.
    if let lastFrame { layOut(width: lastFrame.width, height: lastFrame.height) }
    return screen.selectedRow == selected
  }

  /// Whether a read has failed, so that the screens must not be shown.
  var hasMisread: Bool { context.store.failedReads != context.knownFailedReads }

  /// Notes that a frame could not be read.
  ///
  /// - Parameter triesAgain: Whether to read again: a disk that fails once need not fail twice.
  func recoverFromMisreading(triesAgain: Bool) {
    context.knownFailedReads = context.store.failedReads
    // A write may have found the file readable since.
    guard let failure = context.store.failure ?? context.loss else { return followAgain(nil) }
    lose(failure)
    context.isUnreadable = true
    guard triesAgain else { return }
    tryToFollow()
    if context.loss == nil { context.say(failure) }
  }

  func lose(_ failure: StoreError) {
    guard failure != context.loss else { return }
    // A file that another program has overwritten may contain anything.
    if [.notADatabase, .damaged].contains(failure.code) { context.isUnreadable = true }
    context.loss = failure
    // The key that met the failure has said so.
    if context.message == failure.sentence { context.say("Nothing was saved.") }
  }

  private func followAgain(_ sentence: String?) {
    context.loss = nil
    context.isUnreadable = false
    context.knownFailedReads = context.store.failedReads
    context.forgetTags()
    // The file that windows share may have gone too.
    takesPart = false
    dateFailure = nil
    renewScreens()
    keptLists.follow()
    mustBeginAnew = true
    if let sentence { context.say(sentence) }
  }

  /// Says why dates are not read, once for each cause.
  func noteDateFailure(_ failure: StoreError) {
    // The worker will be replaced, and the failure may be of the time before the file was back.
    guard !mustBeginAnew else { return }
    isDateWorkerIdle = true
    guard failure != dateFailure, context.loss == nil else { return }
    dateFailure = failure
    context.say("Dates are not read: \(failure)")
  }

  /// Whether the front screen cannot be used, because the file cannot be read.
  var isFrontUnreadable: Bool { context.isUnreadable && front.needsFile }

  /// Handles a key for a text that is being typed while it cannot be shown, so that it can only be ended.
  func endUnreadable(_ key: Key) -> Request? {
    guard key == Key(.escape) else { return nil }
    screens.popToRows()
    return screen.isEditing ? follow(screen.type(key)) : nil
  }
}

extension Command {
  /// Whether the command can be followed while the file cannot be read.
  var needsNoFile: Bool {
    switch self {
    case .app(.quit), .app(.help), .app(.suspend), .app(.repaint), .app(.commandLine), .app(.set),
      .app(.theme):
      true
    case .app, .cursor, .rows, .tasks, .screen: false
    }
  }
}
