import LiveStore
import SyncSigns
import TasksModel
import Testing

@testable import TasksTUI

@Suite("Other machines, as the window tells of them")
struct OtherMachinesTests {
  private let app: AppHarness
  private let agent: AgentStandIn
  private let journal: JournalStandIn
  /// The number of agents that the window has started.
  private let starts = StartCount()

  init() throws {
    app = try AppHarness(["milk", "bread", "eggs"], width: 100, height: 24)
    journal = try JournalStandIn(app.folder("tasks.db"))
    let sign = SyncSign(database: app.folder("tasks.db"))
    agent = try AgentStandIn(app.folder("tasks.db"))
    let (journal, lookAtAgent) = (journal, { [app] in app.app.lookAtSync() })
    let read = SyncJournal(path: app.folder("tasks.db"))
    let starts = starts
    let settle: (LostChange, SyncLauncher.Settlement) -> Bool = { change, settlement in
      // As the program does that is started for it.
      try? journal.connection.execute(
        "UPDATE _livesync_conflict SET isSettled = 1 WHERE number = \(change.number)")
      if settlement == .restore {
        try? journal.connection.execute("INSERT INTO TaskItem (id, text) VALUES ('gone', '\(change.text)')")
      }
      lookAtAgent()
      return true
    }
    app.app.follow(sign, read, start: { starts.add() }, settle: settle)
  }

  private func report(_ text: String) {
    agent.write(text)
    app.app.lookAtSync()
    app.draw()
  }

  @Test(
    "Who has changed the row under the cursor on another machine is said, and what they did",
    arguments: [
      ("UPDATE TaskItem SET completed = 1 WHERE text = 'milk'", "ben on tablet completed “milk”."),
      (
        "UPDATE TaskItem SET text = 'oat milk' WHERE text = 'milk'",
        "ben on tablet changed “milk” to “oat milk”."
      ),
      ("UPDATE TaskItem SET priority = 'A' WHERE text = 'milk'", "ben on tablet changed “milk”."),
      ("DELETE FROM TaskItem WHERE text = 'milk'", "ben on tablet deleted “milk”."),
      (
        "UPDATE TaskList_items SET position = 'zzzzzz' "
          + "WHERE target = (SELECT id FROM TaskItem WHERE text = 'milk')",
        "ben on tablet moved “milk”."
      ),
      (
        "DELETE FROM TaskList_items WHERE target = (SELECT id FROM TaskItem WHERE text = 'milk')",
        "ben on tablet took “milk” from here."
      ),
    ])
  func actor(_ sql: String, _ sentence: String) throws {
    #expect(app.selected == "milk")
    try journal.change("milk", sql)
    try app.settle()
    #expect(app.status.hasPrefix(sentence), "\(app.status)")
  }

  @Test("What the other machine reads out of a text that has just been told does not replace the sentence")
  func reading() throws {
    try journal.change("milk", "UPDATE TaskItem SET text = 'milk at 6pm' WHERE text = 'milk'")
    try app.settle()
    try journal.change(
      "milk at 6pm", "UPDATE TaskItem SET date = '2036-12-01 18:00:00.000' WHERE text = 'milk at 6pm'")
    try app.settle()
    #expect(app.status.hasPrefix("ben on tablet changed “milk” to “milk at 6pm”."), "\(app.status)")
  }

  @Test("A row that the server does not take is said, and stays to be read with what goes with it")
  func setAside() throws {
    report("phase in-step\nset-aside 0\nend\n")
    try journal.setAside("milk", with: "bread", because: "It is too long.")
    report("phase in-step\nset-aside 2\nend\n")
    let sentence = "“milk” stays on this machine: It is too long. It is sent when you have changed it."
    #expect(app.status.hasPrefix("“milk” stays on this machine: It is too long."), "\(app.status)")
    #expect(app.status.contains("● 2 kept"), "\(app.status)")
    try app.command("sync")
    let page = app.texts.joined(separator: "\n")
    for words in [
      "Kept on this machine", sentence, "1 row that was changed together with it waits for it.",
    ] {
      #expect(page.contains(words), "\(words) is not in \(page)")
    }
  }

