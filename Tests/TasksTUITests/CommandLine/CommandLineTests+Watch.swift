import Foundation
import Glibc
import LiveStore
import TasksModel
import TestSupport
import Testing

@testable import TasksTUI

/// The output of `tasks watch`, and its end.
extension CommandLineTests {
  @Test("watch prints each change set as a line, whoever made the change")
  func watch() throws {
    let first = String(try run("add", "one").output.dropLast())
    let watcher = try ChildProcess([tasks, "watch"], environment: ["TASKS_FILE": file])
    #expect(
      try watcher.readLine()
        == #"{"version":1,"event":"initial","items":[{"id":"\#(first)","text":"one","completed":false,\#(noDetails),"subtasks":[]}]}"#
    )

    let second = String(try run("add", "two").output.dropLast())
    #expect(
      try watcher.readLine()
        == #"{"event":"update","deletions":[],"insertions":[1],"modifications":[],"moves":[],"items":"#
        + #"{"1":{"id":"\#(second)","text":"two","completed":false,\#(noDetails),"subtasks":[]}}}"#)

    try sqlite(file, "update TaskItem set completed = 1 where text = 'one'")
    #expect(
      try watcher.readLine()
        == #"{"event":"update","deletions":[],"insertions":[],"modifications":[0],"moves":[],"items":"#
        + #"{"0":{"id":"\#(first)","text":"one","completed":true,\#(noDetails),"subtasks":[]}}}"#)

