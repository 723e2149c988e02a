import Testing

@testable import TasksTUI

/// The program in a terminal of its own, on a file that several may share; without movement, so that the
/// first picture is the one at rest.
struct TasksWindow {
  let window: TmuxWindow

  init(
    file: String, state: String, width: Int = 80, height: Int = 24, environment: [String: String] = [:],
    options: String = "--no-animation"
  ) throws {
    var environment = environment
    environment["XDG_STATE_HOME"] = state
    environment["XDG_CONFIG_HOME"] = state
    window = try TmuxWindow(width: width, height: height, environment: environment)
    try window.enter("clear; exec \(ChildProcess.tasks) --file \(file) \(options)")
    try window.wait(for: "the bottom line") { $0.contains("a add") || $0.contains("Enter open") }
  }

  /// Strikes keys, by tmux's names.
  func strike(_ keys: String...) throws { for key in keys { try window.strike(key) } }

  func type(_ text: String) throws { try window.tmux("send-keys", "-l", text) }

  /// Adds a task by the keys.
  func add(_ texts: String...) throws {
    for text in texts {
      try strike("a")
      try type(text)
      try strike("Enter")
    }
  }

  /// Waits until the window shows these rows, from top to bottom, and no others.
  func expect(_ rows: [String]) throws {
    try window.wait(for: "the rows \(rows)") { Self.rows($0) == rows }
  }

  func wait(until condition: (String) throws -> Bool) throws {
    try window.wait(for: "a screen", until: condition)
  }

  func expect(text: String) throws { try window.wait(forText: text) }

  private static func rows(_ screen: String) -> [String] {
    let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.dropFirst().prefix { !$0.isEmpty }.map { (line: Substring) -> String in
      String(line.dropFirst(2).prefix { $0 != "▐" }).trimmingSpaces
    }
  }
}
