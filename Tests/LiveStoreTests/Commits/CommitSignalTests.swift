import Glibc
import TestSupport
import Testing

@testable import LiveStore

@Suite("The signal file")
struct CommitSignalTests {
  @Test("A signal file that was given another name is made again after some posts")
  func movedSignalFile() {
    let fixture = WatchedDatabase()
    let signal = CommitSignal(databasePath: fixture.path)
    #expect(rename(fixture.path + "-live", fixture.path + "-moved") == 0)
    for _ in 0..<64 { signal.post() }
    #expect(access(fixture.path + "-live", F_OK) == 0)
    unlink(fixture.path + "-moved")
  }

  @Test(
    "It lies next to the database, with the database's permissions",
    arguments: [0o600, 0o640, 0o664] as [mode_t])
  func permissions(mode: mode_t) {
    let fixture = WatchedDatabase()
    chmod(fixture.path, mode)
    CommitSignal(databasePath: fixture.path).post()
    let status = fileStatus(fixture.path + "-live")
    #expect(status?.st_mode == S_IFREG | mode && status?.st_size == 8)
  }

  @Test("A link or a FIFO under its name is left alone")
  func planted() {
    let fixture = WatchedDatabase()
    let victim = fixture.directory.path + "/victim"
    #expect(runProgram("sh", "-c", "printf precious > '\(victim)'; ln -s victim '\(fixture.path)-live'") == 0)
    let signal = CommitSignal(databasePath: fixture.path)
    signal.post()
    #expect(runProgram("grep", "-qx", "precious", victim) == 0)
    unlink(fixture.path + "-live")
    mkfifo(fixture.path + "-live", 0o600)
    signal.post()
    #expect(fileStatus(fixture.path + "-live").map { $0.st_mode & S_IFMT } == S_IFIFO)
  }

  @Test("A post without a directory does nothing")
  func missing() {
    CommitSignal(databasePath: "/nonexistent/tasks.db").post()
  }

  @Test("The locks that SQLite holds on the database survive every call")
  func locks() throws {
    let fixture = WatchedDatabase()
    fixture.connection.rows("begin immediate")
    let signal = CommitSignal(databasePath: fixture.path)
    signal.post()
    let subscription = try CommitWatcher.shared.subscribe(path: fixture.path) { _ in .moreMayFollow }
    unlink(fixture.path + "-live")
    signal.post()
    subscription.cancel()
    #expect(runProgram("sqlite3", "-bail", fixture.path, "insert into t values (1)") != 0)
    fixture.connection.rows("rollback")
    #expect(runProgram("sqlite3", "-bail", fixture.path, "insert into t values (1)") == 0)
  }
}
