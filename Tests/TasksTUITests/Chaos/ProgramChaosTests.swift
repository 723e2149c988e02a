import Foundation
import Glibc
import TasksModel
import TestSupport
import Testing

@testable import TasksTUI

/// `make chaos` kills hundreds.
@Suite("The program, killed at any moment", .enabled(if: !TerminalProbe.isRequested), .serialized)
struct ProgramChaosTests {
  @Test(
    "R178: whatever of tasks is killed, the file is whole, what was said is there, and windows and watch show it"
  )
  func kills() throws {
    let kills =
      getenv("LIVESTORE_KILLS").flatMap { Int(String(cString: $0)) }.map { $0 / 10 } ?? cases(20, sample: 6)
    let random = SeededGenerator()
    print(random.comment)
    var chaos = try ProgramChaos(random)
    var rounds = 0
    while chaos.kills < kills {
      do {
        try chaos.runRound()
      } catch {
        Issue.record("\(error)\n\(random.comment), in round \(rounds) after \(chaos.kills) kills")
        return
      }
      rounds += 1
    }
    print(
      "\(chaos.kills) kills in \(rounds) rounds, \(chaos.acknowledgements) changes that were said to be kept")
  }
}

/// Two windows, a watch, commands and a program that knows nothing of tasks, on one file.
private struct ProgramChaos {
  private var random: SeededGenerator
  private let folder = TemporaryFolder()
  private let tasks: String
  private let database: ForeignDatabase
  private var windows: [PseudoWindow] = []
  private var watch: WatchProcess
  private(set) var kills = 0
  private(set) var acknowledgements = 0

  /// The texts of the tasks that the program has said to be in the file.
  private var kept: Set<String> = []
  /// Those of them that it has said to be completed.
  private var completed: Set<String> = []
  private var made = 0

  /// More would not fit on a screen.
  private static let mostTasks = 30

  init(_ random: SeededGenerator) throws {
    self.random = random
    tasks = ChildProcess.tasks
    let first = try ChildProcess.run([tasks, "--file", folder("tasks.db"), "add", "t0"])
    try #require(first.status == 0, "\(first.errors)")
    kept = ["t0"]
    database = try ForeignDatabase(folder("tasks.db"))
    watch = try WatchProcess(tasks, file: folder("tasks.db"))
    for _ in 0..<2 { windows.append(try startWindow()) }
  }

  private mutating func startWindow() throws -> PseudoWindow {
    let window = try PseudoWindow(
      tasks, ["--file", "tasks.db", "--no-animation"],
      environment: [
        "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": folder.path, "XDG_STATE_HOME": folder.path,
        "XDG_CONFIG_HOME": folder.path, "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no",
      ], in: folder.path, columns: 60, lines: 50)
    try window.wait(for: "the app") { $0.screen.modes.contains(2004) && $0.isAtRest }
    // A text that was being typed when a window was killed is kept or dropped.
    if window.screen.text.contains("You were typing this") {
      window.send(Bool.random(using: &random) ? "\r" : "\u{1B}")
      try window.wait(for: "the end of editing") {
        $0.isAtRest && !$0.screen.text.contains("You were typing this")
      }
    }
    return window
  }

  private mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func newText() -> String {
    made += 1
    return "t\(made)"
  }

  mutating func runRound() throws {
    for _ in 0..<int(3...6) {
      switch int(0...7) {
      case 0, 1: try add()
      case 2: try complete()
      case 3, 4: try typeTask()
      case 5: try moveRow()
      case 6: try writeForeign()
      default: try killObserver()
      }
    }
    try check()
    try keepSmall()
  }

  // MARK: Changes

  /// Runs a command, which is killed half of the time; whether it has said that it is done.
  private mutating func run(_ arguments: String...) throws -> Bool {
    let command = try ChildProcess([tasks, "--file", folder("tasks.db")] + arguments)
    guard Bool.random(using: &random) else {
      let outcome = try command.finish()
      guard outcome.status == 0 else {
        throw PseudoWindow.Failure(description: "\(arguments): \(outcome.errors)")
      }
      acknowledgements += 1
      return true
    }
    // The moment is what is random here: nothing is waited for.
    poll(nil, 0, Int32(int(0...60)))
    command.send(SIGKILL)
    kills += 1
    // Its reports until then hold.
    let isDone = try !command.finish().output.isEmpty
    if isDone { acknowledgements += 1 }
    return isDone
  }

  private mutating func add() throws {
    let text = newText()
    if try run("add", text) { kept.insert(text) }
  }

  private mutating func complete() throws {
    guard let text = kept.subtracting(completed).sorted().randomElement(using: &random) else { return }
    let found = try database.run("SELECT id FROM TaskItem WHERE text = ?", text)
    guard let id = found.first?.first else { throw PseudoWindow.Failure(description: "\(text) is lost") }
    // It prints nothing: only its end says that it is done.
    let outcome = try ChildProcess.run([tasks, "--file", folder("tasks.db"), "done", id])
    guard outcome.status == 0 else { throw PseudoWindow.Failure(description: "done: \(outcome.errors)") }
    completed.insert(text)
    acknowledgements += 1
  }

