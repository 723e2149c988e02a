import Glibc
import TerminalEmulator
import Testing

@testable import TasksTUI

/// Nothing is lost by a reflex, or with the window.
@Suite("Typed texts and lists full of tasks are not lost, in a terminal")
struct TerminalKeepingTests {
  private let folder = TemporaryFolder()
  private let tasks = ChildProcess.tasks

  init() throws {
    let filled = try ChildProcess.run([tasks, "--file", folder("tasks.db"), "add", "-"], input: "one\ntwo\n")
    try #require(filled.status == 0, "\(filled.errors)")
  }

  private func open() throws -> PseudoWindow {
    try PseudoWindow(
      tasks, ["--file", folder("tasks.db"), "--no-animation"], in: folder.path)
  }

  private var listed: String {
    get throws { try ChildProcess.run([tasks, "--file", folder("tasks.db"), "list"]).output }
  }

  private static let offer = "You were typing this when the window closed. Enter keeps it, Esc drops it."

  @Test("Ctrl-C ends the typing as Esc does, and Ctrl-Y brings the text back; at rest it leaves")
  func interrupt() throws {
    let window = try open()
    try window.wait(forText: "two")
    try window.strike("a")
    window.send("Buy milk")
    try window.wait(forText: "Buy milk")
    try window.waitForRest()
    try window.strike("C-c")
    try window.wait(forText: "Not saved; Ctrl-Y in a row brings back what you typed.")
    try window.strike("a")
    try window.wait(forText: "Esc")
    try window.strike("C-y", "Enter")
    try window.wait(forText: "Buy milk")
    try window.waitForRest()
    #expect(try listed == "[ ] one\n[ ] two\n[ ] Buy milk\n")
    try window.strike("?")
    try window.wait(forText: "Keys")
    try window.waitForRest()
    try window.strike("C-c")
    try window.wait(forText: "Space complete")
    try window.waitForRest()
    try window.strike("C-c")
    #expect(try window.waitForEnd() == 128 + SIGINT)
  }

  @Test(
    "A signal that ends the window leaves the text to the next start", arguments: [SIGHUP, SIGTERM, SIGKILL])
  func ended(signal: Int32) throws {
    let window = try open()
    try window.wait(forText: "two")
    try window.strike("e")
    window.send(" and a half")
    try window.wait(forText: "one and a half")
    kill(window.process, signal)
    #expect(try window.waitForEnd() == 128 + signal)

    let next = try open()
    try next.wait(forText: Self.offer)
    #expect(next.screen.text(line: 1).contains("one and a half"))
    // It is offered once, and to one window.
    let other = try open()
    try other.wait(forText: "two")
    #expect(!other.screen.text.contains("half"))
    try next.strike("Enter")
    try other.wait(forText: "one and a half")
    #expect(try listed == "[ ] one and a half\n[ ] two\n")
  }

