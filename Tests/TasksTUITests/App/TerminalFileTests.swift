import FoundationEssentials
import Glibc
import TerminalEmulator
import Testing

@testable import TasksTUI

/// The things that happen to the file while a window is open on it.
@Suite(
  "tasks, while its file is taken away, in a terminal", .enabled(if: !TerminalProbe.isRequested), .serialized)
struct TerminalFileTests {
  private let folder = TemporaryFolder()
  private let tasks = ChildProcess.tasks
  private var path: String { folder("tasks.db") }

  init() throws {
    #expect(try ChildProcess.run([tasks, "--file", folder("other.db"), "add", "another"]).status == 0)
    let added = try ChildProcess.run(
      [tasks, "--file", path, "add", "-"], input: "Buy milk\nCall mother\n", environment: environment)
    try #require(added.status == 0)
  }

  private var environment: [String: String] {
    ["HOME": folder.path, "XDG_STATE_HOME": folder("state"), "XDG_CONFIG_HOME": folder("config")]
  }

  private func window() throws -> PseudoWindow {
    let window = try PseudoWindow(
      tasks, ["--file", path, "--no-animation"],
      environment: environment.merging([
        "TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin",
      ]) { $1 }, in: folder.path, columns: 100)
    try window.wait(forText: "Call mother")
    try window.waitForRest()
    return window
  }

  /// A window whose file has a third row, so that there is something in its log.
  private func windowWithLog() throws -> PseudoWindow {
    let window = try window()
    window.send("a")
    try window.wait(forText: "Enter save")
    window.send("Post letter\r")
    try window.wait(for: "the row") { _ in try texts(path).contains("Post letter") }
    try window.waitForRest()
    return window
  }

  private func shell(_ command: String) throws {
    let outcome = try ChildProcess.run(["sh", "-c", "cd '\(folder.path)' && " + command])
    #expect(outcome.status == 0, "\(command): \(outcome.errors)")
  }

  /// All texts of all tasks of a file, as another program reads them.
  private func texts(_ path: String) throws -> String {
    let outcome = try ChildProcess.run([
      "sqlite3", "-cmd", ".timeout 10000", path, "select group_concat(text) from TaskItem",
    ])
    return outcome.output + outcome.errors
  }

  /// The words on the screen, wherever a sentence was broken into lines.
  private func words(_ window: PseudoWindow) -> String {
    window.screen.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private func wait(_ window: PseudoWindow, for sentence: String) throws {
    try window.wait(for: sentence) { words($0).contains(sentence) }
  }

  @Test("A window whose index another program cuts short ends with a sentence, and nothing is lost")
  func cutIndex() throws {
    let window = try window()
    try shell("truncate -s 0 tasks.db-shm")
    window.send("x")
    #expect(try window.waitForEnd() == 1)
    #expect(words(window).contains("a file beside the database was cut short by another program"))
    #expect(window.screen.modes == ScreenParser.initialModes && window.hasInitialSettings)
    #expect(try Set(texts(path).dropLast().split(separator: ",")) == ["Buy milk", "Call mother"])
    #expect(try ChildProcess.run([tasks, "--file", path, "add", "Post letter"]).status == 0)
  }

  @Test("Without a terminal, a program whose index another one cuts short says the same")
  func cutIndexOfWatch() throws {
    let watch = try ChildProcess([tasks, "--file", path, "--plain"], environment: environment)
    watch.write(Array("list\n".utf8))
    #expect(watch.waitForMore())
    try shell("truncate -s 0 tasks.db-shm")
    watch.write(Array("x\n".utf8))
    watch.closeInput()
    let outcome = try watch.finish()
    #expect(outcome.status == 1 && outcome.errors.contains("was cut short by another program"), "\(outcome)")
  }

  @Test("A file that is emptied while it is watched is said to be, within the time for a locked one")
  func emptied() throws {
    let watch = try ChildProcess([tasks, "--file", path, "watch"], environment: environment)
    _ = try watch.readLine()
    try shell("truncate -s 0 tasks.db")
    for command in [["list"], ["add", "x"], ["lists"], ["doctor"]] {
      let outcome = try ChildProcess.run([tasks, "--file", path] + command, environment: environment)
      let said = outcome.output + outcome.errors
      #expect(
        outcome.status == 1 && (said.contains("was emptied") || said.contains("is empty.")), "\(outcome)")
      #expect(said.count(where: { $0 == "\n" }) == (command == ["doctor"] ? 2 : 1), "\(said)")
    }
    watch.send(SIGTERM)
    _ = try watch.finish()
  }

