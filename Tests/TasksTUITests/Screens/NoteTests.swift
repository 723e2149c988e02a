import FoundationEssentials
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI

@Suite("Notes on a task")
struct NoteTests {
  @Test("c opens the note, Ctrl-S keeps it, Esc does not; the row has a mark")
  func note() throws {
    let app = try AppHarness(["a", "b"])
    try app.press("j", "c")
    #expect(app.title.hasPrefix("b") && app.title.hasSuffix("note") && app.status.hasPrefix("Ctrl-S save"))
    app.type("two")
    try app.press("Enter")
    app.type("lines j")
    _ = app.app.handle(.paste(" and\nmore"))
    try app.press("C-s")
    #expect(app.tasks[1].notes == "two\nlines j and\nmore" && app.title.hasPrefix("My Tasks"))
    #expect(
      app.texts[2].hasSuffix("≡") && !app.texts[1].hasSuffix("≡") && app.selected?.hasPrefix("b") == true)
    try app.press("c")
    #expect(app.rows.count == 3)
    app.type("x")
    try app.press("Esc")
    #expect(app.tasks[1].notes == "two\nlines j and\nmore")
    try app.press("u")
    #expect(app.tasks[1].notes == "" && !app.texts[2].hasSuffix("≡"))
  }

  @Test("What somebody else has written meanwhile is told before it is overwritten")
  func conflict() throws {
    let app = try AppHarness(["a"], width: 70)
    let id = app.tasks[0].id
    try app.press("c")
    app.type("mine")
    try app.other().setNotes(id, to: "theirs")
    try app.press("C-s")
    #expect(app.status.hasPrefix("Changed elsewhere to “theirs”.") && app.tasks[0].notes == "theirs")
    try app.press("C-s")
    #expect(app.tasks[0].notes == "mine" && app.title.hasPrefix("My Tasks"))
    try app.press("c")
    app.type("!")
    try app.other().delete([id], in: RowScope(app.place))
    try app.press("C-s")
    #expect(app.status.hasPrefix("The task has been deleted elsewhere"))
    try app.press("a", "C-y", "Enter")
    #expect(app.tasks.map(\.text) == ["mine!"])
    // The list goes, and what is open goes with it.
    try app.press("c")
    try app.other().delete([TaskList.firstListID], in: RowScope(.lists))
    try app.settle()
    #expect(app.title.hasPrefix("Lists"))
  }

  @Test("What somebody else writes is shown at once where nothing is typed; where something is, that is told")
  func elsewhere() throws {
    let app = try AppHarness(["a"], width: 70)
    let (id, other) = (app.tasks[0].id, try app.other())
    try other.setNotes(id, to: "one\ntwo")
    try app.settle()
    try app.press("c", "Up")
    try other.setNotes(id, to: "one\nand two\nthree")
    try app.settle()
    #expect(app.rows == ["one", "and two", "three"] && app.frame.cursor?.line == 1)
    #expect(app.status == "The note has just been changed elsewhere.")
    app.type("!")
    try other.setNotes(id, to: "theirs")
    try app.settle()
    #expect(app.rows == ["one!", "and two", "three"])
    #expect(app.status.hasPrefix("Changed elsewhere to “theirs”. Ctrl-S keeps yours"))
    try app.press("C-s")
    #expect(app.tasks[0].notes == "one!\nand two\nthree" && app.title.hasPrefix("My Tasks"))
    try app.press("c")
    app.type("?")
    try other.setNotes(id, to: "theirs")
    try app.settle()
    try app.press("Esc")
    #expect(app.tasks[0].notes == "theirs" && app.status.hasPrefix("Theirs is kept; Ctrl-Y"))
    try app.press("c")
    try other.delete([id], in: RowScope(app.place))
    try app.settle()
    #expect(app.status == "The task has just been deleted elsewhere." && app.rows == ["theirs"])
    try app.press("C-s")
    #expect(app.title.hasPrefix("My Tasks") && app.tasks.isEmpty)
  }

  @Test("E asks for the editor, and what that has made of the note is kept or compared")
  func editor() throws {
    let app = try AppHarness(["a"], width: 70)
    let id = app.tasks[0].id
    #expect(try app.press("E") == .editNote(id, text: ""))
    app.app.finishNote(of: id, text: "from the editor", original: "")
    app.draw()
    #expect(app.tasks[0].notes == "from the editor" && app.title.hasPrefix("My Tasks"))
    #expect(try app.press("E") == .editNote(id, text: "from the editor"))
    try app.other().setNotes(id, to: "theirs")
    try app.catchUp()
    app.app.finishNote(of: id, text: "mine", original: "from the editor")
    app.draw()
    #expect(app.status.hasPrefix("Changed elsewhere") && app.rows == ["mine"])
    try app.press("Esc")
    #expect(app.tasks[0].notes == "theirs")
    app.app.finishNote(of: id, text: "same", original: "same")
    #expect(app.tasks[0].notes == "theirs")
    try app.other().delete([id], in: RowScope(app.place))
    try app.catchUp()
    app.app.finishNote(of: id, text: "x", original: "theirs")
    app.draw()
    #expect(app.status == "That row has just been deleted elsewhere.")
  }

  @Test("A window that is only for looking shows the note and does not write it")
  func readOnly() throws {
    let app = try AppHarness(["a"], width: 70, isReadOnly: true)
    try app.other().setNotes(app.tasks[0].id, to: "there")
    try app.settle()
    try app.press("c")
    #expect(app.rows == ["there"])
    for key in ["!", "Enter", "Backspace", "C-u", "C-s"] {
      try app.press("Left", key)
      #expect(app.rows == ["there"] && app.status == "This window is read-only.", "\(key)")
    }
    _ = app.app.handle(.paste("over "))
    app.draw()
    #expect(app.rows == ["there"] && app.status == "This window is read-only.")
    try app.press("C-s")
    #expect(app.tasks[0].notes == "there")
    try app.press("Esc")
    #expect(app.isInList && app.app.message == nil)
    try app.press("E")
    #expect(app.status == "This window is read-only.")
  }

  @Test(
    "A note with the line ends of another program has them until something is typed",
    arguments: ["Esc", "C-s"])
  func lineEnds(key: String) throws {
    let app = try AppHarness(["a"], width: 70)
    try app.store.setNotes(app.tasks[0].id, to: "one\r\ntwo")
    try app.settle()
    try app.press("c", key)
    #expect(app.tasks[0].notes == "one\r\ntwo" && app.isInList && app.app.message == nil)
    try app.press("c")
    app.type("!")
    try app.press("C-s")
    #expect(app.tasks[0].notes == "one\ntwo!")
  }

  @Test("A long note scrolls with the cursor, in any size")
  func scrolling() throws {
    let app = try AppHarness(["a"], width: 20, height: 6)
    try app.press("c")
    for number in 0..<20 {
      app.type("line \(number)")
      try app.press("Enter")
    }
    #expect(app.texts.contains { $0.contains("line 19") } && app.frame.cursor != nil)
    try app.press("M-<")
    #expect(app.texts.contains { $0.contains("line 0") })
    for (width, height) in [(1, 1), (3, 2), (80, 24)] {
      (app.width, app.height) = (width, height)
      app.draw()
    }
    #expect(app.rows.count >= 20)
    // At the end, as many lines as there is room for.
    try app.press("M->")
    for height in [4, 10, 24] {
      app.height = height
      app.draw()
      #expect(app.rows.count == min(height - 3, 20) && app.frame.cursor?.line == app.rows.count + 1)
    }
  }
}