  @Test("Nothing is said of other rows, of other programs here, nor over another message")
  func silence() throws {
    try journal.change("bread", "UPDATE TaskItem SET completed = 1 WHERE text = 'bread'")
    try app.settle()
    #expect(!app.status.contains("ben"))
    try journal.change("milk", "UPDATE TaskItem SET text = 'oats' WHERE text = 'milk'")
    try app.settle()
    #expect(app.status.contains("ben"))
    app.app.context.message = nil
    // In the next moment.
    try journal.connection.execute("UPDATE TaskItem SET text = 'oat milk' WHERE text = 'oats'")
    try app.settle()
    app.draw()
    #expect(!app.status.contains("ben"))
    app.app.context.say("Something else.")
    try journal.change("oat milk", "UPDATE TaskItem SET text = 'soy milk' WHERE text = 'oat milk'")
    try app.settle()
    #expect(app.status.hasPrefix("Something else."))
  }

  @Test("While a row is edited, the sentence about its change says who it was")
  func editing() throws {
    try app.press("e")
    try journal.change("milk", "UPDATE TaskItem SET text = 'oat milk' WHERE text = 'milk'")
    try app.settle()
    #expect(app.app.message?.hasPrefix("Changed by ben on tablet to “oat milk”.") == true, "\(app.status)")
  }

  @Test("A change that was lost is said with the key that brings it back, and the key does")
  func lost() throws {
    try journal.lose("deleted", "Oat milk")
    report("phase in-step\nlost 1\nend\n")
    #expect(app.status.hasPrefix("You changed “Oat milk”, which ben on tablet deleted. B brings yours back."))
    try app.press("B")
    #expect(app.status.hasPrefix("“Oat milk” is as you had it, on all machines."))
    try app.settle()
    #expect(app.store.task(Identifier("gone"))?.text == "Oat milk")
    try app.press("B")
    #expect(app.status.hasPrefix("Nothing of yours lost to the change of another machine."))
  }

  @Test("A window that cannot write tells what was lost, and offers no key that brings it back")
  func readOnlyWindow() throws {
    let reader = try AppHarness(["milk"], width: 100, height: 24, isReadOnly: true)
    let database = reader.folder("tasks.db")
    let (journal, agent) = (try JournalStandIn(database), try AgentStandIn(database))
    reader.app.follow(
      SyncSign(database: database, createsFile: false), SyncJournal(path: database), start: { false },
      settle: { _, _ in false })
    try journal.lose("deleted", "Oat milk")
    agent.write("phase in-step\nlost 1\nend\n")
    reader.app.lookAtSync()
    reader.draw()
    let told = "You changed “Oat milk”, which ben on tablet deleted."
    #expect(reader.status.hasPrefix(told) && !reader.status.contains("brings"), "\(reader.status)")
    try reader.command("sync")
    let page = reader.texts.joined(separator: "\n")
    #expect(page.contains(told) && !page.contains("bring back") && !page.contains("forget"), "\(page)")
  }

  @Test("The key brings back the change that was said, and no other when that was settled by a command")
  func settledElsewhere() throws {
    try journal.lose("deleted", "First")
    report("phase in-step\nlost 1\nend\n")
    try journal.lose("deleted", "Second")
    report("phase in-step\nlost 2\nend\n")
    #expect(app.status.hasPrefix("You changed “Second”"))
    try journal.connection.execute(
      """
      UPDATE _livesync_conflict SET isSettled = 1
      WHERE number = (SELECT max(number) FROM _livesync_conflict)
      """)
    try app.press("B")
    #expect(app.status.hasPrefix("That has been settled already; :sync shows what else of yours lost."))
    try app.settle()
    #expect(app.store.task(Identifier("gone")) == nil)
    // When it is asked for anew, the other one is meant.
    try app.press("B")
    #expect(app.status.hasPrefix("“First” is as you had it, on all machines."))
  }

