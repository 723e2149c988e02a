import CLinux
import Glibc
import SyncSigns
import TasksModel
import TestSupport
import Testing

@testable import TasksTUI

@Suite("The sign of the agent that carries the file")
struct SyncSignTests {
  @Test("The bottom line says how the file stands; what lost, and why the server refuses, is said once")
  func words() throws {
    let app = try AppHarness(["one"], width: 120)
    let database = app.folder("tasks.db")
    let sign = SyncSign(database: database)
    app.app.syncSign = sign
    #expect(sign.status.words == nil)
    let agent = try AgentStandIn(database)

    func look(_ text: String) -> String {
      agent.write(text)
      app.app.lookAtSync()
      app.draw()
      return app.status
    }
    #expect(look("phase in-step\nwaiting 0\nlost 0\nreason \n").hasSuffix("in step"))
    #expect(look("phase in-step\nwaiting 3\nlost 0\nreason \n").hasSuffix("3 to send"))
    #expect(
      look("phase in-step\nwaiting 0\nlost 1\nreason \n")
        .hasPrefix("1 of your changes lost to those of others; :sync shows them."))
    _ = look("phase offline\nwaiting 2\nlost 1\nreason No network.\n")
    #expect(sign.status.words == "offline, 2 to send")
    #expect(look("phase refused\nwaiting 2\nlost 1\nreason Set the clock.\n").hasPrefix("Set the clock."))
    #expect(sign.status.words == "not in step, 2 to send")
    let healed = look("phase in-step\nwaiting 0\nlost 1\nreason \n")
    #expect(!healed.contains("Set the clock.") && healed.hasSuffix("in step"), "\(healed)")
    #expect(look("phase in-step\nmay-only-read 1\n").hasSuffix("in step, read only"))
    #expect(look("phase disk-full\nwaiting 2\nreason The disk is full.\n").hasPrefix("The disk is full."))
    #expect(sign.status.words == "disk full, 2 to send")
    #expect(look("phase sending\ndone 10000\ntotal 250000\n").hasSuffix("sending 10,000 of 250,000"))
    #expect(look("phase fetching\ndone 34000\ntotal 0\n").hasSuffix("fetching 34,000"))
  }

  @Test("A long message leaves room for the sign, which is whole or not there", arguments: 30...120)
  func longMessage(width: Int) throws {
    let app = try AppHarness(["one"], width: width)
    let sign = SyncSign(database: app.folder("tasks.db"))
    app.app.syncSign = sign
    let agent = try AgentStandIn(app.folder("tasks.db"))
    agent.write("phase offline\nwaiting 1234\nend\n")
    app.app.lookAtSync()
    let words = "● \(try #require(sign.status.words))"
    app.draw()
    #expect(app.texts.last?.hasSuffix(words) == true, "\(app.texts)")
    for message in ["Short.", "A message of some sixty columns. The end of it is that u undoes."] {
      app.app.context.say(message)
      app.draw()
      let last = try #require(app.texts.last)
      #expect(last.hasSuffix(words) || !last.contains("●"), "\(app.texts)")
      #expect(last.hasSuffix(words) || width < 60, "\(app.texts)")
      #expect(app.status.contains("u undoes.") || message == "Short.")
    }
  }

  @Test("A file that is reached by a symbolic link has the sign of the file's agent")
  func link() throws {
    let app = try AppHarness(["one"])
    let agent = try AgentStandIn(app.folder("tasks.db"))
    agent.write("phase in-step\nend\n")
    #expect(symlink(app.folder("tasks.db"), app.folder("link.db")) == 0)
    #expect(SyncSign(database: app.folder("link.db")).status.phase == .inStep)
  }

  @Test(
    "What stands in the place of the agent's file is neither followed nor waited for, and is said",
    arguments: ["FIFO", "folder", "symbolic link", "hard link to the database"])
  func planted(what: String) throws {
    let app = try AppHarness(["one"], width: 200)
    let database = app.folder("tasks.db")
    switch what {
    case "FIFO": try #require(mkfifo(database + "-sync", 0o600) == 0)
    case "folder": try #require(mkdir(database + "-sync", 0o700) == 0)
    case "symbolic link": try #require(symlink("tasks.db-live", database + "-sync") == 0)
    default: try #require(CLinux.link(database, database + "-sync") == 0)
    }
    _ = try JournalStandIn(database)
    app.app.syncSign = SyncSign(database: database)
    app.app.context.syncJournal = SyncJournal(path: database)
    app.app.showSync()
    app.draw()
    let screen = app.texts.joined(separator: "\n")
    #expect(screen.contains("How the file stands cannot be seen: "), "\(screen)")
  }

  @Test("A window that only reads makes no file for an agent, and sees one that comes later")
  func readOnly() throws {
    let app = try AppHarness(["one"])
    let database = app.folder("tasks.db")
    let sign = SyncSign(database: database, createsFile: false)
    #expect(sign.status.words == nil && fileStatus(database + "-sync") == nil)
    let agent = try AgentStandIn(database)
    agent.write("phase in-step\nend\n")
    #expect(sign.look() && sign.status.words == "in step")
  }

  @Test("When the agent has ended, however that was, the sign goes")
  func end() throws {
    let app = try AppHarness(["one"], width: 120)
    let sign = SyncSign(database: app.folder("tasks.db"))
    var agent: AgentStandIn? = try AgentStandIn(app.folder("tasks.db"))
    agent?.write("phase in-step\nend\n")
    #expect(sign.look() && sign.status.words == "in step")
    agent = nil
    var descriptor = pollfd(fd: sign.fileDescriptor, events: Int16(POLLIN), revents: 0)
    repeat {
      try #require(poll(&descriptor, 1, Patience.milliseconds) == 1)
      _ = sign.look()
    } while sign.status.phase != .stopped
  }

  @Test("A report that is shorter than the one before ends where it says so")
  func longerBefore() {
    let status = SyncStatus(
      text: "phase in-step\nversion 7\nmachine 9\t2\tben\ttablet\nend\nmachine 1\t1\tx\ty\nphase refused\n")
    #expect(status.phase == .inStep)
    #expect(status.machines == [.init(replica: 0, role: "ben", name: "tablet", seen: 9, version: 5)])
  }
}