@Suite("Tags and priorities on the screen")
struct TagScreenTests {
  @Test("Enter that comes before the tags have been read is not lost")
  func fastTag() throws {
    let app = try AppHarness(["milk #shop", "door #home", "plain"], width: 50)
    try DateWorker.readAll(DateWorker.unread(in: app.store), app.store.dates)
    try app.press("#")
    app.type("ho")
    try app.press("Enter")
    try app.settle()
    #expect(app.title.hasPrefix("#home") && app.rows.count == 1)
    // Where there is no such tag, it stays a question.
    try app.press("Esc", "#")
    app.type("nowhere")
    try app.press("Enter")
    try app.settle()
    #expect(app.title.hasPrefix("My Tasks") && app.status.hasPrefix("Tag: nowhere"))
  }

  @Test("A tag is coloured; # asks for one of those there are, and shows its tasks, live and to be worked on")
  func tags() throws {
    let app = try AppHarness(["milk #shop", "door #home", "plain"], width: 50)
    let plain = app.frame[2, 1].style
    #expect(app.frame[7, 1].style.background != plain.background && app.frame[6, 1].style == plain)
    try DateWorker.readAll(DateWorker.unread(in: app.store), app.store.dates)
    try app.press("#")
    try app.settle()
    #expect(app.texts.contains { $0.contains("#home") && $0.contains("1 task") })
    app.type("ho")
    try app.press("Enter")
    try app.settle()
    #expect(app.title.hasPrefix("#home") && app.rows.count == 1 && app.rows[0].hasPrefix("door #home"))
    try app.press("a")
    app.type("roof")
    try app.press("Enter")
    try app.other().add("wall #home", to: app.place)
    try app.settle()
    #expect(app.tasks.map(\.text).contains("roof #home") && app.rows.count == 3)
    try app.press("g", "e", "C-u")
    app.type("door")
    try app.press("Enter")
    #expect(app.rows.count == 2 && app.tasks[1].text == "door")
    try app.press("u")
    #expect(app.rows.count == 3)
    try app.press("x")
    #expect(app.rows.last?.hasPrefix("door") == true && app.tasks.last?.completed == true)
    try app.press("Esc")
    #expect(app.title.hasPrefix("My Tasks"))
    _ = app.app.run(line: "tag #Shop")
    try app.settle()
    #expect(app.title.hasPrefix("#shop") && app.rows.count == 1)
    _ = app.app.run(line: "tag nothing")
    try app.settle()
    #expect(app.texts.contains { $0.contains("No task has the tag #nothing") })
    _ = app.app.run(line: "tag 12")
    app.draw()
    #expect(app.status == "A tag is a word with a letter in it.")
    try app.press(":")
    app.type("tag s")
    #expect(app.texts.contains { $0.contains("shop") && $0.contains("1 task") })
  }

