import Foundation
import Glibc
import TasksModel
import TestSupport
import Testing

@testable import TasksTUI

/// One run of the program: what is sent to it, and what it must be like afterwards.
final class RandomDrive {
  struct Fault: Error, CustomStringConvertible {
    var description: String
  }

  var random: SeededGenerator
  let folder = TemporaryFolder()
  private(set) var window: PseudoWindow
  let database: ForeignDatabase
  private let peer: ChildProcess
  private let tasks: String
  /// The input that was sent last, for finding a fault.
  private var journal: [String] = []

  /// No more rounds than this in one file.
  private static let mostRounds = 60
  private static let size = (columns: 90, lines: 120)

  init(_ random: SeededGenerator) throws {
    self.random = random
    tasks = ChildProcess.tasks
    let filled = try ChildProcess.run(
      [tasks, "--file", folder("tasks.db"), "add", "-"], input: "one\ntwo\nthree\nfour\nfive\n")
    try #require(filled.status == 0, "\(filled.errors)")
    database = try ForeignDatabase(folder("tasks.db"))
    let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    peer = try ChildProcess(
      [executable, "--testing-library", "swift-testing", "--filter", "TerminalPeer"],
      environment: ["TASKS_TERMINAL_PEER": folder("tasks.db")])
    window = try PseudoWindow.resuming(tasks, in: folder)
    while try peer.readLine() != "peer: ready" {}
    try window.wait(for: "the app") { $0.screen.modes.contains(2004) && $0.isAtRest }
  }

  /// - Returns: How many rounds there were.
  func run(until end: ContinuousClock.Instant) throws -> Int {
    var rounds = 0
    do {
      repeat {
        rounds += 1
        try storm()
        try calm()
        for _ in 0..<Int.random(in: 0...3, using: &random) { try aim() }
      } while ContinuousClock.now < end && rounds < Self.mostRounds
      window.send("q")
      try expectEnd()
    } catch {
      if let path = ProcessInfo.processInfo.environment["TASKS_SOAK_OUTPUT"] {
        try Data(window.formerOutput + window.output).write(to: URL(filePath: path))
      }
      throw Fault(
        description:
          "\(error)\nthe last input: \(journal.suffix(120).joined(separator: " "))\n\(window.screen.text)")
    }
    return rounds
  }

  // MARK: Sending

  func note(_ text: String) {
    journal.append(text)
    if journal.count > 1000 { journal.removeFirst(500) }
  }

  func send(_ bytes: [UInt8]) {
    note(String(decoding: bytes, as: UTF8.self).debugDescription)
    window.send(bytes)
  }

  private func storm() throws {
    let asksPeer = Int.random(in: 0..<3, using: &random) > 0
    note("storm")
    if asksPeer { tell("any", Int.random(in: 1...20, using: &random)) }
    for _ in 0..<Int.random(in: 1...60, using: &random) {
      switch RandomInput.event(&random) {
      case .bytes(let bytes): send(bytes)
      case .size(let columns, let lines): resize(columns, lines)
      case .signal(let signal):
        note("signal \(signal)")
        let process = window.foreground
        if process > 0, process != window.process { kill(process, signal) }
      }
      // Sometimes there is time for a frame, sometimes not.
      switch Int.random(in: 0..<6, using: &random) {
      case 0: window.read(for: Int32.random(in: 0..<40, using: &random))
      case 1...3: window.read(for: 0)
      default: break
      }
      if Int.random(in: 0..<12, using: &random) == 0 { _ = try writeForeign(isAny: true) }
      if window.hasHungUp { break }
    }
    if asksPeer { _ = try report() }
    if window.hasHungUp { try restart() }
  }

  private func resize(_ columns: Int, _ lines: Int) {
    note("size \(columns)x\(lines)")
    window.resize(columns: columns, lines: lines)
  }

  /// It may have been told to quit; it may not have ended in any other way.
  private func restart() throws {
    try expectEnd()
    note("start")
    window = try PseudoWindow.resuming(tasks, in: folder)
    try window.wait(for: "the app") { $0.screen.modes.contains(2004) && $0.isAtRest }
  }

