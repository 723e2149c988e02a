import Foundation
import LiveStore
import Programs
import TestSupport
import Testing

@testable import LiveStoreSync

/// How a file stands, and who has access, as `tasks sync` tells people.
extension SyncProgramTests {
  /// Stands in for an agent that is in step, as far as it has noticed.
  private func standIn(exchanged: Int64) throws -> AgentFile {
    let place = try #require(try AgentFile(database: anna.file))
    var status = SyncStatus()
    status.enter(.inStep)
    status.exchanged = exchanged
    #expect(place.write(status.text))
    return place
  }

  private var threeDaysAgo: Int64 { WallClock.milliseconds - 3 * 86_400_000 }

  @Test("Where the server hangs and the agent has not noticed, the status says that, and how much waits")
  func hangingServer() throws {
    try share()
    let agent = try standIn(exchanged: threeDaysAgo)
    defer { withExtendedLifetime(agent) {} }
    let listener = LocalListener()
    defer { close(listener.socket) }
    try Connection(path: anna.file, create: false).execute(
      """
      UPDATE _livesync_state
      SET value = 'postgresql://anna@127.0.0.1:\(listener.port)/tasks?connect_timeout=1' WHERE name = 'url'
      """)
    #expect(try anna.tasks("add", "Call Ben").status == 0)
    let status = try anna.tasks("sync", "status").output
    #expect(
      !status.contains("In step") && status.contains("/tasks has not answered within a second"), "\(status)")
    #expect(status.contains(" Last exchange 3 days ago.\n1 changed row waits to be sent.\n"), "\(status)")
    let json = try anna.tasks("sync", "status", "--json").output
    #expect(json.contains(#""phase":"connecting""#) && json.contains("has not answered within"), "\(json)")
  }

  @Test("An agent that has only begun is not said to be in step while changes wait")
  func waitingForFirstExchange() throws {
    try share()
    #expect(try anna.tasks("add", "Call Ben").status == 0)
    for (exchanged, words) in [
      (0, "\nNot everything is exchanged yet.\n"),
      (threeDaysAgo, "\nNot everything is exchanged yet; last exchange 3 days ago.\n"),
    ] {
      let agent = try standIn(exchanged: exchanged)
      let status = try anna.tasks("sync", "status").output
      #expect(status.contains(words + "1 changed row waits to be sent.\n"), "\(status)")
      withExtendedLifetime(agent) {}
    }
  }

  @Test(
    "A full disk of this machine is told by its agent, with what to do, and not as a lost network",
    .enabled(if: Program.canMount, "no file system may be mounted here"))
  func fullDisk() throws {
    try share()
    #expect(try ben.tasks("add", "Long").status == 0)
    try Connection(path: ben.file, create: false).execute(
      "UPDATE TaskItem SET notes = printf('%.*c', 400000, 'x')")
    #expect(try ben.tasks("sync", "run", "--once").status == 0)
    let disk = TemporaryFolder()
    let script = """
      mount -t tmpfs -o size=1m none "$0" || exit 99
      sqlite3 "$2" ".backup '$0/tasks.db'" || exit 98
      cat /dev/zero > "$0/rest" 2> /dev/null
      # What is left is enough for the files beside the database, and not for what comes.
      truncate -s -120K "$0/rest"
      "$1" --file "$0/tasks.db" sync run & agent=$!
      for attempt in $(seq 300); do
        "$1" --file "$0/tasks.db" sync status > "$HOME/said" 2>&1
        grep -q full "$HOME/said" && break
        grep -q Offline "$HOME/said" && break
      done
      kill $agent; wait $agent
      cat "$HOME/said"
      """
    let said = try anna.run(
      ["unshare", "-m", "sh", "-c", script, disk.path, Program.built("tasks"), anna.file])
    #expect(said.status == 0 && !said.output.contains("Offline"), "\(said)")
    #expect(said.output.contains("\nNothing is exchanged: The disk is full; make room for “"), "\(said)")
  }

  @Test("Who may only read is told so, and what becomes of changes")
  func reader() throws {
    try share()
    #expect(try !ben.tasks("sync", "status").output.contains("only read"))
    #expect(try anna.tasks("sync", "share", "ben", "--read").status == 0)
    try exchange(ben)
    let status = try ben.tasks("sync", "status").output
    #expect(status.contains("\nYou may only read it: what you change here is taken back.\n"), "\(status)")
    #expect(try ben.tasks("sync", "status", "--json").output.contains(#""mayOnlyRead":true"#))
    #expect(try anna.tasks("sync", "status", "--json").output.contains(#""mayOnlyRead":false"#))
  }

  @Test("The members of a space are listed with what each may do, and the spaces that one may use")
  func members() throws {
    try share()
    #expect(try anna.tasks("sync", "share", "cleo", "--read").status == 0)
    for person in [anna, ben] {
      let members = try person.tasks("sync", "share")
      #expect(members.output == "anna  manage\nben  write\ncleo  read\n" && members.status == 0, "\(members)")
    }
    #expect(
      try anna.tasks("sync", "share", "--json").output
        == #"{"members":[{"right":"manage","role":"anna"},{"right":"write","role":"ben"},"#
        + #"{"right":"read","role":"cleo"}],"schema":1}"# + "\n")
    let word = try anna.tasks("sync", "share", "--read")
    #expect(word.status == 2 && word.errors.contains("share needs the name of a role"), "\(word)")
    for (person, spaces) in [("anna", "anna/tasks  manage\n"), ("cleo", "anna/tasks  read\n")] {
      #expect(try ben.tasks("sync", "spaces", url(person)).output == spaces)
    }
    let none = try ben.tasks("sync", "spaces", url("eve"))
    #expect(none.status == 0 && none.output.hasPrefix("There is no space that eve may use"), "\(none)")
    let unnamed = try ben.tasks("sync", "spaces")
    #expect(unnamed.status == 2 && unnamed.errors.contains("needs the address"), "\(unnamed)")
  }

  @Test("Another person's space is named with its owner, and a server with a port that is not the usual one")
  func names() throws {
    try share()
    let port = database.cluster.port
    let own = try anna.tasks("sync", "status").output
    #expect(own.hasPrefix("“tasks” on "), "\(own)")
    let status = try ben.tasks("sync", "status").output
    #expect(status.hasPrefix("“anna/tasks” on "), "\(status)")
    let moved = try ben.tasks("sync", "address", "postgresql://ben@127.0.0.1:\(port)/\(database.name)")
    #expect(moved.output.contains("127.0.0.1:\(port)/\(database.name) from now on"), "\(moved)")
    let unprepared = try TestDatabase(isPrepared: false)
    let asked = try ben.tasks("sync", "spaces", unprepared.url(as: "ben").text)
    #expect(asked.errors.contains("ask its owner to run `tasks sync init`"), "\(asked)")
    let blank = try ben.tasks("sync", "join", url("ben"), "--space", "   ")
    #expect(blank.status == 1 && blank.errors.contains("A space needs a name"), "\(blank)")
  }
}
