import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("List view: scrolling")
struct ListViewGlidingTests {
  private func pages(_ appearance: Appearance) throws -> AppHarness {
    let app = try AppHarness((0..<60).map { "task \($0)" }, height: 12, appearance: appearance)
    return app
  }

  @Test("A page glides into place: on the way rows of both pages are seen, and none is missing between them")
  func gliding() throws {
    let app = try pages(Appearance())
    try app.press("C-f")
    var firsts: Set<String> = []
    for _ in 0..<40 {
      let numbers = app.rows.compactMap { Int($0.dropFirst(5).prefix { $0.isNumber }) }
      #expect(numbers.count >= 9)
      for (one, next) in zip(numbers, numbers.dropFirst()) { #expect(next == one + 1) }
      firsts.insert(app.rows.first ?? "")
      app.pass(.milliseconds(16))
      app.draw()
    }
    #expect(firsts.count > 4 && app.app.nextFrame(after: app.now) == nil)
    let resting = try pages(Appearance(isAnimated: false))
    try resting.press("C-f")
    #expect(app.frame == resting.frame)
  }

  @Test("To the end and back it glides over a screenful at most, and ends where it would without movement")
  func far() throws {
    let app = try pages(Appearance())
    let resting = try pages(Appearance(isAnimated: false))
    for keys in [["G"], ["g"], ["C-d", "C-d", "C-u"], ["2", "0", "g"], ["PgUp", "PgDn", "PgDn"]] {
      for key in keys {
        try app.press(key)
        try resting.press(key)
        app.pass(.milliseconds(48))
        app.draw()
      }
      try app.settle()
      #expect(app.frame == resting.frame)
    }
  }

  @Test("With animation = fade nothing travels: rows only change where they are")
  func fading() throws {
    let app = try AppHarness(["one", "two", "three"], isAnimated: true)
    _ = app.app.run(line: "set animation fade")
    try app.settle()
    let before = app.frame
    try app.press("d")
    app.pass(.milliseconds(30))
    app.draw()
    // The text of the old picture, in paler colours.
    #expect(app.rows == ["one", "two", "three"] && app.frame != before)
    try app.settle()
    #expect(app.rows == ["two", "three"] && app.app.nextFrame(after: app.now) == nil)
    try app.press("h")
    app.pass(.milliseconds(30))
    #expect(app.draw().text(line: 1).contains("two"))
    try app.settle()
    #expect(app.title == "Lists")
  }

  @Test("Twice the speed takes half the time")
  func speed() throws {
    for (speed, end) in [("1", 250), ("2", 125), ("0.5", 500)] {
      let app = try AppHarness(["one", "two", "three"], isAnimated: true)
      _ = app.app.run(line: "set speed \(speed)")
      try app.settle()
      try app.press("J")
      app.pass(.milliseconds(end - 40))
      app.draw()
      #expect(app.app.nextFrame(after: app.now) != nil)
      app.pass(.milliseconds(200))
      app.draw()
      app.pass(.milliseconds(end))
      app.draw()
      #expect(app.app.nextFrame(after: app.now) == nil)
    }
  }

  @Test(
    "The mark at the right edge tells which part is in sight: at an end only at the end, and absent when all are"
  )
  func position() throws {
    let app = try pages(Appearance(isAnimated: false))
    func marks() -> [Int] { (1..<11).filter { app.frame[39, $0].text == "▐" } }
    #expect(marks() == [1])
    try app.press("C-f")
    #expect(marks().first ?? 0 > 1)
    try app.press("G")
    #expect(marks() == [10])
    try app.press("k", "k", "k", "k", "k", "k", "k", "k", "k", "k", "k")
    #expect(marks().last ?? 99 < 10)
    let short = try AppHarness(["one", "two"])
    #expect(!short.frame.text.contains("▐"))
  }
}
