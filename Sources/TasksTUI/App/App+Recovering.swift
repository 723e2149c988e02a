import LiveStore
import TasksModel

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
    guard context.loss != nil else { return true }
    let selected = selectedRow
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
    return selectedRow == selected
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
    if failure.code == .notADatabase { context.isUnreadable = true }
    context.loss = failure
    // The key that met the failure has said so.
    if context.message == "\(failure)" { context.say("Nothing was saved.") }
  }

  private func followAgain(_ sentence: String?) {
    context.loss = nil
    context.isUnreadable = false
    context.knownFailedReads = context.store.failedReads
    context.forgetTags()
    // The file that windows share may have gone too.
    takesPart = false
    dateFailure = nil
    let editing = rowEditing
    if let new = screenAnew() { screen = new }
    if let editing { resume(editing) }
    search = search?.anew(tasks: screen as? TasksScreen)
    mustBeginAnew = true
    if let sentence { context.say(sentence) }
  }

  /// The screen with rows that observe the file again; nil if its rows are gone.
  private func screenAnew() -> (any Screen)? {
    switch screen {
    case let lists as ListsScreen: return ListsScreen(context: context, selecting: lists.rows.selectedTask)
    case let collected as CollectedScreen:
      return try? CollectedScreen(context: context, collected.theme, origin: collected.origin)
    case let tasks as TasksScreen:
      guard let list = context.store.list(tasks.listID) else { return nil }
      let owner = tasks.ownerID.flatMap(context.store.task)
      guard tasks.ownerID == nil || owner != nil else { return nil }
      return TasksScreen(context: context, list: list, owner: owner, selecting: tasks.rows.selectedTask)
    default: return nil
    }
  }

  private func resume(_ editing: RowEditing) {
    switch screen {
    case let screen as TasksScreen: screen.rows.resume(editing)
    case let screen as CollectedScreen: screen.rows.resume(editing)
    case let screen as ListsScreen: screen.rows.resume(editing)
    default: break
    }
  }

  private var selectedRow: Identifier? {
    switch screen {
    case let screen as TasksScreen: screen.rows.selectedTask
    case let screen as CollectedScreen: screen.rows.selectedTask
    case let screen as ListsScreen: screen.rows.selectedTask
    default: nil
    }
  }

  /// Says why dates are not read, once for each cause.
  func noteDateFailure(_ failure: StoreError) {
    isDateWorkerIdle = true
    guard failure != dateFailure, context.loss == nil else { return }
    dateFailure = failure
    context.say("Dates are not read: \(failure)")
  }

  // MARK: While nothing can be read

  /// Whether a command can be followed while the rows cannot be read.
  func allows(_ command: Command) -> Bool {
    guard context.isUnreadable else { return true }
    if help != nil { return true }
    switch command {
    case .app(.quit), .app(.help), .app(.suspend), .app(.repaint), .app(.commandLine), .app(.set),
      .app(.theme):
      return true
    case .app, .cursor, .rows, .tasks, .screen: return false
    }
  }

  /// Handles a key while the rows cannot be read. A text that is being typed can only be ended, because it
  /// could not be shown.
  func handleUnreadable(_ key: Key) -> Request? {
    if prompt != nil { return typeIntoPrompt(key) }
    if help == nil, search != nil || front.isEditing {
      guard key == Key(.escape) else { return nil }
      search = nil
      note = nil
      if screen.isEditing { screen.type(key) }
      return nil
    }
    return context.keys[key].flatMap { perform(CommandCall($0)) }
  }
}
