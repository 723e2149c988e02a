import Foundation
import Glibc
import Testing

@testable import TasksTUI

/// Keys beyond the plain ones, in real terminals: two windows of one person on one file.
@Suite("Commands, in tmux", .enabled(if: !TerminalProbe.isRequested), .serialized)
struct TerminalCommandTests {
  private let folder = TemporaryFolder()
  private let one: TasksWindow
  private let two: TasksWindow

  init() throws {
    // Its editor writes into the file that it is given.
    try "#!/bin/sh\nprintf 'from the editor\\n' >> \"$1\"\n".write(
      toFile: folder("editor"), atomically: true, encoding: .utf8)
    chmod(folder("editor"), 0o755)
    let environment = ["TZ": ChildProcess.zoneOfNoon, "EDITOR": folder("editor")]
    one = try TasksWindow(file: folder("tasks.db"), state: folder("state"), environment: environment)
    try one.add("Buy milk", "Call mother", "Plant a tree", "Read a book")
    two = try TasksWindow(
      file: folder("tasks.db"), state: folder("state"), width: 40, height: 10, environment: environment)
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
    try two.expect(text: "Undid")
    try two.strike("u", "u")
    try expect(["Buy milk", "Call mother", "Plant a tree", "Read a book"])
    try one.strike("C-r")
    try expect(["Plant a tree", "Read a book"])
    try one.strike("C-_")
    try expect(["Buy milk", "Call mother", "Plant a tree", "Read a book"])
  }

  @Test("Lines that are pasted are rows after a question; copied rows are in the clipboard of the terminal")
  func pastingAndCopying() throws {
    try one.window.paste("Wash up\nSleep")
    try one.expect(text: "2 lines: a row for each (y), or one for all (n)?")
    try one.strike("y")
    try expect(["Buy milk", "Call mother", "Plant a tree", "Read a book", "Wash up", "Sleep"])
    try one.strike("u")
    try expect(["Buy milk", "Call mother", "Plant a tree", "Read a book"])
    try one.window.tmux("set-option", "-g", "set-clipboard", "on")
    try one.strike("g", "2", "y")
    try one.expect(text: "Copied 2 rows.")
    try one.window.wait(for: "the clipboard") { _ in
      (try? one.window.tmux("show-buffer")) == "Buy milk\nCall mother"
    }
  }

  @Test("A list is sorted and its completed tasks hidden; what is due later is in a view of its own")
  func sortingAndHiding() throws {
    try one.strike("G", "D")
    try one.type("tomorrow 9:00")
    try one.strike("Enter")
    try expect(["Buy milk", "Call mother", "Plant a tree", "Read a book", "tomorrow 9:00"])
    try one.strike("s")
    try one.expect(text: "Sort by:")
    try one.type("due")
    try one.strike("Enter")
    try expect(["Read a book", "tomorrow 9:00", "Buy milk", "Call mother", "Plant a tree"])
    try two.strike("U")
    try two.wait {
      $0.contains("Upcoming") && $0.contains("1 task") && $0.contains("Tomorrow, ") && $0.contains("9:00")
    }
    try two.strike("h", "g", "x", ":")
    try two.type("hide")
    try two.strike("Enter")
    try two.expect(text: "others hidden")
    try two.wait { !$0.contains("Read a book") }
    try one.expect(["Buy milk", "Call mother", "Plant a tree", "Read a book", "tomorrow 9:00"])
    try one.strike("u")
    try two.expect(text: "Read a book")
  }

  @Test("A task waits, a list is kept sorted and a search has a name, in both windows")
  func listProperties() throws {
    try one.strike("g", "W")
    try one.type("tomorrow 9:00")
    try one.strike("Enter")
    try expect(["Call mother", "Plant a tree", "Read a book"])
    try two.expect(text: "3 open, 1 waiting")
    try one.strike(":")
    try one.type("keep-sorted text")
    try one.strike("Enter")
    try two.expect(text: "by text")
    try two.strike("a")
    try two.type("Ask Ben")
    try two.strike("Enter")
    try expect(["Ask Ben", "Call mother", "Plant a tree", "Read a book"])
    try one.strike(":")
    try one.type("color green")
    try one.strike("Enter")
    try two.window.wait(for: "green rows") { _ in
      let screen = try two.window.styledScreen()
      return screen.contains("48;5;114m") || screen.contains("48;5;151m") || screen.contains("48;5;150m")
    }
    try one.strike("/")
    try one.type("call")
    try one.expect(text: "1 match")
    try one.strike("Enter", ":")
    try one.type("save-search Calls")
    try one.strike("Enter")
    try one.expect(text: "finds “call” as “Calls”")
    try two.strike("F")
    try two.expect(text: "Calls")
    try two.strike("Enter")
    try two.expect(text: "1 match")
  }