  @Test("A priority stands at the right of its row; + and - change it, P names it")
  func priorities() throws {
    let app = try AppHarness(["a", "b"], width: 30)
    try app.press("+")
    #expect(
      app.rows[0].hasSuffix("C") && app.tasks[0].priority == .c && app.status == "“a” has priority C now.")
    try app.press("+", "+")
    #expect(app.rows[0].hasSuffix("A"))
    try app.press("+")
    #expect(app.status == "“a” has priority A already.")
    try app.press("-")
    #expect(app.rows[0].hasSuffix("B"))
    _ = app.app.run(line: "priority b")
    app.draw()
    #expect(app.status == "“a” has priority B already.")
    try app.press("j", "-")
    #expect(app.status == "“b” has no priority.")
    try app.press("P")
    app.type("h")
    try app.press("Enter")
    #expect(app.tasks[1].priority == .a && app.rows[1].hasSuffix("A"))
    _ = app.app.run(line: "priority none")
    #expect(app.tasks[1].priority == .none)
    _ = app.app.run(line: "priority x")
    app.draw()
    #expect(app.status.hasPrefix("“x” is no priority"))
    try app.press("u", "u")
    #expect(
      app.tasks[1].priority == .none && app.rows.first?.hasSuffix("B") == true && app.rows.last == "b")
  }
}
