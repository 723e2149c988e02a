import FoundationEssentials
import Glibc
import LiveStore
import TasksModel
import TestSupport
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("Changes made elsewhere")
struct ForeignChangeTests {
  private func id(_ text: String, _ app: AppHarness) throws -> Identifier {
    try #require(app.tasks.first { $0.text == text }).id
  }

  @Test("Add, edit, complete, delete and move show, and the cursor stays with its row")
  func everyKind() throws {
    let app = try AppHarness(["one", "two", "three"])
    let other = try app.other()
    try app.press("j")
    let (one, two, three) = try (id("one", app), id("two", app), id("three", app))
    try other.add("zero", to: app.place, at: .top)
    try app.settle()
    #expect(app.rows == ["zero", "one", "two", "three"] && app.selected == "two")
    try other.edit(two, in: RowScope(app.place), text: "two!")
    try app.settle()
    #expect(app.rows == ["zero", "one", "two!", "three"] && app.selected == "two!")
    try other.move([three], in: RowScope(app.place), by: -2)
    try app.settle()
    #expect(app.rows == ["zero", "three", "one", "two!"] && app.selected == "two!")
    try other.toggleCompleted([one], in: RowScope(app.place))
    try app.settle()
    #expect(app.rows == ["zero", "three", "two!", "one"] && app.selected == "two!")
    try other.delete([three], in: RowScope(app.place))
    try app.settle()
    #expect(app.rows == ["zero", "two!", "one"] && app.selected == "two!")
  }

  @Test("Rows whose observation an error has ended are followed again, also when the error has passed unseen")
  func observationEnds() throws {
    let app = try AppHarness(["one", "two"])
    let screen = try #require(app.app.screen as? TasksScreen)
    for token in screen.rows.tokens { token.invalidate() }
    screen.rows.receive(.error(StoreError(.diskFailure, "The disk could not be read.")))
    let other = try app.other()
    try other.delete([id("two", app)], in: RowScope(app.place))
    try app.store.store.refresh()
    try app.press("L")
    #expect(app.rows == ["one"])
    try other.add("three", to: app.place)
    try app.settle()
    #expect(app.rows == ["one", "three"])
  }

  @Test("A key means the row that was under the cursor, wherever it is now")
  func meantRowMoves() throws {
    let app = try AppHarness(["one", "two", "three"])
    let other = try app.other()
    try other.move([id("one", app)], in: RowScope(app.place), by: 2)
    // Delivered by the operation itself.
    try app.press("d")
    #expect(app.line == "two three")
    try app.settle()
    #expect(app.rows == ["two", "three"])
  }

  @Test(
    "A key does nothing when its row was deleted, delivered or not, and says so", arguments: [true, false])
  func meantRowDeleted(isDelivered: Bool) throws {
    for key in ["d", "x", "J", "e"] {
      let app = try AppHarness(["one", "two", "three"], width: 80)
      let other = try app.other()
      try other.delete([id("one", app)], in: RowScope(app.place))
      if isDelivered { try app.catchUp() }
      if !isDelivered && key == "e" { continue }
      try app.press(key)
      #expect(app.line == "two three", "after \(key)")
      #expect(app.status == "That row has just been deleted elsewhere.", "after \(key)")
      #expect(app.rows == ["two", "three"] && app.selected == "two", "after \(key)")
      try app.press("d")
      #expect(app.line == "three")
    }
  }

  @Test("A row that is edited is changed elsewhere: it is said, and Enter keeps what was typed")
  func editedRowChanged() throws {
    let app = try AppHarness(["one", "two"], width: 80)
    let other = try app.other()
    try app.press("e")
    app.type("!")
    try other.edit(id("one", app), in: RowScope(app.place), text: "uno")
    try app.settle()
    let sentence = "Changed elsewhere to “uno”. Enter keeps yours, Esc theirs."
    #expect(app.rows == ["one!", sentence, "two"] && app.app.message == sentence)
    #expect(app.status.hasPrefix("Enter save"), "it need not be said twice")
    // Until it is settled.
    app.type("?")
    #expect(app.rows == ["one!?", sentence, "two"])
    try app.press("Enter")
    #expect(app.line == "one!? two" && app.rows == ["one!?", "two"])
  }