  @Test("What is done and cleared is in the views of it, and comes back")
  func archive() throws {
    try one.strike("g", "x")
    try one.strike(":")
    try one.type("done")
    try one.strike("Enter")
    try one.wait { $0.contains("Done") && $0.contains("Buy milk") && $0.contains("Today, ") }
    try one.strike("h", "C")
    try one.expect(text: "Cleared “Buy milk”. u brings it back, :archive shows it.")
    try two.expect(["Call mother", "Plant a tree", "Read a book"])
    try two.strike(":")
    try two.type("archive")
    try two.strike("Enter")
    try two.wait { $0.contains("Archive") && $0.contains("1 task") && $0.contains("Buy milk") }
    try two.strike("Space")
    try two.expect(text: "Brought “Buy milk” back")
    try one.expect(["Call mother", "Plant a tree", "Read a book", "Buy milk"])
    try two.strike("u")
    try two.expect(text: "Buy milk")
  }

  @Test("Help is searched as one types")
  func help() throws {
    try one.strike("?", "/")
    try one.type("undo")
    try one.wait { $0.contains("Keys: undo") && $0.contains("Undo what you did last") }
    try one.wait { !$0.contains("Move down") && $0.contains("/undo") }
    try one.strike("Enter", "q")
    try expect(["Buy milk", "Call mother", "Plant a tree", "Read a book"])
  }

  @Test("Completed rows go on top of the completed ones where that is wanted")
  func completed() throws {
    try one.strike(":")
    try one.type("set completed top")
    try one.strike("Enter", "g", "x", "x")
    try expect(["Plant a tree", "Read a book", "Call mother", "Buy milk"])
    try two.strike("g", "x")
    try expect(["Read a book", "Call mother", "Buy milk", "Plant a tree"])
  }

  @Test("A date that is typed in one window appears in both, also in a text that another program writes")
  func dates() throws {
    try one.add("Eat dinner at 11:59pm", "Sleep in")
    try expect([
      "Buy milk", "Call mother", "Plant a tree", "Read a book", "Eat dinner at 11:59pm", "today 23:59",
      "Sleep in",
    ])
    try one.strike("D")
    try one.expect(text: "Due:")
    try one.type("yesterday 9:00")
    try one.strike("Enter")
    try two.expect(text: "overdue, yesterday 9:00")
    try two.strike("T")
    try two.expect(text: "Today")
    try two.wait {
      $0.contains("Sleep in") && $0.contains("overdue, yesterday") && $0.contains("today 23:59")
    }
    let update = "update TaskItem set text = 'Read a book today at 23:58' where text = 'Read a book'"
    #expect(try ChildProcess.run(["sqlite3", folder("tasks.db"), update]).status == 0)
    try two.expect(text: "today 23:58")
    // A date that was removed by hand stays away.
    try one.strike("D", "Enter")
    try one.expect(text: "is without a date now.")
    try one.strike("e")
    try one.type(" today at 9pm")
    try one.strike("Enter")
    try one.add("Rest at 11:57pm")
    try two.expect(text: "today 23:57")
    try one.wait { !$0.contains("21:00") && $0.contains("Sleep in today") }
    // The window that has the other beside it is killed: its worker's work is gone on with.
    try two.window.tmux("kill-server")
    try one.add("Wake at 11:56pm")
    try one.expect(text: "today 23:56")
  }