  @Test(
    "A window stays, says what has become of its file, and calls nothing saved",
    arguments: [
      ("rm tasks.db", "The file was deleted or moved"),
      ("rm tasks.db*", "The file was deleted or moved"),
      ("mv tasks.db away.db", "The file was deleted or moved"),
      ("mkdir sub && mv tasks.db* sub", "The file was deleted or moved"),
      ("mv other.db tasks.db", "The file was replaced"),
      ("mv tasks.db away.db && cp other.db tasks.db", "The file was replaced"),
      ("rm tasks.db* && mkdir tasks.db", "The file was replaced"),
      ("rm tasks.db* && mkfifo tasks.db", "The file was replaced"),
      ("rm tasks.db* && sqlite3 tasks.db 'create table x (y)'", "The file was replaced"),
      ("rm tasks.db-wal", "A part of the file was removed"),
      ("rm tasks.db-shm", "A part of the file was removed"),
      ("cp other.db tasks.db", "The file was written over"),
      ("truncate -s 0 tasks.db", "The file was written over"),
      ("truncate -s 0 tasks.db-wal", "The log of the file was cut off"),
    ])
  func taken(command: String, sentence: String) throws {
    let window = try windowWithLog()
    try shell(command)
    // Where no name has changed, a key that writes finds out.
    let isNameChanged = !sentence.contains("written over") && !sentence.contains("cut off")
    if isNameChanged {
      try wait(window, for: sentence)
      try wait(window, for: "nothing is saved")
      #expect(window.screen.text.contains("Buy milk") && window.screen.text.contains("Post letter"))
    }
    window.send("a")
    try window.waitForRest()
    window.send("PRECIOUS\r")
    try wait(window, for: sentence)
    try window.waitForRest()
    if isNameChanged {
      try wait(window, for: "Nothing was saved.")
      #expect(window.screen.text.contains("PRECIOUS"), "the text waits to be saved")
    }
    for file in ["tasks.db", "away.db", "sub/tasks.db"] {
      var status = stat()
      // Of an empty database sqlite3 deletes the log.
      guard stat(folder(file), &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
        continue
      }
      #expect(try !texts(folder(file)).contains("PRECIOUS"), "\(file)")
    }
    // It is still there and takes keys; without a name, there is nothing that it could be put down in.
    // Escape and a key that follows at once are another key: while it may be one, the window is not at rest.
    window.send("\u{1B}")
    try window.wait(forText: "Not saved; ")
    try window.waitForRest()
    window.send("?")
    try window.wait(forText: "Keys")
    window.send("q")
    try window.wait(for: "the rows") { !$0.screen.text.contains("Keys") && $0.isAtRest }
    #expect(words(window).contains(sentence))
    try window.quit()
  }

  @Test(
    "A file that is put back is followed and written to again, without a key",
    arguments: [
      ("mv tasks.db away.db", "mv away.db tasks.db"),
      ("mkdir sub && mv tasks.db* sub", "mv sub/tasks.db* ."),
      ("mv tasks.db away.db && cp other.db tasks.db", "mv away.db tasks.db"),
      ("mv tasks.db away.db && mkdir tasks.db", "rmdir tasks.db && mv away.db tasks.db"),
      ("mv tasks.db-wal away", "mv away tasks.db-wal"),
    ])
  func putBack(away: String, back: String) throws {
    let window = try window()
    try shell(away)
    try wait(window, for: "nothing is saved")
    window.send("j")
    try window.wait(for: "the cursor") { $0.screen.text.contains("› Call mother") }
    try shell(back)
    try wait(window, for: "The file can be used again.")
    #expect(!words(window).contains("nothing is saved") && window.screen.text.contains("› Call mother"))
    try shell("sqlite3 tasks.db \"update TaskItem set text = 'Bread' where text = 'Buy milk'\"")
    try window.wait(forText: "Bread")
    window.send("d")
    try window.wait(for: "the rows") { $0.screen.text.contains("› Bread") }
    let stored = try texts(path)
    #expect(stored == "Bread\n", "\(window.screen.text)")
    try window.quit()
  }

