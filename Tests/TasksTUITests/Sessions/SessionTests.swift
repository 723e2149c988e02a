import Foundation
import Glibc
import TasksModel
import Testing

@testable import TasksTUI

/// A session of about ten minutes in two windows on one file, step by step, as a person would work.
///
/// After each step both windows have to show, and the file has to hold, what a simple model says (see
/// `SessionModel`).
@Suite("A session in two windows", .enabled(if: !TerminalProbe.isRequested), .serialized)
struct SessionTests {
  @Test("Ten minutes of work: after each step both windows and the file are as the rules say")
  func tenMinutes() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "ten-minutes.session")
    let script = try SessionScript(String(contentsOf: file, encoding: .utf8))
    #expect(script.steps.count >= 200)
    try Session().play(script)
  }
}

/// Two shells with the program, the file, and the model of what they show.
private final class Session {
  private let folder = TemporaryFolder()
  private var windows: [PseudoWindow] = []
  private var model = SessionModel(windows: SessionScript.windows.count)
  private var database: ForeignDatabase?
  /// Windows in which the shell has the keys.
  private var suspended: Set<Int> = []
  private let tasks = ChildProcess.tasks
  /// No test that speaks of today runs over midnight.
  private static let zone = ChildProcess.zoneOfNoon

  init() throws {
    for name in SessionScript.windows {
      // Reduced motion in the second window. What is moving in the first is waited for.
      let environment = [
        "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": folder.path, "XDG_STATE_HOME": folder(name),
        "XDG_CONFIG_HOME": folder(name), "PATH": "/usr/bin:/bin", "TZ": Self.zone, "PS1": "$ ",
        "TASKS_ANIMATION": "\(name == "one" ? "full" : "off")", "SWIFT_BACKTRACE": "enable=no",
      ]
      let window = try PseudoWindow(
        "/bin/bash", ["--norc", "--noprofile", "-i"], environment: environment, in: folder.path)
      try window.wait(forText: "$")
      windows.append(window)
    }
  }

  private func start(_ window: Int) throws {
    windows[window].send("clear; \(tasks) --file tasks.db\r")
    // Not the echo of the command.
    try windows[window].wait(for: "the app") {
      $0.screen.modes.contains(2004) && $0.screen.modes.contains(1049)
    }
  }

  func play(_ script: SessionScript) throws {
    for window in windows.indices { try start(window) }
    for step in script.steps {
      do {
        try perform(step)
        try compare(step)
      } catch {
        throw PseudoWindow.Failure(description: "line \(step.number): \(step.line)\n\(error)\n\(state)")
      }
    }
    for window in windows.indices where !suspended.contains(window) {
      try windows[window].expectLikeTmux()
      try windows[window].strike("q")
      try expectShell(window)
    }
    for window in windows {
      window.send("exit $?\r")
      #expect(try window.waitForEnd() == 0)
    }
  }

  // MARK: Steps

  private func perform(_ step: SessionScript.Step) throws {
    let window = windows[step.window]
    switch step.action {
    case .keys(let keys):
      for key in keys {
        model.press(key, in: step.window)
        window.send(try PseudoWindow.bytes(of: key))
      }
    case .size(let columns, let lines): window.resize(columns: columns, lines: lines)
    case .suspend:
      try window.strike("C-z")
      try expectShell(step.window)
      try window.wait(forText: "Stopped")
    case .resume, .start:
      suspended.remove(step.window)
      if case .start = step.action {
        model[step.window] = SessionWindow(list: model[step.window].lastList)
        model[step.window].cursor = model.rows[.list(model[step.window].lastList)].first?.id
        try start(step.window)
      } else {
        window.send("fg\r")
      }
    case .quit:
      try window.strike("q")
      try expectShell(step.window)
    case .elsewhere(let verb, let text): try performElsewhere(verb, text)
    }
  }

  /// Waits for the shell, and for the terminal as the program found it.
  private func expectShell(_ window: Int) throws {
    suspended.insert(window)
    let shell = windows[window].process
    try windows[window].wait(for: "the shell") {
      $0.foreground == shell && !$0.screen.modes.contains(1049) && $0.screen.modes.contains(25)
    }
    let left = windows[window].screen.modes.subtracting([2004, 7, 25])
    #expect(left.isEmpty, "modes are left: \(left)")
  }

