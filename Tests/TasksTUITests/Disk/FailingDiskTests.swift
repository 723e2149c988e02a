import FoundationEssentials
import Glibc
import LiveStoreFixtures
import TerminalEmulator
import TestSupport
import Testing

@testable import TasksTUI

/// The real program, whose calls for the files of a folder fail.
@Suite("tasks on a failing disk", .enabled(if: !TerminalProbe.isRequested), .serialized)
struct FailingDiskTests {
  /// The folder on the disk that fails.
  let disk = TemporaryFolder()
  /// The files beside it.
  let folder = TemporaryFolder()
  let tasks = ChildProcess.tasks
  let failing: FailingDisk
  var file: String { disk("tasks.db") }
  var report: String { folder("report") }

  init() throws {
    failing = try FailingDisk(folder: disk.path)
  }

  /// Something that is asked of the program.
  enum Work: String, CaseIterable, CustomTestStringConvertible {
    case add, addToNewFile, addFully, done, list, script

    var testDescription: String { rawValue }

    fileprivate var arguments: [String] {
      switch self {
      case .add, .addToNewFile, .addFully: ["add", "new"]
      case .done: ["done", "two"]
      case .list: ["list"]
      case .script: ["--script", "-"]
      }
    }

    fileprivate var input: String { self == .script ? "keys a\ntype new\nkeys Enter\nsave -\n" : "" }
  }

  private func environment(_ more: [String: String] = [:]) -> [String: String] {
    [
      "TASKS_FILE": file, "HOME": folder.path, "XDG_STATE_HOME": folder.path, "XDG_CONFIG_HOME": folder.path,
      "SWIFT_BACKTRACE": "enable=no",
    ].merging(more) { $1 }
  }

  private func run(_ work: Work, failing plan: FailingDisk.Plan? = nil) throws -> ChildProcess.Outcome {
    unlink(report)
    var more = plan.map { failing.environment($0, report: report) } ?? [:]
    if work == .addFully { more["TASKS_DURABILITY"] = "full" }
    return try ChildProcess.run([tasks] + work.arguments, input: work.input, environment: environment(more))
  }

