import TasksModel
import TerminalUI

struct WindowWords {
  let windows: [OtherWindow]
  /// The person of this window: other windows of the same person are not called by name.
  let author: String

  private static let longestName = 20

  /// The words for the bottom line: the activity of another window in what this one shows, otherwise the
  /// number of windows.
  ///
  /// - Parameters:
  ///   - text: Returns the text of a row that is in sight; nil for any other row.
  ///   - list: The open list.
  /// - Returns: Nil if this window is the only one.
  func summary(list: Identifier?, text: (Identifier) -> String?) -> String? {
    guard !windows.isEmpty else { return nil }
    let deeds = windows.compactMap { window -> String? in
      let activity = window.state.activity
      if case .adding(let place) = activity, place == nil || place != list { return nil }
      if let row = activity.row, text(row) == nil { return nil }
      return Self.deed(activity, text).map { "\(name(window.state) ?? "another window") \($0)" }
    }
    guard let deed = deeds.first else { return "\(windows.count + 1) windows" }
    return deeds.count == 1 ? deed : "\(deed), and \(deeds.count - 1) more"
  }

  /// All windows in a sentence.
  ///
  /// - Parameter text: Returns the text of a row; nil if there is none with this id.
  func list(text: (Identifier) -> String?) -> String {
    guard !windows.isEmpty else { return "No other window is on this file." }
    let each = windows.map { window in
      let state = window.state
      let name = (name(state) ?? "yours") + (state.terminal.isEmpty ? "" : " on \(state.terminal)")
      return ([name] + [Self.deed(state.activity, text)].compactMap { $0 }).joined(separator: " ")
    }
    return "\(windows.count == 1 ? "1 other window" : "\(windows.count) other windows"): "
      + each.joined(separator: "; ") + "."
  }

  /// The changes of the windows since they were `before`, a sentence each.
  func changes(since before: [OtherWindow], text: (Identifier) -> String?) -> [String] {
    let old = Dictionary(uniqueKeysWithValues: before.map { ($0.place, $0.state) })
    let gone = before.filter { window in !windows.contains { Self.isSame($0, window) } }
    var lines = gone.map { "\(subject($0.state)) closed." }
    for window in windows {
      let state = window.state
      var activity: WindowState.Activity?
      if let known = old[window.place], Self.isSame(window, OtherWindow(place: window.place, state: known)) {
        activity = known.activity
      } else {
        lines.append("\(subject(state)) opened.")
      }
      guard state.activity != activity else { continue }
      if let deed = Self.deed(state.activity, goesOn: true, text) {
        lines.append("\(subject(state)) \(deed).")
      } else if activity?.row != nil {
        lines.append("\(subject(state)) has finished editing.")
      }
    }
    return lines
  }

  private static func isSame(_ one: OtherWindow, _ other: OtherWindow) -> Bool {
    one.place == other.place && one.state.author == other.state.author
      && one.state.terminal == other.state.terminal
  }

  /// The name of the person; nil for this window's own.
  private func name(_ state: WindowState) -> String? {
    state.author == author ? nil : DisplayText(state.author, clippedTo: Self.longestName).string
  }

  private func subject(_ state: WindowState) -> String {
    name(state).map { "A window of \($0)" } ?? "Another window"
  }

  private static func deed(
    _ activity: WindowState.Activity, goesOn: Bool = false, _ text: (Identifier) -> String?
  ) -> String? {
    // The row may have been deleted meanwhile.
    func row(_ id: Identifier) -> String { text(id)?.quoted ?? "a row" }
    return switch activity {
    case .looking: nil
    case .editing(let id): "\(goesOn ? "is editing" : "edits") \(row(id))"
    case .writingNote(let id): "\(goesOn ? "is writing" : "writes") the note of \(row(id))"
    case .adding: "\(goesOn ? "is adding" : "adds") a row"
    }
  }
}