  private func performElsewhere(_ verb: String, _ text: String) throws {
    let database = try opened()
    let row = model.rows.lists.flatMap(\.tasks).first { $0.text == text }
    switch verb {
    case "complete":
      try database.run("UPDATE TaskItem SET completed = 1 WHERE text = ?", text)
      if let row { model.changeElsewhere { $0.change(row.id) { $0.isCompleted = true } } }
    case "delete":
      try database.run("DELETE FROM TaskItem WHERE text = ?", text)
      if let row { model.changeElsewhere { $0.delete([row.id]) } }
    case "rename":
      let names = text.components(separatedBy: " to ")
      let row = model.rows.lists.flatMap(\.tasks).first { $0.text == names[0] }
      try database.run("UPDATE TaskItem SET text = ? WHERE text = ?", names[1], names[0])
      if let row { model.changeElsewhere { $0.change(row.id) { $0.text = names[1] } } }
    case "add":
      // By the same person: it can be undone in a window.
      let outcome = try ChildProcess.run(
        [tasks, "--file", folder("tasks.db"), "add", text], environment: ["TZ": Self.zone])
      try #require(outcome.status == 0, "\(outcome.errors)")
      let row = model.makeRow(text)
      let list = model.rows.lists[0].id
      model.change([row.id]) { $0.insert(row, in: .list(list), at: Int.max) }
    default: throw SessionScript.Problem(description: "nobody can \(verb)")
    }
  }

  // MARK: Comparison

  private func opened() throws -> ForeignDatabase {
    if let database { return database }
    let opened = try ForeignDatabase(folder("tasks.db"))
    database = opened
    return opened
  }

  private func picture(of window: Int) -> SessionPicture {
    let others = model.windows.indices.filter { $0 != window }
    return SessionPicture(
      model[window], model.rows, others: others.map { model[$0] }, columns: windows[window].screen.columns)
  }

  /// Waits until the windows show what the model says and have come to rest; compares the file.
  private func compare(_ step: SessionScript.Step) throws {
    for (index, window) in windows.enumerated() where !suspended.contains(index) {
      let picture = picture(of: index)
      var problem: String?
      do {
        try window.wait(for: "window \(SessionScript.windows[index])") { window in
          // Only then all that it has painted is on the screen.
          let isAtRest = window.isAtRest
          problem = picture.problem(of: window.screen)
          return isAtRest && problem == nil
        }
      } catch {
        throw PseudoWindow.Failure(
          description: problem.map { "window \(SessionScript.windows[index]): \($0)" } ?? "\(error)")
      }
    }
    if let words = step.words {
      try windows[words.window].wait(for: "“\(words.text)”") {
        // On the bottom line, or below the row that is edited.
        $0.screen.text.contains(words.text)
      }
    }
    let lists = try opened().lists()
    let found = lists.map { essence($0.text, $0.isCompleted, $0.tasks.map(essence)) }
    let expected = model.rows.lists.map { essence($0.text, $0.isCompleted, $0.tasks.map(essence)) }
    guard found == expected else {
      throw PseudoWindow.Failure(
        description:
          "the file holds\n\(found.joined(separator: "\n"))\nand not\n\(expected.joined(separator: "\n"))")
    }
  }

  private func essence(_ text: String, _ isCompleted: Bool, _ tasks: [String]) -> String {
    "\(isCompleted ? "x " : "")\(text):\n  \(tasks.joined(separator: "\n  "))"
  }

  private func essence(_ task: ForeignDatabase.Row) -> String {
    "\(task.isCompleted ? "x " : "")\(task.text)|\(task.priority)|\(task.note)|\(task.date.isEmpty ? "" : "dated")"
  }

  private func essence(_ task: SessionRows.Row) -> String {
    "\(task.isCompleted ? "x " : "")\(task.text)|\(task.priority)|\(task.note)|\(task.due.isEmpty ? "" : "dated")"
  }

  /// The screens of the windows, and the expected ones.
  private var state: String {
    windows.indices.map { index in
      let picture = picture(of: index)
      let expected =
        picture.lines.map { $0.map { "\($0)" }.joined(separator: "\n") } ?? picture.notice ?? picture.prompt
      return """
        ---- window \(SessionScript.windows[index]) shows
        \(windows[index].screen.text)
        ---- and should show
        \(picture.title)
        \(expected ?? "")
        """
    }.joined(separator: "\n")
  }
}