  /// Puts a file with three tasks in place of what is there.
  private func prepare(_ work: Work = .add) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: disk.path) { unlink(disk(name)) }
    if work == .addToNewFile { return }
    let outcome = try ChildProcess.run(
      [tasks, "add", "-"], input: "one\ntwo\nthree\n", environment: environment())
    try #require(outcome.status == 0)
  }

  /// The texts of the tasks, each with an x when it is completed, as another program reads them; the file has
  /// to be whole.
  private func contents(_ comment: String) throws -> [String] {
    guard access(file, F_OK) == 0 else { return [] }
    let check = try ChildProcess.run([
      "sqlite3", "-batch", file, "pragma integrity_check; pragma foreign_key_check",
    ])
    #expect(check.output == "ok\n", "\(check): \(comment)")
    let rows = try ChildProcess.run([
      "sqlite3", "-batch", file, "select text, iif(completed, 'x', '') from TaskItem order by text",
    ])
    return rows.output.split(separator: "\n").map { String($0.replacing("|", with: "")) }
  }

  /// The three tasks after the work.
  private func result(of work: Work) -> [String] {
    switch work {
    case .add, .addFully, .script: ["new", "one", "three", "two"]
    case .addToNewFile: ["new"]
    case .done: ["one", "three", "twox"]
    case .list: ["one", "three", "two"]
    }
  }

  @Test(
    "Whatever call fails: the work is done, or one sentence says why not, the file is as it was, and it works again",
    arguments: Work.allCases)
  func commands(_ work: Work) throws {
    try withSeed { random in
      for kind in FailingDisk.Plan.kinds {
        try prepare(work)
        let unharmed = try run(work, failing: kind)
        #expect(unharmed.status == 0 && unharmed.errors == "")
        let calls = try #require(FailingDisk.report(report)).calls
        #expect(calls > 10)
        var outcomes: [String: Int] = [:]
        for call in (1...calls).sample(3, using: &random) {
          try prepare(work)
          let before = try contents("before")
          let outcome = try run(work, failing: kind.at(call))
          let met = FailingDisk.report(report)?.first ?? ""
          let comment = "\(work), \(kind.at(call)), \(met): \(outcome) \(random.comment)"
          let after = try contents(comment)
          if outcome.status == 0 {
            #expect(after == result(of: work) && outcome.errors == "", "\(comment)")
            if work == .list { #expect(outcome == unharmed, "\(comment)") }
          } else {
            #expect(outcome.status == 1 && outcome.errors.isSentence, "\(comment)")
            // A script may have failed after its change, and what was in the log when the disk refused to
            // sync it is found there by the next program.
            let mayBeDone = work == .script || work == .addFully && met.hasPrefix("sync")
            #expect(after == before || mayBeDone && after == result(of: work), "\(comment)")
            if after == before {
              let again = try run(work)
              #expect(again.status == 0 && again.errors == "", "\(again) after \(comment)")
              #expect(try contents(comment) == result(of: work), "\(comment)")
            }
          }
          outcomes[outcome.status == 0 ? "unharmed" : outcome.errors, default: 0] += 1
        }
        print("\(work), \(kind), \(calls) calls: \(outcomes)")
      }
    }
  }

  @Test("What is done is not called failed because a read fails after it", arguments: [Work.add, .done])
  func readsAfterwards(_ work: Work) throws {
    let kind = FailingDisk.Plan(.error, goesOn: false)
    try prepare(work)
    _ = try run(work, failing: kind)
    let calls = try #require(FailingDisk.report(report)).calls
    for call in stride(from: 1, through: calls, by: cases(1, sample: 4)) {
      try prepare(work)
      let outcome = try run(work, failing: kind.at(call))
      guard FailingDisk.report(report)?.first.hasPrefix("read") == true else { continue }
      let isDone = try contents("\(outcome)") == result(of: work)
      #expect((outcome.status == 0) == isDone, "\(work), call \(call): \(outcome)")
    }
  }

  @Test(
    "Whatever call fails, the app does its work or says a sentence, and gives the terminal back")
  func app() throws {
    try withSeed { random in
      for kind in FailingDisk.Plan.kinds {
        try prepare()
        #expect(try session(kind, "").isEmpty)
        let calls = try #require(FailingDisk.report(report)).calls
        for call in (1...calls).sample(3, using: &random) {
          try prepare()
          let words = try session(kind.at(call), random.comment)
          print("app, \(kind.at(call)) of \(calls), \(FailingDisk.report(report)?.first ?? ""): \(words)")
          let again = try run(.list)
          #expect(again.status == 0 && again.errors == "", "\(kind.at(call)): \(random.comment)")
        }
      }
    }
  }

  /// Adds a task and completes one in a terminal, and quits. What the program says of errors.
  private func session(_ plan: FailingDisk.Plan, _ seed: String) throws -> String {
    unlink(report)
    let environment = environment(failing.environment(plan, report: report))
    let window = try PseudoWindow(
      tasks, ["--no-animation"],
      environment: environment.merging([
        "TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin",
      ]) { $1 }, in: folder.path, columns: 160)
    var shown = ""
    try window.wait(for: "the app") { $0.hasHungUp || ($0.screen.modes.contains(2004) && $0.isAtRest) }
    shown += window.screen.text
    // As commands, whose line is painted while they are typed and gone when they have been followed.
    for command in [":add new\r", ":complete\r"] where !window.hasHungUp {
      let frames = window.screen.frames
      window.send(command)
      try window.wait(for: command) {
        // The same complaint as before is not painted again, nor that of a window on a copy.
        $0.hasHungUp
          || $0.isAtRest && !$0.screen.text(line: 23).hasPrefix(":")
            && ($0.screen.frames > frames || $0.screen.text.isComplaint
              || $0.screen.text.contains("This window is read-only."))
      }
      while window.read(for: 0) {}
      shown += "\n" + window.screen.text
    }
    if !window.hasHungUp { window.send("q") }
    let status = try window.waitForEnd()
    shown += "\n" + window.screen.text
    let met = FailingDisk.report(report)?.first ?? ""
    let comment = "\(plan), \(met), status \(status), \(seed)\n\(shown)"
    #expect(status == 0 || status == 1, "\(comment)")
    #expect(window.screen.modes == ScreenParser.initialModes, "\(comment)")
    let after = try contents(comment)
    let words = shown.split(separator: "\n").map(String.init).filter(\.isComplaint)
    let isDone = after.count == 4 && after.contains { $0.hasSuffix("x") }
    #expect(isDone || !words.isEmpty, "nothing was said: \(after) \(comment)")
    let texts = after.map { $0.replacing("x", with: "") }
    #expect(texts == ["one", "three", "two"] || texts == ["new", "one", "three", "two"], "\(comment)")
    return words.joined(separator: "; ")
  }

  private func withSeed(_ body: (inout SeededGenerator) throws -> Void) rethrows {
    var random = SeededGenerator()
    print(random.comment)
    try body(&random)
  }
}