  @Test("The message about a lost change goes when that is settled by a command")
  func staleMessage() throws {
    try journal.lose("deleted", "Oat milk")
    report("phase in-step\nlost 1\nend\n")
    #expect(app.status.hasPrefix("You changed “Oat milk”"))
    report("phase in-step\nlost 0\nend\n")
    #expect(!app.status.contains("Oat milk"))
  }

  @Test("What the server refused is said, and cannot be brought back")
  func refused() throws {
    try journal.lose("refused", "Beer")
    try journal.connection.execute("INSERT INTO _livesync_state VALUES ('mayOnlyRead', 1)")
    report("phase in-step\nlost 1\nend\n")
    #expect(app.status.hasPrefix("You may not change “Beer”: that was taken back."))
    #expect(!app.status.contains("B brings"))
    try app.press("B")
    #expect(app.status.hasPrefix("You may not change “Beer”: that was taken back."))
  }

  @Test("What was refused to a person who may change the space by now is brought back as all else is")
  func refusedBefore() throws {
    try journal.lose("refused", "Beer")
    try journal.connection.execute("INSERT INTO _livesync_state VALUES ('mayOnlyRead', 0)")
    report("phase in-step\nlost 1\nend\n")
    #expect(app.status.hasPrefix("You may not change “Beer”: that was taken back. B brings yours back."))
    try app.press("B")
    #expect(app.status.hasPrefix("“Beer” is as you had it"))
  }

  @Test("A lost text is told, and named when it is back, also where something was read out of it")
  func lostText() throws {
    try journal.overwrite("milk", cell: "text", mine: "oat milk", theirs: "milk")
    try journal.connection.execute(
      "INSERT INTO _livesync_conflict_value VALUES (1, 'readText', 'oat milk', 'milk'), (1, 'tags', '', '#a')"
    )
    report("phase in-step\nlost 1\nend\n")
    let sentence = "ben on tablet changed the text of “milk” after you; yours was “oat milk”."
    #expect(app.status.hasPrefix(sentence), "\(app.status)")
    try app.press("B")
    #expect(app.status.hasPrefix("“oat milk” is as you had it"), "\(app.status)")
  }

  @Test("A lost text of a task that was deleted since is told, and nothing is offered")
  func lostTextOfDeleted() throws {
    try journal.overwrite("milk", cell: "text", mine: "oat milk", theirs: "milk")
    try journal.connection.execute("UPDATE _livesync_conflict SET key = 'gone'")
    report("phase in-step\nlost 1\nend\n")
    let sentence =
      "ben on tablet changed the text of a row after you; yours was “oat milk”; it is deleted now."
    #expect(app.status.hasPrefix(sentence) && !app.status.contains("brings"), "\(app.status)")
    try app.press("B")
    #expect(app.status.hasPrefix(sentence), "\(app.status)")
  }

  @Test(":sync shows how the file stands and who else is there, and brings back or forgets what was lost")
  func details() throws {
    try journal.lose("deleted", "First")
    try journal.lose("deleted", "Second")
    report(
      "phase in-step\nexchanged 1000\nwaiting 0\nlost 2\nversion 7\n"
        + "machine 2000\t0\tben\ttablet\nmachine 1000\t3\tanna\tphone\nend\n")
    try app.command("sync")
    #expect(app.title.hasPrefix("Other machines"))
    let page = app.texts.joined(separator: "\n")
    for words in [
      "In step with the server.", "“Home” on postgresql://anna@db/tasks; this machine is laptop.",
      "tablet (ben), last seen ", "phone (anna), last seen ", ", 3 changes since",
      "You changed “First”, which ben on tablet deleted.",
    ] {
      #expect(page.contains(words), "\(words) is not in \(page)")
    }
    report("phase offline\nsince 1000\nreason No network.\nwaiting 2\nlost 2\nend\n")
    #expect(app.texts.joined(separator: "\n").contains(": No network. 2 changed rows wait to be sent."))
    #expect(!app.texts.contains { $0.contains("left out") })
    report("phase writing\ndone 1000\ntotal 2500\nlost 2\nend\n")
    let progress = "Writing what was fetched: 1,000 of 2,500 rows so far."
    #expect(app.texts.joined(separator: "\n").contains(progress))
    report("phase in-step\nlost 2\nleft-out 3\nend\n")
    #expect(app.texts.joined(separator: "\n").contains("3 objects are left out: in a form that"))
    try app.press("j", "d")
    #expect(app.status.hasPrefix("“Second” stays as it is."))
    try app.press("Enter")
    #expect(app.status.hasPrefix("“First” is as you had it"))
    try app.settle()
    #expect(!app.texts.joined().contains("Lost to"))
    try app.press("Esc")
    #expect(app.title.contains("My Tasks") || !app.title.contains("Other machines"))
  }

