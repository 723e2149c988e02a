import FoundationEssentials
import Glibc
import TasksModel

/// The other windows on the same file.
extension App {
  /// Readable when the other windows may have changed; -1 where there is nothing to be told.
  var presenceDescriptor: Int32 { presence?.fileDescriptor ?? -1 }

  /// Shows what the other windows do now.
  func lookAtWindows() {
    guard let presence, presence.look() else { return }
    let wereMeeting = isMeeting
    context.otherWindows = presence.others
    if isMeeting, !wereMeeting { sayMeeting() }
  }

  /// Tells the other windows what is done here, if that is something else than before; comes and goes with
  /// the setting.
  func updatePresence() {
    if context.settings.presence != takesPart {
      takesPart = context.settings.presence
      presence = takesPart ? join() : nil
      context.otherWindows = presence?.others ?? []
    }
    let activity = activity
    guard let presence, presence.activity != activity else { return }
    presence.activity = activity
    if isMeeting { sayMeeting() }
  }

  /// What goes on here that others may want to know of.
  private var activity: WindowState.Activity {
    if let id = noteInEditor ?? note?.task { return .writingNote(id) }
    switch rowEditing?.target {
    case nil: return .looking
    case .row(let id)?: return .editing(id)
    case .draft?: return .adding(list: openList)
    }
  }

  private var rowEditing: RowEditing? {
    switch screen {
    case let screen as TasksScreen: screen.rows.editing
    case let screen as CollectedScreen: screen.rows.editing
    case let screen as ListsScreen: screen.rows.editing
    default: nil
    }
  }

  private var openList: Identifier? { (screen as? TasksScreen)?.listID }

  /// What is edited here is edited elsewhere too. Both may go on: whoever keeps their text later is told what
  /// the other one has made of it first.
  private var isMeeting: Bool {
    guard let activity = presence?.activity, activity.row != nil else { return false }
    return context.otherWindows.contains { $0.state.activity == activity }
  }

  private func sayMeeting() { context.say("Also being edited in another window.") }

  // MARK: In words

  private var words: WindowWords { WindowWords(windows: context.otherWindows, author: context.store.author) }

  /// What the bottom line says of them.
  var windowsSummary: String? {
    guard !context.otherWindows.isEmpty else { return nil }
    return words.summary(list: openList) { front.textInSight($0) }
  }

  func tellOfWindows() {
    guard presence != nil else {
      return context.say(
        takesPart
          ? "Windows cannot tell of each other here: no file can be written beside this one."
          : "This window does not look at others; “\(context.key(.set)) presence on” changes that.")
    }
    context.say(words.list(text: text(of:)))
  }

  /// What has become of the other windows since the last call, a sentence each.
  func takeWindowLines() -> [String] {
    defer { toldWindows = context.otherWindows }
    return words.changes(since: toldWindows, text: text(of:))
  }

  private func text(of id: Identifier) -> String? {
    context.store.task(id)?.text ?? context.store.list(id)?.text
  }
}

extension Presence {
  /// The terminal on standard input, without its folder; empty where there is none.
  static var terminal: String {
    guard isatty(STDIN_FILENO) == 1, let name = ttyname(STDIN_FILENO) else { return "" }
    let path = String(cString: name)
    return path.hasPrefix("/dev/") ? String(path.dropFirst(5)) : path
  }
}
