import FoundationEssentials
import Glibc
import TasksModel
import TestSupport
import Testing

@testable import TasksTUI

/// A window that is suspended must not hold the file's log: it would grow with all that others write
/// meanwhile.
@Suite("Standing still", .enabled(if: !TerminalProbe.isRequested))
struct StandingStillTests {
  private func tasks(_ file: String, _ arguments: String...) throws {
    let outcome = try ChildProcess.run([ChildProcess.tasks, "--file", file] + arguments)
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  /// Has SQLite begin the log anew; returns whether nobody was in the way.
  private func resetLog(_ file: String) throws -> Bool {
    let outcome = try ChildProcess.run(["sqlite3", "-batch", file, "pragma wal_checkpoint(truncate)"])
    return outcome.output == "0|0|0\n"
  }

  /// A read in passing, as another program's commit is noticed, is soon done.
  private func waitForReset(_ file: String) throws {
    let deadline = ContinuousClock.now + Patience.duration
    while try !resetLog(file) { try #require(.now < deadline, "the log is held") }
  }

  @Test("The log begins anew meanwhile; afterwards all that happened travels to where it belongs")
  func rest() throws {
    let app = try AppHarness(["one", "two", "three", "four"], width: 60, isAnimated: true)
    let file = app.folder("tasks.db")
    try app.press("j")
    try tasks(file, "add", "five")
    #expect(try !resetLog(file))
    app.app.releaseSnapshot()
    try tasks(file, "done", "one")
    try waitForReset(file)
    try tasks(file, "add", "six")
    try waitForReset(file)
    #expect(fileStatus(file + "-wal")?.st_size == 0)

    app.app.advance()
    app.draw()
    #expect(app.app.nextFrame(after: app.now) != nil)
    var places: [Int] = []
    while let due = app.app.nextFrame(after: app.now), places.count < 100 {
      app.pass(max(.milliseconds(1), due - app.now))
      app.draw()
      if let place = app.texts.firstIndex(where: { $0.contains("one") }), places.last != place {
        places.append(place)
      }
    }
    // On its way, and not there at once.
    #expect(places.count > 2 && places.last == 6)
    #expect(app.rows == ["two", "three", "four", "five", "six", "one"] && app.selected == "two")
    try app.press("d")
    #expect(app.line == "three four five six [one]")
  }

  @Test("A text in hand, a lifted row and marks survive it")
  func inHand() throws {
    let app = try AppHarness(["one", "two", "three"], width: 80)
    let file = app.folder("tasks.db")
    try app.press("j", "e")
    app.type("!")
    app.app.releaseSnapshot()
    try tasks(file, "done", "one")
    try waitForReset(file)
    app.app.advance()
    try app.settle()
    #expect(app.rows == ["two!", "three", "one"])
    try app.press("Enter")
    #expect(app.line == "two! three [one]")
    try app.press("v", "j")
    app.app.releaseSnapshot()
    try tasks(file, "add", "four")
    app.app.advance()
    try app.settle()
    try app.press("d")
    #expect(app.line == "four [one]")
  }

  @Test("Suspended by Ctrl-Z, the whole program holds nothing of the log")
  func suspended() throws {
    let folder = TemporaryFolder()
    let file = folder("tasks.db")
    try tasks(file, "add", "Buy milk at 6pm")
    let window = try TmuxWindow(environment: ["XDG_STATE_HOME": folder("state")])
    try window.enter("clear; \(ChildProcess.tasks) --file \(file)")
    try window.wait(forText: "Buy milk")
    try window.strike("j")
    try window.strike("C-z")
    try window.wait(forText: "Stopped")
    try tasks(file, "add", "Call mother")
    #expect(try resetLog(file))
    try tasks(file, "done", "Buy milk at 6pm")
    #expect(try resetLog(file))
    try window.enter("fg")
    try window.wait(for: "what happened meanwhile") { screen in
      guard let milk = screen.range(of: "Buy milk"), let mother = screen.range(of: "Call mother") else {
        return false
      }
      return mother.lowerBound < milk.lowerBound
    }
    // The dates of what is typed now are read again.
    try window.strike("a")
    try window.tmux("send-keys", "-l", "Sleep tomorrow")
    try window.strike("Enter")
    try window.wait(for: "the date") { screen in
      screen.split(separator: "\n").contains { $0.drop { $0 == " " }.hasPrefix("tomorrow") }
    }
    try window.strike("q")
  }
}