  private func expectEnd() throws {
    let status = try window.waitForEnd()
    let errors = (try? String(contentsOfFile: folder("errors"), encoding: .utf8)) ?? ""
    guard status == 0, errors.isEmpty else {
      throw Fault(description: "it ended with status \(status) and said “\(errors)”")
    }
    let left = window.screen.modes.symmetricDifference([7, 25])
    guard left.isEmpty else { throw Fault(description: "the terminal is left in other modes: \(left)") }
  }

  // MARK: Others

  func tell(_ kind: String, _ count: Int) {
    note("peer \(kind) \(count)")
    peer.write(Array("\(kind) \(count) \(UInt64.random(in: 0...UInt64.max, using: &random))\n".utf8))
  }

  /// The peer's work since it was told.
  func report() throws -> Set<String> {
    var touched: Set<String> = []
    while let line = try peer.readLine() {
      if line == "peer: done" { return touched }
      if line.hasPrefix("peer: touched ") { touched.insert(String(line.dropFirst("peer: touched ".count))) }
    }
    throw Fault(description: "the peer has ended: \(try peer.finish())")
  }

  /// Something that a program writes that knows only SQLite.
  ///
  /// - Returns: The rows that it was about.
  func writeForeign(isAny: Bool) throws -> Set<String> {
    let rows = try database.run("SELECT id FROM TaskItem ORDER BY random() LIMIT 1")
    guard let id = rows.first?[0] else { return [] }
    let number = Int.random(in: 0..<(isAny ? 7 : 3), using: &random)
    note("sql \(number)")
    switch number {
    case 0:
      try database.run(
        "UPDATE TaskItem SET text = ? WHERE id = ?", "s\(Int.random(in: 0..<99999, using: &random))", id)
    case 1: try database.run("UPDATE TaskItem SET completed = NOT completed WHERE id = ?", id)
    case 2: try database.run("DELETE FROM TaskItem WHERE id = ?", id)
    case 3: try database.run("UPDATE TaskItem SET text = '' WHERE id = ?", id)
    case 4: try database.run("UPDATE TaskItem SET completed = 1 - completed")
    case 5:
      try database.run(
        "UPDATE TaskList_items SET position = coalesce((SELECT position FROM TaskList_items WHERE target = "
          + "?), position) WHERE target = (SELECT id FROM TaskItem ORDER BY random() LIMIT 1)",
        id)
    default:
      try database.run("BEGIN IMMEDIATE")
      let new = try database.run("INSERT INTO TaskItem (text) VALUES ('plain sql') RETURNING id")[0][0]
      try database.run(
        "INSERT INTO TaskList_items (owner, target) SELECT id, ? FROM TaskList ORDER BY random() LIMIT 1", new
      )
      try database.run("COMMIT")
      return [id, new]
    }
    return [id]
  }

  // MARK: Calm

  /// Brings the program to the screen of lists, whatever it is in the middle of, and compares everything.
  private func calm() throws {
    note("calm")
    try keepSmall()
    resize(Self.size.columns, Self.size.lines)
    // The end of a paste that has only begun; then all that can be left.
    send(Array("\u{1B}[201~".utf8) + Array(repeating: 7, count: 12))
    // Ctrl-C would end it by a signal: it may be quitting.
    try settle()
    // Stopped by a Ctrl-Z within a sequence, the program drops the input that follows, which may be this.
    send(Array(repeating: 7, count: 12))
    try settle()
    if window.hasHungUp {
      try restart()
      resize(Self.size.columns, Self.size.lines)
      send(Array(repeating: 7, count: 12))
      try settle()
    }
    // From subtasks it is two steps to the lists, and more where what is due has led to a list.
    send(
      Array("hhhhhhhhhh:set glyphs unicode\r:set animation off\r:set hide-completed off\rg".utf8))
    try settle()
    // A name that was being typed may have been kept.
    let frames = window.screen.frames
    if try keepPlain() > 0 {
      try window.wait(for: "names cut short") { $0.screen.frames > frames && $0.isAtRest }
    }
    try expectListsLikeFile()
    try repaint()
    let lists = try database.lists()
    guard let index = lists.indices.randomElement(using: &random) else { return }
    send(Array("\(index + 1)gl".utf8))
    try expectTasksLikeFile(lists[index].id)
    try repaint()
    try expectViewLikeFile()
    // Into the list again, at whose rows keys are aimed.
    send(Array("hhhhhhhhhhg\(index + 1)gl".utf8))
    try expectTasksLikeFile(lists[index].id)
  }