  @Test(
    "Enter before the change was shown does not overwrite it; a second Enter does", arguments: [true, false])
  func editedRowChangedUnseen(isDelivered: Bool) throws {
    let app = try AppHarness(["one", "two"], width: 80)
    let other = try app.other()
    try app.press("e")
    app.type("!")
    try other.edit(id("one", app), in: RowScope(app.place), text: "uno")
    if isDelivered { try app.catchUp() }
    try app.press("Enter")
    #expect(app.line == "uno two")
    #expect(app.rows[1] == "Changed elsewhere to “uno”. Enter keeps yours, Esc theirs.")
    #expect(app.frame.cursor?.line == 1)
    try app.press("Enter")
    #expect(app.line == "one! two")
  }

  @Test("Esc takes what others wrote")
  func editedRowChangedEsc() throws {
    let app = try AppHarness(["one", "two"])
    let other = try app.other()
    try app.press("e")
    app.type("!")
    try other.edit(id("one", app), in: RowScope(app.place), text: "uno")
    try app.settle()
    try app.press("Esc")
    #expect(app.line == "uno two" && app.rows == ["uno", "two"])
  }

  @Test(
    "A row that is edited is deleted elsewhere: nothing typed is lost", arguments: ["delivered", "at Enter"])
  func editedRowDeleted(when: String) throws {
    let app = try AppHarness(
      ["one", "two", "three"], width: 80, configuration: AppConfiguration("edit-on-top = false"))
    let other = try app.other()
    try app.press("j", "e")
    app.type("!")
    try other.delete([id("two", app)], in: RowScope(app.place))
    if when == "delivered" {
      try app.settle()
    } else {
      try app.press("Enter")
    }
    #expect(app.line == "one three")
    #expect(
      app.rows == [
        "one", "two!", "Deleted elsewhere. Enter adds your text as a new row, Esc drops it.", "three",
      ])
    try app.press("Enter")
    #expect(app.line == "one three two!")
    #expect(app.rows == ["one", "three", "two!"] && app.selected == "two!" && app.frame.cursor == nil)
  }

  @Test("… and Esc drops it")
  func editedRowDeletedEsc() throws {
    let app = try AppHarness(["one", "two", "three"])
    let other = try app.other()
    try app.press("j", "e")
    app.type("!")
    try other.delete([id("two", app)], in: RowScope(app.place))
    try app.settle()
    try app.press("Esc")
    #expect(app.line == "one three" && app.rows == ["one", "three"] && app.frame.cursor == nil)
  }

  @Test(
    "A row that is edited is completed elsewhere: it is said, and the text can still become a row",
    arguments: ["delivered", "at Enter"])
  func editedRowCompleted(when: String) throws {
    let app = try AppHarness(
      ["one", "two"], width: 80, configuration: AppConfiguration("edit-on-top = false"))
    let other = try app.other()
    try app.press("e")
    app.type("!")
    try other.toggleCompleted([id("one", app)], in: RowScope(app.place))
    if when == "delivered" { try app.settle() } else { try app.press("Enter") }
    let sentence = "Completed elsewhere. Enter adds your text as a new row, Esc drops it."
    #expect(app.line == "two [one]" && app.rows == ["two", "one!", sentence, "one"])
    #expect(app.app.message == sentence)
    try app.press("Enter")
    #expect(app.line == "two one! [one]" && app.rows == ["two", "one!", "one"])
  }

  @Test(
    "A row that is taken away and brought back in one change, while it is edited, is saved once",
    arguments: [0, 1])
  func editedRowComesBack(_ index: Int) throws {
    let app = try AppHarness(["one", "two"])
    let other = try app.other()
    if index == 1 { try app.press("j") }
    try app.press("e")
    app.type("!")
    let id = try id(index == 0 ? "one" : "two", app)
    try other.store.write {
      let list = try #require(other.store.objects(TaskList.self).first { $0.items.contains { $0.id == id } })
      let row = list.items[index]
      list.items.remove(at: index)
      list.items.insert(row, at: index)
    }
    // Delivered by the operation itself.
    try app.press("Enter")
    #expect(app.rows == (index == 0 ? ["one!", "two"] : ["one", "two!"]))
    try app.settle()
    #expect(app.rows == (index == 0 ? ["one!", "two"] : ["one", "two!"]) && app.app.message == nil)
  }

  @Test(
    "A text whose row comes back while it is being added is a row of its own, followed already or not",
    arguments: [true, false])
  func editedRowReturnsDuringAddition(isFollowed: Bool) throws {
    let app = try AppHarness(
      width: 80, height: 20, configuration: AppConfiguration("edit-on-top = false"),
      date: LocalTime(year: 2026, month: 3, day: 2, hour: 9))
    let other = try app.other()
    let now = app.store.dates.now()
    for (text, minute) in [("one today", 1.0), ("two today", 2)] {
      try app.store.add(text, to: app.place, date: now.addingTimeInterval(60 * minute))
    }
    try app.settle()
    func texts() -> [String] { app.rows.filter { $0.hasPrefix("one") || $0.hasPrefix("two") } }
    try app.press("T")
    if isFollowed { try app.settle() }
    try app.press("j", "e")
    app.type("!")
    try other.delete([id("two today", app)], in: RowScope(app.place))
    try app.settle()
    #expect(app.app.message?.hasSuffix("Enter adds your text as a new row, Esc drops it.") == true)
    // Between the look for the row and the transaction that adds the text.
    app.whenTimeIsRead { _ = try? other.undo(showing: RowScope(app.place)) }
    try app.press("Enter")
    #expect(app.line == "one today two today two today!" && app.app.message == nil)
    for _ in 0..<2 {
      #expect(texts().map { $0.prefix(10) } == ["two today!", "one today ", "two today "])
      #expect(app.frame.cursor == nil && app.selected?.hasPrefix("two today!") == true)
      try app.settle()
    }
  }

  @Test(
    "The text of a row that goes while it is edited returns to it when it comes back, known or not",
    arguments: ["deleted", "moved away", "completed"], [true, false])
  func editedRowReturns(deed: String, isKnown: Bool) throws {
    for (number, text) in ["one", "two", "three"].enumerated() {
      let app = try AppHarness(
        ["one", "two", "three"], width: 80, configuration: AppConfiguration("edit-on-top = false"))
      let other = try app.other()
      let scope = RowScope(app.place)
      let work = try #require(try other.add("Work", to: .lists).rowID)
      try app.settle()
      for _ in 0..<number { try app.press("j") }
      try app.press("e")
      app.type("!")
      let row = try id(text, app)
      switch deed {
      case "deleted": try other.delete([row], in: scope)
      case "moved away": try other.move([row], in: scope, toList: work)
      default: try other.toggleCompleted([row], in: scope)
      }
      try app.settle()
      #expect(app.app.message?.hasSuffix("Enter adds your text as a new row, Esc drops it.") == true)
      app.type("?")
      _ = try other.undo(showing: scope)
      if isKnown {
        try app.settle()
        #expect(app.app.message == "Its row is back. Enter saves your text there.")
        var rows = ["one", "two", "three"]
        rows[number] += "!?"
        #expect(app.rows == rows && app.line == "one two three", "\(text) \(deed)")
        #expect(app.frame.cursor?.line == number + 1)
      }
      try app.press("Enter")
      #expect(app.line == "one two three".replacing(text, with: text + "!?"), "\(text) \(deed)")
      #expect(app.rows == app.line.split(separator: " ").map(String.init) && app.app.message == nil)
      #expect(app.tasks[number].id == row && app.selected == text + "!?" && app.frame.cursor == nil)
      try app.settle()
      #expect(app.rows == app.line.split(separator: " ").map(String.init))
    }
  }

  @Test("A row that comes back with another text is not overwritten unseen", arguments: [true, false])
  func editedRowReturnsChanged(isKnown: Bool) throws {
    let app = try AppHarness(["one", "two"], width: 80)
    let other = try app.other()
    try app.press("e")
    app.type("!")
    let row = try id("one", app)
    try other.toggleCompleted([row], in: RowScope(app.place))
    try app.settle()
    try other.toggleCompleted([row], in: RowScope(app.place))
    try other.edit(row, in: RowScope(app.place), text: "uno")
    if isKnown { try app.settle() } else { try app.press("Enter") }
    let sentence = "Changed elsewhere to “uno”. Enter keeps yours, Esc theirs."
    #expect(app.line == "two uno" && app.app.message == sentence && app.rows.contains(sentence))
    try app.press("Enter")
    #expect(app.line == "two one!" && app.rows == ["two", "one!"])
  }

  @Test("A draft stays where it is among rows that come, go and move")
  func draft() throws {
    let app = try AppHarness(["one", "two", "DONE"], configuration: AppConfiguration("edit-on-top = false"))
    let other = try app.other()
    try app.press("a")
    app.type("new")
    try other.add("zero", to: app.place, at: .top)
    try other.delete([id("one", app)], in: RowScope(app.place))
    try app.settle()
    #expect(app.rows == ["zero", "two", "new", "DONE"])
    // This one comes after the open rows too, and was first.
    try other.add("three", to: app.place)
    try app.press("Enter")
    #expect(app.line == "zero two three new [DONE]")
    try app.settle()
    #expect(app.rows == ["zero", "two", "three", "new", "DONE"] && app.selected == "new")
  }

  @Test(
    "A text is pasted into a screen whose rows have changed before changes were reported to it, or change then",
    arguments: [false, true], ["Enter", "Esc"])
  func pasteAtOnce(isTyping: Bool, end: String) throws {
    let app = try AppHarness(["one", "two", "three"])
    try app.press("h")
    try app.settle()
    try app.other().delete([id("one", app)], in: RowScope(app.place))
    #expect(waitForInput(app.notifications.fileDescriptor))
    // The change set delivered now was calculated before the screen asked for changes.
    try app.press("l")
    if !isTyping { app.app.processNotifications() }
    _ = app.app.handle(.paste("pasted"))
    if isTyping { app.app.processNotifications() }
    _ = app.app.handle(.key(Key(end == "Enter" ? .enter : .escape)))
    app.draw()
    try app.settle()
    let rows = end == "Enter" ? ["two", "three", "pasted"] : ["two", "three"]
    #expect(app.line == rows.joined(separator: " ") && app.rows == rows)
  }

  @Test("No lock is held while a person types")
  func noLock() throws {
    let app = try AppHarness(["one"])
    try app.press("e")
    app.type("!")
    #expect(!app.store.store.isInWriteTransaction)
    try app.other().add("two", to: app.place)
    try app.press("Esc", "a")
    app.type("?")
    #expect(!app.store.store.isInWriteTransaction)
    try app.other().add("three", to: app.place)
  }

  @Test(
    "A lock that another program holds too long is told; text and rows stay, and the key works afterwards")
  func busy() throws {
    let app = try AppHarness(["one"], width: 120, configuration: AppConfiguration("edit-on-top = false"))
    let other = try app.other()
    try app.press("a")
    app.type("two")
    try other.store.beginWrite()
    try app.press("Enter")
    #expect(app.status.contains("Another program writes. Try again."))
    #expect(app.rows == ["one", "two"] && app.frame.cursor != nil)
    other.store.cancelWrite()
    try app.press("Enter")
    #expect(app.line == "one two")
  }
}
