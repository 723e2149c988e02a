import TasksModel
import Testing

@testable import TasksTUI

@Suite("Counts, repetition and habits")
struct CountTests {
  @Test("A count goes with the command that follows, and shows while it is typed")
  func counts() throws {
    let app = try AppHarness((0..<40).map { "t\($0)" })
    try app.press("1", "2")
    #expect(app.texts.last?.hasSuffix("12") == true)
    try app.press("j")
    #expect(app.selected == "t12" && app.texts.last?.hasSuffix("12") == false)
    for (keys, text) in [
      (["5", "k"], "t7"), (["2", "0", "G"], "t19"), (["3", "g"], "t2"), (["9", "9", "9", "j"], "t39"),
      (["2", "PgUp"], "t21"), (["0", "j"], "t22"), (["4", "Esc", "j"], "t23"),
    ] {
      for key in keys { try app.press(key) }
      #expect(app.selected == text, "\(keys)")
    }
    try app.press("g", "3", "d")
    #expect(app.tasks.count == 37 && app.tasks.first?.text == "t3")
    try app.press("u")
    #expect(app.tasks.count == 40 && app.selected == "t0")
    try app.press("2", "x")
    #expect(app.tasks.suffix(2).map(\.text) == ["t0", "t1"] && app.selected == "t2")
    try app.press("2", "J")
    #expect(app.tasks.prefix(3).map(\.text) == ["t3", "t4", "t2"])
    try app.press("9", "9", "9", "9", "9", "9", "9", "9", "9", "9", "9", "9", "9", "9", "9", "9", "9", "9")
    try app.press("9", "9", "d")
    #expect(app.tasks.map(\.text) == ["t3", "t4"])
  }

  @Test(". repeats the last change: on this row, with its text, as often, or with another count")
  func repetition() throws {
    let app = try AppHarness((0..<9).map { "t\($0)" })
    try app.press(".")
    #expect(app.status == "There is no change to repeat yet.")
    try app.press("2", "d", ".")
    #expect(app.tasks.map(\.text) == ["t4", "t5", "t6", "t7", "t8"])
    try app.press("1", ".")
    #expect(app.tasks.map(\.text) == ["t5", "t6", "t7", "t8"])
    try app.press("o", "n", "Enter", "j", ".")
    #expect(app.tasks.map(\.text) == ["t5", "n", "t6", "n", "t7", "t8"])
    try app.press("g", "e", "C-u", "y", "Enter", "j", "j", ".")
    #expect(app.tasks.map(\.text) == ["y", "n", "y", "n", "t7", "t8"])
    try app.press("x", "j", ".")
    #expect(app.line == "y n t7 [t8] [y] [n]" || app.tasks.count { $0.completed } == 2)
  }

  @Test("Emacs' and vi's keys move like the arrows")
  func habits() throws {
    let app = try AppHarness((0..<40).map { "t\($0)" })
    for (key, text) in [
      ("C-n", "t1"), ("C-p", "t0"), ("M->", "t39"), ("M-<", "t0"), ("C-v", "t9"), ("M-v", "t0"),
      ("C-f", "t9"),
      ("C-b", "t0"), ("L", "t9"), ("H", "t0"), ("M", "t5"), ("g", "t0"), ("C-e", "t2"), ("G", "t39"),
    ] {
      try app.press(key)
      // The rows kept in sight around the cursor may hold it further in.
      let reached = app.selected ?? ""
      #expect(reached == text || ["C-e", "L", "H"].contains(key), "after \(key): \(reached)")
    }
    try app.press("g", "g")
    #expect(app.selected == "t0")
  }

  @Test("o adds below this row, O above it, and on a completed one after the open rows")
  func openLine() throws {
    let app = try AppHarness(
      ["one", "two", "DONE"], configuration: AppConfiguration("edit-on-top = false"))
    try app.press("o")
    app.type("b")
    #expect(app.rows == ["one", "b", "two", "DONE"])
    try app.press("Enter")
    #expect(app.line == "one b two [DONE]" && app.selected == "b")
    try app.press("O")
    app.type("a")
    try app.press("Enter")
    #expect(app.line == "one a b two [DONE]" && app.rows == ["one", "a", "b", "two", "DONE"])
    try app.press("G", "o")
    app.type("c")
    try app.press("Enter")
    #expect(app.line == "one a b two c [DONE]")
  }
}
