import FoundationEssentials
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("What a window has found out about a long file")
struct FileMemoryTests {
  private let harness: AppHarness

  init() throws {
    harness = try AppHarness((0..<1_200).map { "t\($0)" }, stateFile: true)
    try harness.press("Space")
    try harness.settle()
  }

  /// Another window, which has read nothing but the first rows.
  private func next() throws -> (App, TasksStore) {
    let store = try harness.other(author: store.author)
    let app = App(
      store: store, appearance: Appearance(isAnimated: false), stateFile: harness.app.stateFile,
      clock: { .zero })
    return (app, store)
  }

  private var store: TasksStore { harness.store }

  private func sql(_ statement: String) throws {
    let outcome = try ChildProcess.run([
      "sqlite3", "-cmd", ".timeout 10000", harness.folder("tasks.db"), statement,
    ])
    #expect(outcome.status == 0, "\(outcome)")
  }

  private func summary(_ app: App) -> String? { (app.screen as? TasksScreen)?.summary }

  @Test("The next window has the numbers at once, and counts only when the file changes")
  func kept() throws {
    harness.app.rememberFindings(textsRead: try store.store.currentVersion())
    let (app, store) = try next()
    #expect(summary(app) == "1,199 open" && app.context.memory.areTextsRead)
    var starts = 0
    app.context.memory.atFirstChange { starts += 1 }
    try harness.press("Space")
    #expect(starts == 0)
    try store.store.refresh()
    #expect(starts == 1 && !app.context.memory.areTextsRead)
    while summary(app) == "1,199 open" { try store.store.refresh() }
    #expect(summary(app) == "1,198 open")
    app.context.memory.atFirstChange { starts += 1 }
    #expect(starts == 2)
  }

  @Test("Nothing is known of a file that has changed since, or is another one", arguments: 0..<4)
  func changed(way: Int) throws {
    harness.app.rememberFindings(textsRead: nil)
    #expect(try summary(next().0) == "1,199 open")
    #expect(try !next().0.context.memory.areTextsRead)
    let stateFile = try #require(harness.app.stateFile)
    var findings = try #require(stateFile.findings(about: store))
    switch way {
    case 0: try harness.press("Space")
    case 1: try sql("DELETE FROM TaskList_items WHERE entry = (SELECT max(entry) FROM TaskList_items)")
    // The number of the version is the same, and its mark is another.
    case 2: try sql("UPDATE _livestore_log SET mark = random()")
    default:
      findings.version = try JSONDecoder().decode(
        StoreVersion.self, from: Data(#"{"number":987654321,"mark":1}"#.utf8))
      stateFile.remember(findings)
    }
    #expect(try summary(next().0) == "")
  }

  @Test("A short file, one that is not counted yet, and damaged findings leave nothing to know")
  func nothing() throws {
    let short = try AppHarness(["one"], stateFile: true)
    short.app.rememberFindings(textsRead: nil)
    #expect(short.app.stateFile?.findings(about: short.store) == nil)
    let (app, _) = try next()
    app.rememberFindings(textsRead: nil)
    let stateFile = try #require(harness.app.stateFile)
    #expect(stateFile.findings(about: store) == nil)
    harness.app.rememberFindings(textsRead: nil)
    #expect(stateFile.findings(about: store) != nil)
    SmallFile.replace(stateFile.findingsPath, with: "{\"version\":")
    #expect(stateFile.findings(about: store) == nil)
    #expect(try summary(next().0) == "")
  }

  @Test("Texts count as read only up to the last change of one")
  func texts() throws {
    let version = try store.store.currentVersion()
    try store.store.write { store.list(TaskList.firstListID)?.items[3].completed = true }
    #expect(harness.app.context.memory.newFindings(textsRead: version)?.areTextsRead == true)
    try store.store.write { store.list(TaskList.firstListID)?.items[3].text = "tomorrow" }
    #expect(harness.app.context.memory.newFindings(textsRead: version)?.areTextsRead == false)
    #expect(harness.app.context.memory.newFindings(textsRead: nil)?.areTextsRead == false)
  }
}
