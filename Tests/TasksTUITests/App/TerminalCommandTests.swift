import Testing

@testable import TasksTUI

/// What keys beyond the plain ones do, in real terminals: two windows of one person on one file.
@Suite("Commands, in tmux", .enabled(if: !TerminalProbe.isRequested), .serialized)
struct TerminalCommandTests {
  private let folder: TemporaryFolder
  private let one: TasksWindow
  private let two: TasksWindow

  init() throws {
    folder = try TemporaryFolder()
    one = try TasksWindow(file: folder("tasks.db"), state: folder("state"))
    try one.add("Buy milk", "Call mother", "Plant a tree", "Read a book")
    two = try TasksWindow(file: folder("tasks.db"), state: folder("state"), width: 40, height: 10)
    try expect(["Buy milk", "Call mother", "Plant a tree", "Read a book"])
  }

  private func expect(_ rows: [String]) throws {
    try one.expect(rows)
    try two.expect(rows)
  }

  @Test("Counts, a repetition, and undo in the other window")
  func countsAndUndo() throws {
    try one.strike("g", "2", "d")
    try expect(["Plant a tree", "Read a book"])
    try one.strike("x", ".")
    try one.expect(text: "0 open")
    try two.strike("u")
    try two.expect(text: "Undone")
    try two.strike("u", "u")
    try expect(["Buy milk", "Call mother", "Plant a tree", "Read a book"])
    try one.strike("C-r")
    try expect(["Plant a tree", "Read a book"])
    try one.strike("C-_")
    try expect(["Buy milk", "Call mother", "Plant a tree", "Read a book"])
  }

  @Test("A lifted row is seen to travel in the other window, and goes back at Esc")
  func lift() throws {
    try one.strike("g", "m", "j", "j")
    try expect(["Call mother", "Plant a tree", "Buy milk", "Read a book"])
    try one.expect(text: "↕ Buy milk")
    try one.strike("Escape")
    try expect(["Buy milk", "Call mother", "Plant a tree", "Read a book"])
    try one.strike("m", "G", "Enter")
    try expect(["Call mother", "Plant a tree", "Read a book", "Buy milk"])
  }

  @Test("A range is completed and taken back; marked rows go to another list by its name")
  func several() throws {
    try one.strike("g", "v", "j")
    try one.expect(text: "2 marked")
    try one.strike("x")
    try expect(["Plant a tree", "Read a book", "Buy milk", "Call mother"])
    try one.strike("u")
    try expect(["Buy milk", "Call mother", "Plant a tree", "Read a book"])
    try two.strike("h")
    try two.expect(text: "Lists")
    try two.add("Work")
    try two.expect(text: "Work")
    try one.strike("Tab", "j", "Tab", ">")
    try one.type("w")
    try one.expect(text: "Move to list: w")
    try one.strike("Enter")
    try one.expect(["Call mother", "Read a book"])
    try two.strike("Enter")
    try two.expect(["Buy milk", "Plant a tree"])
  }

  @Test("Everything can be reached by its name, which Tab completes")
  func commandLine() throws {
    try one.strike("g", ":")
    try one.type("add-on")
    try one.expect(text: "Add a row on top")
    try one.strike("Tab")
    try one.type("Water the flowers")
    try one.strike("Enter")
    try expect(["Water the flowers", "Buy milk", "Call mother", "Plant a tree", "Read a book"])
    try one.strike(":")
    try one.type("2 delete")
    try one.strike("Enter")
    try expect(["Call mother", "Plant a tree", "Read a book"])
    try one.strike(":")
    try one.type("quit")
    try one.strike("Enter")
  }

  @Test("A search in one window follows what the other writes, and Enter goes to what was found")
  func search() throws {
    try one.strike("/")
    try one.type("MILK")
    try one.expect(["Buy milk"])
    try two.add("Milk the cow")
    try one.expect(["Buy milk", "Milk the cow"])
    try one.expect(text: "2 matches")
    try one.strike("Down", "Enter")
    try expect(["Buy milk", "Call mother", "Plant a tree", "Read a book", "Milk the cow"])
    try one.expect(text: "› Milk the cow")
    try one.strike("n")
    try one.expect(text: "› Buy milk")
  }
}
