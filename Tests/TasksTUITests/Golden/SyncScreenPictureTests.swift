import Foundation
import SyncSigns
import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("Golden screens of other machines")
struct SyncScreenPictureTests {
  @Test(
    "How a file stands, who else is there, and what was lost, in two sizes and without colours",
    arguments: [(80, 24, ColorDepth.direct), (40, 12, .direct), (80, 24, .none)])
  func pictures(width: Int, height: Int, depth: ColorDepth) throws {
    let now = LocalTime(year: 2026, month: 11, day: 24, hour: 9)
    let app = try AppHarness(["Buy milk", "Call Anna"], width: width, height: height, date: now)
    let journal = try JournalStandIn(app.folder("tasks.db"))
    let sign = SyncSign(database: app.folder("tasks.db"))
    let agent = try AgentStandIn(app.folder("tasks.db"))
    app.app.follow(
      sign, SyncJournal(path: app.folder("tasks.db")), start: { true }, settle: { _, _ in true })
    let variant = "sync-\(width)x\(height)-\(depth == .none ? "none" : "truecolor")"
    func picture(_ name: String, of report: String) throws {
      agent.write(report)
      app.app.lookAtSync()
      try app.settle()
      app.draw()
      try GoldenScreen("\(variant)/\(name)").compare(app.frame.sequences(depth: depth))
    }
    func milliseconds(day: Int, hour: Int, minute: Int) -> Int64 {
      let date = AppHarness.calendar.date(
        of: LocalTime(year: 2026, month: 11, day: day, hour: hour, minute: minute))
      return Int64(date.timeIntervalSince1970 * 1000)
    }
    let yesterday = milliseconds(day: 23, hour: 18, minute: 5)
    let morning = milliseconds(day: 24, hour: 8, minute: 59)
    let machines = "machine \(morning)\t0\tben\ttablet\nmachine \(yesterday)\t3\tanna\tphone\n"
    try app.command("sync")
    try picture("in-step", of: "phase in-step\nexchanged \(morning)\nversion 7\n\(machines)end\n")
    try picture(
      "offline",
      of:
        "phase offline\nsince \(yesterday)\n"
        + "reason db.example.org/tasks cannot be reached: No route to host.\nwaiting 2\nexchanged \(yesterday)\nversion 7\n\(machines)end\n"
    )
    try journal.lose("deleted", "Buy oat milk")
    try journal.lose("displaced", "Water the plants in the kitchen and in the hall")
    try journal.overwrite("Call Anna", cell: "text", mine: "Call Anna at nine", theirs: "Call Anna at ten")
    try journal.lose("refused", "Sell the house")
    try picture("lost", of: "phase in-step\nexchanged \(morning)\nlost 4\nversion 9\n\(machines)end\n")
    try picture(
      "refused", of: "phase refused\nsince \(morning)\nreason You may only read “Home”.\nwaiting 1\nend\n")
  }
}