  @Test(
    "A file that gets the name of one in a window keeps its rows, and the window's file has its own",
    arguments: ["mv tasks.db away.db && cp other.db tasks.db", "ln tasks.db away.db && mv other.db tasks.db"])
  func anotherByTheName(command: String) throws {
    let window = try windowWithLog()
    try shell(command)
    try wait(window, for: "nothing is saved")
    for command in [["list"], ["add", "LOST"], ["doctor"], ["export"], ["backup", folder("copy.db")]] {
      let outcome = try ChildProcess.run([tasks, "--file", path] + command, environment: environment)
      #expect(outcome.status == 1 && outcome.output.isEmpty)
      #expect(outcome.errors.contains("is not the file that is open by this name"), "\(outcome)")
      #expect(outcome.errors.contains("quit every program that uses"))
    }
    #expect(access(folder("copy.db"), F_OK) != 0)
    try window.quit()
    let list = try ChildProcess.run([tasks, "--file", path, "list"], environment: environment)
    #expect(list.output == "[ ] another\n", "\(list)")
    #expect(try texts(path) == "another\n")
    let own = try Set(texts(folder("away.db")).dropLast().split(separator: ","))
    #expect(own == ["Buy milk", "Call mother", "Post letter"])
  }

  @Test("What is being typed when the file goes is kept, and saved when it is back", arguments: ["a", "e"])
  func typing(key: String) throws {
    let window = try window()
    window.send(key)
    try window.wait(forText: "Enter save")
    window.send(" PRECIOUS")
    try window.wait(forText: "PRECIOUS")
    try shell("mv tasks.db away.db")
    try wait(window, for: "nothing is saved")
    window.send(" more\r")
    try wait(window, for: "Nothing was saved.")
    #expect(try !texts(folder("away.db")).contains("PRECIOUS"))
    try shell("mv away.db tasks.db")
    try wait(window, for: "The file can be used again.")
    #expect(window.screen.text.contains("PRECIOUS more"))
    window.send(" text\r")
    try window.wait(for: "the row") { _ in try texts(path).contains("PRECIOUS more text") }
    try window.wait(for: "the end of typing") { $0.screen.text.contains("q quit") }
    try window.quit()
  }

  @Test("A text whose row has changed when the file comes back is not written over the other one")
  func contested() throws {
    let window = try window()
    window.send("e")
    try window.wait(forText: "Enter save")
    window.send(" of mine")
    try window.wait(forText: "of mine")
    try shell("mv tasks.db away.db")
    try wait(window, for: "nothing is saved")
    // By somebody who knows it by its other name, and its log.
    try shell(
      "for part in wal shm; do ln tasks.db-$part away.db-$part; done; "
        + "sqlite3 away.db \"update TaskItem set text = 'Milk of theirs' where text = 'Buy milk'\"; "
        + "rm -f away.db-*; mv away.db tasks.db")
    // Told when the file is back. Enter before that would be meant for one's own text.
    try wait(window, for: "Changed elsewhere")
    #expect(try texts(path).contains("Milk of theirs"))
    window.send("\u{1B}")
    try window.wait(forText: "Theirs is kept")
    #expect(window.screen.text.contains("Milk of theirs"))
    try window.quit()
  }

  @Test("A table that is lost and put back is shown again as soon as it is there")
  func table() throws {
    let window = try window()
    try shell("sqlite3 tasks.db 'pragma legacy_alter_table = on; alter table TaskItem rename to Away'")
    try wait(window, for: "has removed the table TaskItem")
    #expect(window.screen.text.contains("Buy milk"))
    window.send("d")
    try wait(window, for: "Nothing was saved.")
    try shell(
      "sqlite3 tasks.db \"pragma legacy_alter_table = on; alter table Away rename to TaskItem; "
        + "update TaskItem set text = 'Bread' where text = 'Buy milk'\"")
    try window.wait(forText: "Bread")
    window.send("d")
    try window.wait(for: "the rows") { $0.screen.text.contains("› Call mother") }
    let stored = try texts(path)
    #expect(stored == "Call mother\n", "\(window.screen.text)")
    try window.quit()
  }