  @Test("So does a terminal that is closed; the text of a row that is gone becomes a new one")
  func closed() throws {
    let folder = folder
    var terminal: PseudoTerminal? = try PseudoTerminal(columns: 80, lines: 24)
    let process = try #require(
      try terminal?.start(
        tasks, ["--file", folder("tasks.db"), "--no-animation"],
        environment: ["TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": folder.path]))
    var parser = ScreenParser(columns: 80, lines: 24)
    var sent = false
    var bytes = [UInt8](repeating: 0, count: 4096)
    while !parser.text.contains("one!"), let descriptor = terminal?.descriptor {
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else { break }
      parser.feed(bytes[..<count])
      if !sent, parser.text.contains("two") {
        sent = true
        _ = terminal?.send(Array("e!".utf8)[...])
      }
    }
    terminal = nil
    process.waitForEnd()
    let gone = try ChildProcess.run(
      ["sqlite3", folder("tasks.db"), "DELETE FROM TaskItem WHERE text = 'one'"])
    try #require(gone.status == 0)
    let next = try open()
    try next.wait(forText: Self.offer)
    try next.strike("Enter")
    try next.waitForRest()
    #expect(try listed.contains("[ ] one!\n"))
  }

  @Test(
    "A new row is offered where it was typed: between others, on top, above one, and in Today, for today",
    arguments: [
      (["o"], "one\nnew\ntwo"), (["j", "O"], "one\nnew\ntwo"), (["A"], "new\none\ntwo"),
      (["a"], "one\ntwo\nnew"), (["T", "a"], "one\ntwo\nnew"),
    ])
  func place(keys: [String], expected: String) throws {
    let window = try open()
    try window.wait(forText: "two")
    for key in keys {
      try window.strike(key)
      try window.waitForRest()
    }
    window.send("new")
    try window.wait(forText: "new")
    kill(window.process, SIGHUP)
    #expect(try window.waitForEnd() == 128 + SIGHUP)
    let next = try open()
    try next.wait(forText: Self.offer)
    let isToday = keys[0] == "T"
    #expect(next.screen.text(line: 0).contains(isToday ? "Today" : "My Tasks"))
    try next.strike("Enter")
    try next.waitForRest()
    #expect(try listed.replacing("[ ] ", with: "").hasPrefix(expected))
    let today = try ChildProcess.run([tasks, "--file", folder("tasks.db"), "list", "--today"])
    #expect(today.output.contains("new") == isToday)
  }

  @Test("A row of Today is offered in Today, and in its list if it is not due today any more")
  func rowOfToday() throws {
    func run(_ arguments: String...) throws {
      try #require(ChildProcess.run([tasks, "--file", folder("tasks.db")] + arguments).status == 0)
    }
    try run("edit", "two", "--due", "today")
    for (isDue, title, word) in [(true, "Today", " again"), (false, "My Tasks", " later")] {
      let window = try open()
      try window.wait(forText: "two")
      try window.strike("T")
      try window.waitForRest()
      try window.strike("e")
      window.send(word)
      try window.wait(forText: word)
      kill(window.process, SIGHUP)
      #expect(try window.waitForEnd() == 128 + SIGHUP)
      if !isDue { try run("edit", "two", "--due", "none") }
      let next = try open()
      try next.wait(forText: Self.offer)
      #expect(next.screen.text(line: 0).contains(title))
      #expect(next.screen.text.contains(word))
      try next.strike("Enter")
      try next.waitForRest()
      #expect(try listed.contains(isDue ? "two again" : "two again later"))
      #expect(next.screen.text(line: 0).contains(title))
    }
  }

  @Test("A note that was being written is offered too")
  func note() throws {
    let window = try open()
    try window.wait(forText: "two")
    try window.strike("j", "c")
    window.send("Call first")
    try window.wait(forText: "Call first")
    kill(window.process, SIGTERM)
    #expect(try window.waitForEnd() == 128 + SIGTERM)
    let next = try open()
    try next.wait(forText: "You were typing this when the window closed. Ctrl-S keeps it, Esc drops it.")
    try next.strike("C-s")
    try next.wait(forText: "2 open")
    try next.waitForRest()
    let json = try ChildProcess.run([tasks, "--file", folder("tasks.db"), "list", "--json"]).output
    #expect(json.contains(#""text":"two""#) && json.contains(#""notes":"Call first""#), "\(json)")
  }

  @Test("Deleting a list tells what went with it; completing or clearing one with open tasks asks first")
  func lists() throws {
    let window = try open()
    try window.wait(forText: "two")
    try window.strike("h")
    try window.wait(forText: "Lists")
    try window.strike("d")
    try window.wait(forText: "Deleted “My Tasks” with 2 tasks. u brings them back.")
    try window.strike("u")
    try window.wait(forText: "My Tasks")
    try window.strike("Space")
    try window.wait(forText: "“My Tasks” has 2 open tasks. Complete it? (y/n)")
    try window.strike("n")
    try window.wait(forText: "Nothing was changed.")
    #expect(try completedLists == 0)
    try window.strike("Space")
    try window.wait(forText: "(y/n)")
    try window.strike("y")
    try window.wait(forText: "Enter open")
    #expect(try completedLists == 1)
    try window.strike("C")
    try window.wait(forText: "1 completed list has 2 open tasks. Clear it? (y/n)")
    try window.strike("Esc")
    try window.wait(forText: "Nothing was changed.")
    try window.strike("C")
    try window.wait(forText: "(y/n)")
    try window.strike("y")
    try window.wait(forText: "Cleared “My Tasks” with 2 tasks. u brings them back,")
    try window.strike("u")
    try window.wait(forText: "My Tasks")
    try window.waitForRest()
    #expect(try listed == "[ ] one\n[ ] two\n")
  }

  private var completedLists: Int {
    get throws {
      let count = try ChildProcess.run(
        ["sqlite3", folder("tasks.db"), "SELECT count(*) FROM TaskList WHERE completed"])
      return Int(count.output.dropLast()) ?? -1
    }
  }

  @Test("Esc at rest leads nowhere; from the tasks of all lists it goes back")
  func escape() throws {
    let window = try open()
    try window.wait(forText: "two")
    try window.strike("Esc")
    try window.waitForRest()
    try window.strike("C-g", "C-l")
    try window.waitForRest()
    #expect(window.screen.text(line: 0).contains("My Tasks"))
    try window.strike("T")
    try window.wait(forText: "Today")
    try window.strike("Esc")
    try window.wait(forText: "2 open")
  }
}