  /// Not too many rows.
  private func keepSmall() throws {
    try keepPlain()
    for (table, most) in [("TaskItem", 40), ("TaskList", 12)] {
      let surplus =
        "SELECT id FROM \(table) ORDER BY id LIMIT max(0, (SELECT count(*) FROM \(table)) - \(most))"
      try database.run("DELETE FROM \(table) WHERE id IN (\(surplus))")
    }
  }

  /// Rows with texts that fit into a line: what is compared are rows and not the wrapping.
  ///
  /// - Returns: The number of lists whose names were cut short.
  @discardableResult
  private func keepPlain() throws -> Int {
    let long = try database.run("SELECT count(*) FROM TaskList WHERE length(text) > 30")
    for table in ["TaskItem", "TaskList"] {
      // Seven less than may be there: more than a letter with marks has, so that something else is seen.
      try database.run("UPDATE \(table) SET text = substr(text, 1, 23) WHERE length(text) > 30")
    }
    // Subtasks, and tasks whose list another program has deleted, are in no list.
    try database.run("DELETE FROM TaskItem WHERE id NOT IN (SELECT target FROM TaskList_items)")
    return Int(long[0][0]) ?? 0
  }

  /// Waits until all that was sent has been dealt with.
  func settle() throws {
    try window.wait(for: "rest") { $0.isAtRest || $0.hasHungUp }
  }

  /// Has everything painted anew, which also answers that all keys before have been dealt with, and compares
  /// the two pictures, but for what was said of the last key.
  func repaint() throws {
    try settle()
    let erasures = window.screen.erasures
    let before = window.screen.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    send([0x0C])
    try window.wait(for: "a repaint after Ctrl-L") { $0.screen.erasures > erasures && $0.isAtRest }
    let after = window.screen.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    for (old, new) in zip(before, after) where old != new {
      throw Fault(description: "painted anew it looks otherwise: “\(old)” was painted for “\(new)”")
    }
  }

  // MARK: Comparing

  private func expectListsLikeFile() throws {
    try expect("Lists") {
      let lists = try database.lists().map { list in
        RandomPicture.Line(
          text: RandomPicture.essence("\(list.text)\(list.tasks.count { !$0.isCompleted })"),
          isStruck: list.isCompleted)
      }
      return (RandomPicture.essence("Lists"), lists)
    }
  }

  private func expectTasksLikeFile(_ id: String) throws {
    try expect("the tasks of a list") {
      guard let list = try database.lists().first(where: { $0.id == id }) else {
        throw Fault(description: "the list \(id) is gone")
      }
      let tasks = list.tasks.flatMap { task in
        let text = RandomPicture.essence(task.text + task.priority)
        let line = RandomPicture.Line(text: text, isStruck: task.isCompleted)
        // In whichever words.
        let hasDate = !task.date.isEmpty || !task.repetition.isEmpty
        return hasDate ? [line, RandomPicture.Line(text: nil, isStruck: false)] : [line]
      }
      return (RandomPicture.title(of: list), tasks)
    }
  }

  /// Waits until the window shows what the file holds. (What is counted or read in the background arrives
  /// when it does.)
  private func expect(_ what: String, _ expected: () throws -> (title: String, rows: [RandomPicture.Line]))
    throws
  {
    var last: (title: String, rows: [RandomPicture.Line]) = ("", [])
    do {
      try window.wait(for: what) { window in
        // With the bottom line where it is in this size.
        guard window.isAtRest, !window.screen.text(line: window.screen.lines - 1).isEmpty else {
          return false
        }
        // A text that was being typed may have been kept meanwhile, and what was deleted brought back.
        if try keepPlain() > 0 { return false }
        last = try expected()
        return RandomPicture.essence(window.screen.text(line: 0)) == last.title
          // With the cursor on the first, where the last key has put it.
          && (last.rows.isEmpty
            || RandomPicture.agree(RandomPicture.lines(of: window.screen), last.rows)
              && window.screen.text(line: 1).hasPrefix("›"))
      }
    } catch {
      let words = last.rows.map { "\($0.isStruck ? "x " : "")\($0.text ?? "a date")" }
      throw Fault(
        description: "it should show \(last.title):\n\(words.joined(separator: "\n"))\n--- \(error)")
    }
  }
}