  /// Types a task into a window, which is killed at any of its bytes half of the time.
  private mutating func typeTask() throws {
    let index = int(0...1)
    let window = windows[index]
    let text = newText()
    let bytes = Array("a\(text)\r".utf8)
    if Bool.random(using: &random) {
      window.send(bytes.prefix(int(0...bytes.count)))
      window.read(for: Int32(int(0...30)))
      try killWindow(index)
      return
    }
    window.send(bytes)
    try window.wait(for: "the new task \(text)") { window in
      // The cursor of the line being edited is gone.
      window.isAtRest && lines(window).contains(text)
    }
    kept.insert(text)
    acknowledgements += 1
  }

  private mutating func moveRow() throws {
    let window = windows[int(0...1)]
    window.send(String(repeating: Bool.random(using: &random) ? "j" : "k", count: int(0...9)))
    window.send(String(repeating: Bool.random(using: &random) ? "J" : "K", count: int(1...9)))
    if Bool.random(using: &random) { window.read(for: Int32(int(0...20))) }
  }

  private mutating func writeForeign() throws {
    let text = newText()
    try database.run("BEGIN IMMEDIATE")
    let id = try database.run("INSERT INTO TaskItem (text) VALUES (?) RETURNING id", text)[0][0]
    try database.run("INSERT INTO TaskList_items (owner, target) SELECT id, ? FROM TaskList LIMIT 1", id)
    try database.run("COMMIT")
    kept.insert(text)
  }

  private mutating func killObserver() throws {
    if Bool.random(using: &random) { return try killWindow(int(0...1)) }
    watch.kill()
    kills += 1
    watch = try WatchProcess(tasks, file: folder("tasks.db"))
  }

  private mutating func killWindow(_ index: Int) throws {
    kill(windows[index].process, SIGKILL)
    _ = try windows[index].waitForEnd()
    kills += 1
    windows[index] = try startWindow()
  }

  /// Deletes the tasks that are too many.
  private mutating func keepSmall() throws {
    let surplus = try database.run(
      "SELECT id, text FROM TaskItem ORDER BY random() LIMIT max(0, (SELECT count(*) FROM TaskItem) - ?)",
      "\(Self.mostTasks)")
    for row in surplus {
      try database.run("DELETE FROM TaskItem WHERE id = ?", row[0])
      kept.remove(row[1])
      completed.remove(row[1])
    }
  }

  // MARK: Comparing

  private func check() throws {
    // The last key has been dealt with.
    for window in windows { try window.waitForRest() }
    let problems =
      try database.run("PRAGMA integrity_check").map { $0.joined() }.filter { $0 != "ok" }
      + database.run("PRAGMA foreign_key_check").map { $0.joined(separator: " ") }
    guard problems.isEmpty else {
      throw PseudoWindow.Failure(description: "the file is damaged: \(problems)")
    }
    var rows = try fileRows()
    let texts = Set(rows.map(\.text))
    let done = Set(rows.filter(\.isCompleted).map(\.text))
    guard kept.isSubset(of: texts), completed.isSubset(of: done) else {
      throw PseudoWindow.Failure(
        description: "lost: \(kept.subtracting(texts).sorted()), \(completed.subtracting(done).sorted())")
    }
    for (number, window) in windows.enumerated() {
      try window.wait(for: "window \(number) to show \(rows.map(\.text))") { window in
        rows = try fileRows()
        return window.isAtRest && lines(window) == rows.map(\.text)
      }
    }
    // Keys that had not reached a window yet may still change the file: it is read anew.
    try watch.wait { try fileRows().map(\.id) }
  }

  private func fileRows() throws -> [ForeignDatabase.Row] {
    try database.lists().flatMap(\.tasks)
  }

  /// The texts of the rows that a window shows.
  private func lines(_ window: PseudoWindow) -> [String] {
    (1..<window.screen.lines - 1).map { line in
      String(window.screen.text(line: line).drop { !$0.isLetter }.prefix { $0.isLetter || $0.isNumber })
    }
    .filter { !$0.isEmpty }
  }
}

/// `tasks watch`, and the rows that follow from what it has printed.
private final class WatchProcess {
  private let process: ChildProcess
  private var rows: [Identifier]

  init(_ tasks: String, file: String) throws {
    process = try ChildProcess([tasks, "--file", file, "watch"])
    let initial = try #require(try process.readLine())
    rows = try JSONDecoder().decode(JSONInitial.self, from: Data(initial.utf8)).items.map(\.id)
  }

  func kill() { process.send(SIGKILL) }

  /// Reads what it prints until its rows are those of the file.
  func wait(forRowsOf file: () throws -> [String]) throws {
    while true {
      let expected = try file()
      if rows.map(\.description) == expected { return }
      guard process.waitForMore() else {
        throw PseudoWindow.Failure(
          description:
            "watch \(process.processID) shows \(rows) and says nothing more, in the file are \(expected)")
      }
      guard let line = try process.readLine() else {
        throw PseudoWindow.Failure(description: "watch has ended: \(try process.finish())")
      }
      rows = try JSONDecoder().decode(JSONUpdate.self, from: Data(line.utf8)).applied(to: rows)
    }
  }
}

private struct JSONInitial: Decodable {
  var items: [JSONRow]
}