  @Test(
    "A task that repeats: typed in its text or asked for, completed in one window, taken back in the other")
  func repeating() throws {
    try one.strike("g", "2", "d")
    try one.add("Water plants every day")
    let rows = ["Plant a tree", "Read a book"]
    try expect(rows + ["Water plants every day", "today ↻"])
    try one.strike("Space")
    try expect(rows + ["Water plants every day", "tomorrow ↻", "Water plants every day", "today"])
    try one.expect(text: "comes again: tomorrow.")
    try two.strike("u")
    try expect(rows + ["Water plants every day", "today ↻"])
    try two.strike("C-r")
    // Its message takes two of the ten lines until the next key.
    try two.expect(text: "Redid: completing")
    try two.strike("Escape")
    try expect(rows + ["Water plants every day", "tomorrow ↻", "Water plants every day", "today"])
    try one.strike("g", "R")
    try one.expect(text: "Repeat:")
    try one.type("after 3 days")
    try one.expect(text: "if done that day")
    try one.strike("Enter")
    try two.expect(
      ["Plant a tree", "today ↻"] + rows.dropFirst() + [
        "Water plants every day", "tomorrow ↻", "Water plants every day", "today",
      ])
    try two.strike(":")
    try two.type("repeat")
    try two.strike("Enter")
    try two.expect(text: "Repeat")
    try two.type("never")
    try two.strike("Enter")
    try two.expect(text: "That is no repetition")
  }

  @Test("Notes, in place and in the editor; tags over all lists; priorities: in both windows")
  func details() throws {
    try one.strike("g", "c")
    try one.expect(text: "Ctrl-S save")
    try one.type("two litres")
    try one.strike("Enter")
    try one.type("of it")
    try one.strike("C-s")
    try two.wait { $0.contains("Buy milk") && $0.contains("≡") }
    try two.strike("g", "j", "E")
    try one.wait { $0.split(separator: "≡", omittingEmptySubsequences: false).count == 3 }
    try one.strike("j", "c")
    try one.expect(text: "from the editor")
    // The other window has its terminal back.
    try two.expect(text: "My Tasks")
    try one.strike("Escape")
    try one.expect(text: "My Tasks")
    try one.strike("+", "+")
    try two.wait { $0.contains(" B ") }
    try two.strike("#")
    try two.wait { $0.contains("Tag:") && $0.contains("No task has a tag") }
    // The letters are a tag still, never commands.
    try two.type("home")
    try one.add("Sweep the floor #home")
    try two.wait { $0.contains("Tag: home") && $0.contains("#home") && $0.contains("1 task") }
    try two.strike("Enter")
    try two.wait { $0.contains("1 task") && $0.contains("Sweep") }
    try one.add("Paint the door #home")
    try two.expect(text: "2 tasks")
    try two.strike("Space")
    try one.wait { $0.contains("5 open") }
    try two.strike("u")
    try two.strike("Escape")
    try one.wait { $0.contains("6 open") }
    try two.expect(text: "My Tasks")
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
    // Its text is in sight before it is stored; this key is handled after that.
    try two.strike("j")
    try two.expect(text: "↓ a adds a row here")
    try one.strike("Tab", "j", "Tab", ">")
    try one.type("w")
    try one.expect(text: "Move to list: w")
    try one.strike("Enter")
    try one.expect(["Call mother", "Read a book"])
    try two.strike("Enter")
    try two.expect(["Buy milk", "Plant a tree"])
  }

  @Test("A key without a meaning says so, and the ends of a list say what is beyond them")
  func unknownKeyAndEnds() throws {
    try one.strike("Q")
    try one.expect(text: "Q does nothing; ? shows the keys that do.")
    try one.strike("g", "k")
    try one.expect(text: "↑ A adds a row on top, h goes back to the lists")
    try one.strike("G", "j")
    try one.expect(text: "↓ a adds a row here")
    try one.strike("x", "G", "j")
    try one.expect(text: "↓ C clears the completed rows")
    try one.strike("n")
    try one.expect(text: "Nothing has been searched for yet; / searches.")
    try expect(["Buy milk", "Call mother", "Plant a tree", "Read a book"])
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

  @Test("A tag is completed while it is typed, and a priority in a text is one, in both windows")
  func completing() throws {
    try one.strike("a")
    try one.type("Mow the lawn #garden")
    try one.strike("Enter")
    // The text is in sight before its tags have been read.
    let database = try ForeignDatabase(folder("tasks.db"))
    try two.wait {
      try $0.contains("Mow the lawn")
        && !database.run("SELECT id FROM TaskItem WHERE tags LIKE '% garden %'").isEmpty
    }
    try two.strike("a")
    try two.type("Sow beans !B #ga")
    try two.strike("Tab")
    try two.expect(text: "Sow beans !B #garden")
    try two.strike("Enter")
    try one.wait { screen in
      screen.split(separator: "\n").contains {
        $0.contains("Sow beans") && $0.contains("#garden") && $0.hasSuffix(" B")
      }
    }
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