  @Test("What stands above a lost change can be read where not all fits, and no change is settled unseen")
  func scrolledToTop() throws {
    try journal.lose("deleted", "First")
    let machines = (1...100).map { "machine 1000\t0\tben\ttablet \($0)\n" }.joined()
    report("phase in-step\nlost 1\n\(machines)end\n")
    try app.command("sync")
    func shows(_ text: String) -> Bool { app.texts.contains { $0.contains(text) } }
    #expect(shows("You changed “First”") && !shows("In step with"))
    try app.press("g")
    #expect(shows("In step with") && !shows("You changed “First”"))
    try app.press("Enter")
    #expect(shows("You changed “First”") && !app.status.contains("as you had it"))
    try app.press("Enter")
    #expect(app.status.hasPrefix("“First” is as you had it"))
  }

  @Test("Machines that do not fit are scrolled by as many pages as are counted")
  func manyMachines() throws {
    let machines = (1...100).map { "machine 1000\t0\tben\ttablet \($0)\n" }.joined()
    report("phase in-step\n\(machines)end\n")
    try app.command("sync")
    try app.press("PgDn", "PgDn", "PgDn", "PgUp", "PgUp")
    let page = app.rows
    try app.press("g", "3", "PgDn", "2", "PgUp")
    #expect(app.rows == page)
    try app.press("PgDn", "PgDn")
    let end = app.rows
    try app.press("g", "3", "PgDn")
    #expect(app.rows == end && end != page)
  }

  @Test("An agent that was killed is started again, and one that ends at once is not, for a minute")
  func killed() throws {
    report("phase in-step\nend\n")
    agent.end()
    app.app.lookAtSync()
    #expect(starts.count == 1)
    try agent.start()
    report("phase in-step\nend\n")
    agent.end()
    app.app.lookAtSync()
    #expect(starts.count == 1)
    app.draw()
    #expect(app.status.hasSuffix("not carried"))
    try app.press("j")
    #expect(starts.count == 1)
    app.pass(.seconds(61))
    try app.press("j")
    #expect(starts.count == 2)
    try agent.start()
    report("phase in-step\nend\n")
    #expect(app.status.hasSuffix("in step"))
    app.pass(.seconds(61))
    agent.end()
    app.app.lookAtSync()
    #expect(starts.count == 3)
  }

