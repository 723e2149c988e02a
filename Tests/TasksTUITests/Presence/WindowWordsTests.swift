import TasksModel
import Testing

@testable import TasksTUI

@Suite("Other windows, in words")
struct WindowWordsTests {
  private let milk = Identifier()
  private let list = Identifier()

  private func text(_ id: Identifier) -> String? { id == milk ? "Buy milk" : nil }

  private func window(
    _ place: Int, _ author: String, _ activity: WindowState.Activity = .looking
  ) -> OtherWindow {
    OtherWindow(
      place: place, state: WindowState(author: author, terminal: "pts/\(place)", activity: activity))
  }

  private func words(_ windows: OtherWindow...) -> WindowWords { WindowWords(windows: windows, author: "me") }

  private func summary(_ windows: OtherWindow...) -> String? {
    WindowWords(windows: windows, author: "me").summary(list: list, text: text)
  }

  @Test("The bottom line tells what is done to what is in sight, else how many windows there are")
  func bottomLine() {
    #expect(summary() == nil)
    #expect(summary(window(1, "anna")) == "2 windows")
    #expect(summary(window(1, "anna"), window(2, "me")) == "3 windows")
    #expect(summary(window(1, "anna", .editing(milk))) == "anna edits “Buy milk”")
    #expect(summary(window(1, "me", .editing(milk))) == "another window edits “Buy milk”")
    #expect(summary(window(1, "anna", .writingNote(milk))) == "anna writes the note of “Buy milk”")
    #expect(summary(window(1, "anna", .adding(list: list))) == "anna adds a row")
    #expect(summary(window(1, "anna", .adding(list: Identifier()))) == "2 windows")
    #expect(summary(window(1, "anna", .editing(Identifier()))) == "2 windows")
    #expect(
      summary(window(1, "anna", .editing(milk)), window(2, "bob", .adding(list: list)))
        == "anna edits “Buy milk”, and 1 more")
    let long = WindowWords(
      windows: [window(1, String(repeating: "x", count: 99), .editing(milk))], author: ""
    )
    .summary(list: nil) { _ in String(repeating: "y", count: 99) }
    #expect((long?.count ?? 99) < 60)
  }

  @Test("All of them are listed")
  func listing() {
    #expect(words().list(text: text) == "No other window is on this file.")
    #expect(words(window(3, "me")).list(text: text) == "1 other window: yours on pts/3.")
    #expect(
      words(window(0, "anna", .editing(milk)), window(4, "me", .editing(Identifier()))).list(text: text)
        == "2 other windows: anna on pts/0 edits “Buy milk”; yours on pts/4 edits a row.")
  }

  @Test("What becomes of them is told, each thing once")
  func changes() {
    func told(_ before: [OtherWindow], _ after: [OtherWindow]) -> [String] {
      WindowWords(windows: after, author: "me").changes(since: before, text: text)
    }
    #expect(told([], [window(1, "me")]) == ["Another window opened."])
    #expect(told([window(1, "me")], [window(1, "me")]) == [])
    #expect(
      told([window(1, "me")], [window(1, "me", .editing(milk))])
        == ["Another window is editing “Buy milk”."])
    #expect(
      told([window(1, "anna", .editing(milk))], [window(1, "anna")])
        == ["A window of anna has finished editing."])
    #expect(told([window(1, "me", .adding(list: nil))], [window(1, "me")]) == [])
    #expect(told([window(1, "me", .editing(milk))], []) == ["Another window closed."])
    // Somebody else has taken the place meanwhile.
    #expect(
      told([window(1, "me")], [window(1, "anna", .adding(list: list))])
        == ["Another window closed.", "A window of anna opened.", "A window of anna is adding a row."])
  }
}