  @Test("A window whose file is marked as another's, and as its own again, follows it")
  func marking() throws {
    let window = try window()
    try shell("sqlite3 tasks.db 'pragma user_version = 3'")
    try wait(window, for: "nothing is saved")
    try shell("sqlite3 tasks.db \"pragma user_version = 6; update TaskItem set text = 'Bread'\"")
    try window.wait(forText: "Bread")
    try window.quit()
  }

  @Test(
    "A window that comes back from Ctrl-Z to a file that is gone says so, shows its rows, and follows it again"
  )
  func stopped() throws {
    let window = try PseudoWindow.resuming(tasks, in: folder)
    try window.wait(forText: "Call mother")
    try window.waitForRest()
    let program = window.foreground
    // It goes on at once; the file is away meanwhile or a moment later.
    try shell("mv tasks.db away.db")
    kill(program, SIGTSTP)
    try window.wait(for: "the sentence") { words($0).contains("deleted or moved") && $0.isAtRest }
    #expect(window.screen.text.contains("Call mother"))
    try shell("mv away.db tasks.db")
    try wait(window, for: "The file can be used again.")
    window.send("q")
    // Its shell has given the terminal settings of its own.
    #expect(try window.waitForEnd() == 0 && window.screen.modes == ScreenParser.initialModes)
  }

  @Test("A file that is restored by SQLite from a copy that went another way is shown as it is")
  func restored() throws {
    let window = try window()
    try shell("sqlite3 tasks.db '.backup copy.db'")
    try shell("sqlite3 copy.db \"update TaskItem set text = 'Bread'\"")
    window.send("d")
    try window.wait(for: "the rows") { $0.screen.text.contains("› Call mother") }
    try shell("sqlite3 tasks.db '.restore copy.db'")
    try window.wait(forText: "Bread")
    try window.quit()
  }

  @Test("tasks restore, and going back from there, are shown by an open window, which goes on")
  func restoredByCommand() throws {
    let window = try window()
    try shell("'\(tasks)' --file tasks.db backup copy.db")
    window.send("d")
    try window.wait(forText: "1 open")
    try shell("'\(tasks)' --file tasks.db restore copy.db")
    try window.wait(forText: "2 open")
    #expect(try Set(texts(path).dropLast().split(separator: ",")) == ["Buy milk", "Call mother"])
    try shell("'\(tasks)' --file tasks.db restore tasks.db.before-restore")
    try window.wait(forText: "1 open")
    #expect(try texts(path) == "Call mother\n")
    window.send("d")
    try window.wait(for: "the deletion") { _ in try texts(path) == "\n" }
    try window.quit()
  }

  @Test("tasks watch ends with a sentence and status 1 when its file is taken away")
  func watch() throws {
    let watch = try ChildProcess([tasks, "--file", path, "watch"])
    _ = try watch.readLine()
    try shell("rm tasks.db")
    let outcome = try watch.finish()
    #expect(outcome.status == 1 && outcome.errors.contains("The file was deleted or moved"), "\(outcome)")
  }

  @Test("tasks --plain says that nothing was added to a file that is gone, and adds to it when it is back")
  func plain() throws {
    let plain = try ChildProcess([tasks, "--file", path, "--plain"], environment: environment)
    while let line = try plain.readLine(), !line.contains("Type help") {}
    try shell("mv tasks.db away.db")
    while let line = try plain.readLine(), !line.contains("deleted or moved") {}
    plain.write(Array("add PRECIOUS\n".utf8))
    while let line = try plain.readLine(), !line.contains("Nothing was saved.") {
      #expect(!line.contains("Added"))
    }
    try shell("mv away.db tasks.db")
    while let line = try plain.readLine(), !line.contains("can be used again") {}
    plain.write(Array("add Bread\n".utf8))
    while let line = try plain.readLine(), !line.contains("Added: Bread") {}
    try shell("rm tasks.db")
    plain.write(Array("add PRECIOUS\n".utf8))
    let outcome = try plain.finish()
    #expect(outcome.status == 1 && !outcome.output.contains("Added"), "\(outcome)")
  }
}