  @Test("Open rows are above the completed ones, and not in the archive, also where two people met apart")
  func arrivals() throws {
    let store = app.store
    func texts() throws -> [String] { try #require(store.lists.first).items.map(\.text) }
    func change(_ text: String, _ values: String) throws {
      try journal.change(text, "UPDATE TaskItem SET \(values) WHERE text = '\(text)'")
    }
    // Completed elsewhere while the others were added here.
    try change("milk", "completed = 1")
    try app.settle()
    #expect(try texts() == ["bread", "eggs", "milk"])
    // Added elsewhere while one was completed here.
    for text in ["figs", "nuts"] {
      try journal.connection.execute(
        """
        INSERT INTO TaskItem (id, text) VALUES ('\(text)', '\(text)');
        INSERT INTO TaskList_items (owner, target) SELECT owner, '\(text)' FROM TaskList_items LIMIT 1
        """)
      try change(text, "priority = 'A'")
    }
    try app.settle()
    #expect(try texts() == ["bread", "eggs", "figs", "nuts", "milk"])
    // Opened again elsewhere while it was cleared here.
    let list = try #require(store.lists.first)
    _ = try store.clearCompleted(in: RowScope(.tasks(inList: list.id)))
    try app.settle()
    #expect(try texts() == ["bread", "eggs", "figs", "nuts"])
    try change("milk", "completed = 0")
    try app.settle()
    #expect(try texts() == ["bread", "eggs", "figs", "nuts", "milk"])
    #expect(store.archive?.items.isEmpty == true && store.lists.first?.items.last?.archivedFrom == "")
    // Who may only read leaves it to others.
    try journal.connection.execute("INSERT INTO _livesync_state VALUES ('mayOnlyRead', 1)")
    try change("bread", "completed = 1")
    try app.settle()
    #expect(try texts().first == "bread")
  }

  @Test("What has come while no window was open is put right by the next one")
  func earlierArrivals() throws {
    let late = try AppHarness(["milk", "bread"], width: 100)
    let other = try JournalStandIn(late.folder("tasks.db"))
    try other.change("milk", "UPDATE TaskItem SET completed = 1 WHERE text = 'milk'")
    try late.settle()
    #expect(late.line == "[milk] bread")
    let sign = SyncSign(database: late.folder("tasks.db"))
    late.app.follow(
      sign, SyncJournal(path: late.folder("tasks.db")), start: { true }, settle: { _, _ in false })
    try late.settle()
    #expect(late.line == "bread [milk]")
  }

  @Test("Without an agent, what waits and who else is there is not known")
  func unknown() throws {
    agent.end()
    app.app.lookAtSync()
    try app.command("sync")
    #expect(app.texts.contains { $0.contains("No process carries this file now") })
    #expect(!app.texts.contains { $0.contains("Nothing waits") || $0.contains("No other machine") })
  }

  @Test("A file that is joined while its window is open is followed, and one that has left is alone")
  func joinedLater() throws {
    let late = try AppHarness(["milk"], width: 100)
    late.app.followSync = { [unowned late] in
      let sign = SyncSign(database: late.folder("tasks.db"))
      late.app.follow(
        sign, SyncJournal(path: late.folder("tasks.db")), start: { true }, settle: { _, _ in false })
    }
    let other = try JournalStandIn(late.folder("tasks.db"))
    try late.command("sync")
    #expect(late.texts.contains { $0.contains("“Home” on postgresql://anna@db/tasks") })
    try late.press("Esc")
    try other.connection.execute("DROP TABLE _livesync_state")
    try late.command("sync")
    #expect(late.status.hasPrefix("This file is on this machine alone"))
  }

  @Test("The window of a file that leaves its space says nothing of other machines any more, until it joins")
  func leaving() throws {
    report("phase in-step\nend\n")
    let state = "SELECT value FROM _livesync_state WHERE name = 'spaceName'"
    #expect(try journal.connection.firstValue(state) == .text("Home"))
    try journal.connection.execute("ALTER TABLE _livesync_state RENAME TO away")
    agent.end()
    app.app.lookAtSync()
    app.draw()
    #expect(starts.count == 0)
    #expect(!app.status.contains("not carried"), "\(app.status)")
    try journal.connection.execute("ALTER TABLE away RENAME TO _livesync_state")
    let (folder, starts) = (app.folder("tasks.db"), starts)
    app.app.followSync = { [app = app.app] in
      let sign = SyncSign(database: folder)
      app.follow(sign, SyncJournal(path: folder), start: { starts.add() }, settle: { _, _ in false })
    }
    try app.command("sync")
    #expect(app.texts.contains { $0.contains("“Home” on postgresql://anna@db/tasks") })
    try app.press("Esc")
    try agent.start()
    report("phase in-step\nend\n")
    #expect(app.status.hasSuffix("in step"), "\(app.status)")
  }

  @Test("A file that is joined to nothing says how it could be")
  func alone() throws {
    let app = try AppHarness(["milk"], width: 100)
    try app.command("sync")
    #expect(app.status.hasPrefix("This file is on this machine alone; tasks sync join URL"))
  }
}

private final class StartCount {
  private(set) var count = 0

  func add() -> Bool {
    count += 1
    return true
  }
}
