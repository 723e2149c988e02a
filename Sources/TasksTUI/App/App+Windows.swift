import Glibc
import TasksModel

/// The other windows on the same file.
extension App {
  /// A descriptor that is readable when the other windows may have changed; -1 if this window takes no part.
  var presenceDescriptor: Int32 { presence?.fileDescriptor ?? -1 }

  /// Reads the states of the other windows.
  func lookAtWindows() {
    guard let presence, presence.look() else { return }
    let wereMeeting = isMeeting
    context.otherWindows = presence.others
    if isMeeting, !wereMeeting { sayMeeting() }
  }

  /// Writes the state of this window for the others, if it has changed; joins and leaves as the setting says.
  func updatePresence() {
    if context.settings.presence != takesPart {
      takesPart = context.settings.presence
      // Before joining again: otherwise this window would see itself as another one.
      presence = nil
      do throws(WindowFile.Unavailable) {
        if takesPart { presence = try join() }
        presence?.onTouch = { [unowned self] in followNewSync() }
      } catch {
        if let sentence = error.sentence { context.say(sentence) }
      }
      context.otherWindows = presence?.others ?? []
    }
    let activity = activity
    guard let presence, presence.activity != activity else { return }
    presence.activity = activity
    if isMeeting { sayMeeting() }
  }

  /// The activity in this window that may concern others.
  private var activity: WindowState.Activity {
    noteInEditor.map { .writingNote($0) } ?? screens.topmost(\.activity) ?? .looking
  }

  /// Whether another window edits the same thing. Both may continue: the person who keeps their text later is
  /// first shown the text of the other.
  private var isMeeting: Bool {
    guard let activity = presence?.activity, activity.row != nil else { return false }
    return context.otherWindows.contains { $0.state.activity == activity }
  }

  private func sayMeeting() { context.say("Also being edited in another window.") }

  private var words: WindowWords { WindowWords(windows: context.otherWindows, author: context.store.author) }

  /// The words about them on the bottom line.
  var windowsSummary: String? {
    guard !context.otherWindows.isEmpty else { return nil }
    return words.summary(list: screen.openList) { screens.visible.textInSight($0) }
  }

  /// The words on the bottom line about other machines and other windows.
  var othersSummary: String? {
    let summaries = [syncSummary, windowsSummary].compactMap(\.self)
    return summaries.isEmpty ? nil : summaries.joined(separator: ", ")
  }

  func reportWindows() {
    guard presence != nil else {
      return context.say(
        takesPart
          ? "Windows cannot tell of each other here: no file can be written beside this one."
          : "This window does not look at others; “\(context.key(.app(.set))) presence on” changes that.")
    }
    context.say(words.list(text: text(of:)))
  }

  /// The changes of the other windows since the last call, a sentence each.
  func takeWindowLines() -> [String] {
    defer { reportedWindows = context.otherWindows }
    return words.changes(since: reportedWindows, text: text(of:))
  }

  private func text(of id: Identifier) -> String? {
    context.store.task(id)?.text ?? context.store.list(id)?.text
  }
}

extension Presence {
  /// The terminal on standard input, without its folder; empty if there is none.
  static var terminal: String {
    guard isatty(STDIN_FILENO) == 1, let name = ttyname(STDIN_FILENO) else { return "" }
    let path = String(cString: name)
    return path.hasPrefix("/dev/") ? String(path.dropFirst(5)) : path
  }
}