    let place = Place.tasks(inList: TaskList.firstListID)
    try withStore { store in
      let id = Identifier(second)
      try store.toggleCompleted([Identifier(first)], in: RowScope(place))
      #expect(
        try store.move([id], in: RowScope(place), by: 1).changes == .move(from: 0, to: 1))
      try store.delete([id], in: RowScope(place))
    }
    // The three may come as one change set or as several.
    var rows = [Identifier(first), Identifier(second)]
    while rows.count > 1 {
      let update = try #require(try watcher.readLine())
      rows = try JSONDecoder().decode(JSONUpdate.self, from: Data(update.utf8)).applied(to: rows)
    }
    #expect(rows.map(\.description) == [first])

    watcher.send(SIGINT)
    #expect(try watcher.finish() == .init(status: 0, output: "", errors: ""))
  }

  @Test("watch --exec runs a program for each change, with its line, and goes on when that fails")
  func watchPrograms() throws {
    try withStore { _ in }
    let told = file + ".told"
    let watcher = try ChildProcess(
      [tasks, "watch", "--exec", "cat >> '\(told)'; exit 3"], environment: ["TASKS_FILE": file])
    // It says nothing when it has begun; a change that it has missed is followed by others.
    var lines: [String] = []
    for number in 0..<500 {
      #expect(try run("add", "number \(number)").status == 0)
      let text = (try? String(contentsOfFile: told, encoding: .utf8)) ?? ""
      lines = text.split(separator: "\n").map(String.init)
      if lines.count > 2 { break }
    }
    #expect(lines.count > 2 && lines.allSatisfy { $0.hasPrefix(#"{"event":"update","deletions":[],"#) })
    #expect(lines.last?.contains(#""text":"number "#) == true, "\(lines)")
    watcher.send(SIGTERM)
    let outcome = try watcher.finish()
    #expect(outcome.status == 0 && outcome.output == "")
    let complaint = "tasks: “cat >> '\(told)'; exit 3” ended with status 3."
    #expect(outcome.errors.split(separator: "\n").allSatisfy { $0 == complaint }, "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count >= lines.count)
  }

  @Test("watch ends well by any signal that asks for it", arguments: [SIGINT, SIGTERM, SIGHUP])
  func watchSignals(signal: Int32) throws {
    try withStore { _ in }
    let watcher = try ChildProcess([tasks, "watch"], environment: ["TASKS_FILE": file])
    #expect(try watcher.readLine() == #"{"version":1,"event":"initial","items":[]}"#)
    watcher.send(signal)
    #expect(try watcher.finish() == .init(status: 0, output: "", errors: ""))
  }

  /// The program where the system gives it no inotify instance.
  private var tasksWithoutInotify: [String] {
    let script = "echo 0 > /proc/sys/user/max_inotify_instances && exec \"$0\" \"$@\""
    return ["unshare", "--user", "--map-root-user", "sh", "-c", script, tasks]
  }

  @Test("Where /proc is not mounted, no command is taken for another", .enabled(if: hasUserNamespaces))
  func withoutProc() throws {
    try withStore { _ in }
    let script = "mount -t tmpfs none /proc && exec \"$0\" \"$@\""
    let outcome = try ChildProcess.run(
      ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, tasks, "add", "one"],
      environment: ["TASKS_FILE": file])
    #expect(
      outcome
        == .init(
          status: 1, output: "", errors: "tasks: the arguments cannot be read: /proc is not mounted.\n"))
  }

  private static let hasUserNamespaces =
    (try? ChildProcess.run(["unshare", "--user", "--map-root-user", "true"]).status) == 0

  @Test(
    "Where the system watches no file, watch says so once and prints what others change all the same",
    .enabled(if: hasUserNamespaces))
  func watchWithoutInotify() throws {
    try withStore { _ in }
    let watcher = try ChildProcess(tasksWithoutInotify + ["watch"], environment: ["TASKS_FILE": file])
    #expect(try watcher.readLine() == #"{"version":1,"event":"initial","items":[]}"#)
    for text in ["one", "two", "three"] {
      #expect(try run("add", text).status == 0)
      #expect(try watcher.readLine()?.contains(#""text":"\#(text)""#) == true)
    }
    watcher.send(SIGINT)
    let outcome = try watcher.finish()
    #expect(outcome.status == 0 && outcome.output == "")
    #expect(
      outcome.errors
        == "tasks: What other programs change shows up to a tenth of a second late: the system watches no more files "
        + "for you (see fs.inotify.max_user_instances in sysctl).\n")
  }

  @Test("Where the system watches no file, the app says so once", .enabled(if: hasUserNamespaces))
  func appWithoutInotify() throws {
    let outcome = try ChildProcess.run(
      tasksWithoutInotify + ["--plain"], input: "j\n:add one\nj\nq\n", environment: ["TASKS_FILE": file])
    let told = outcome.output.split(separator: "\n").filter { $0.contains("a tenth of a second late") }
    #expect(outcome.status == 0 && told.count == 1, "\(outcome)")
  }

  @Test("watch ends when its reader has gone, without waiting for a change")
  func watchClosedPipe() throws {
    try withStore { _ in }
    let watcher = try ChildProcess([tasks, "watch"], environment: ["TASKS_FILE": file])
    _ = try watcher.readLine()
    watcher.closeOutput()
    #expect(try watcher.finish() == .init(status: 0, output: "", errors: ""))
  }

  @Test("watch can be interrupted while nobody takes what it prints")
  func watchFullPipe() throws {
    let texts = (0..<3000).map { "a task with a number, so that they take more than a pipe holds: \($0)" }
    try withStore { try $0.add(texts, to: .tasks(inList: TaskList.firstListID)) }
    let watcher = try ChildProcess([tasks, "watch"], environment: ["TASKS_FILE": file])
    #expect(watcher.waitForMore())
    watcher.send(SIGTERM)
    #expect(try watcher.finish().status == 0)
  }

  @Test("watch ends with a sentence when its list is deleted")
  func watchDeletedList() throws {
    try withStore { _ in }
    let watcher = try ChildProcess([tasks, "watch"], environment: ["TASKS_FILE": file])
    _ = try watcher.readLine()
    try withStore { _ = try $0.delete([TaskList.firstListID], in: RowScope(.lists)) }
    let outcome = try watcher.finish()
    #expect(outcome.status == 1)
    #expect(outcome.errors == "tasks: the list “My Tasks” has been deleted.\n")
  }
}

/// A line of `tasks watch`, read as its reader would.
struct JSONUpdate: Decodable {
  var deletions: [Int]
  var insertions: [Int]
  var items: [String: JSONRow]

  func applied(to rows: [Identifier]) throws -> [Identifier] {
    var rows = rows
    for index in deletions.reversed() { rows.remove(at: index) }
    for index in insertions { rows.insert(try #require(items[String(index)]).id, at: index) }
    // The others are modified. Even the task may be another: SQLite may give the number of an entry that was
    // deleted to the next one, which then stands for the same place.
    for (key, item) in items {
      let index = try #require(Int(key))
      if !insertions.contains(index) { rows[index] = item.id }
    }
    return rows
  }
}
