import Foundation
import Programs
import TestSupport
import Testing

@testable import LiveStoreSync

/// A window of a person that reads lines instead of keys, until it is released.
private final class PlainWindow {
  private let process: RunningProgram
  private let lines: PrivatePipe
  private let output: URL

  init(of person: Person, _ options: String...) throws {
    lines = try PrivatePipe()
    output = person.home.appendingPathComponent("window \(options)")
    process = try person.startPlain(options, reading: lines.reading, writing: output)
    lines.closeReading()
    try wait(for: "Type help")
  }

  deinit { _ = process.kill() }

  func type(_ line: String) {
    _ = (line + "\n").withCString { write(lines.writing, $0, strlen($0)) }
  }

  func wait(for words: String) throws {
    let deadline = ContinuousClock.now + Patience.duration
    while try !String(contentsOf: output, encoding: .utf8).contains(words) {
      try #require(ContinuousClock.now < deadline, "\(words)")
      poll(nil, 0, 20)
    }
  }
}

extension SyncProgramTests {
  @Test("A window that is open when its file is joined carries it; one that only reads tells how it stands")
  func openWindow() throws {
    #expect(try anna.tasks("sync", "init", url("postgres")).status == 0)
    #expect(try anna.tasks("add", "Buy milk").status == 0)
    let window = try PlainWindow(of: anna)
    window.type(":sync")
    try window.wait(for: "This file is on this machine alone")
    let joined = try anna.tasks("sync", "join", url("anna"))
    #expect(joined.output.hasSuffix("The windows that are open carry it from now on.\n"), "\(joined)")
    window.type("add Call Ben")
    let deadline = ContinuousClock.now + Patience.duration
    while try !anna.tasks("sync", "status").output.contains("\nIn step; last exchange ") {
      try #require(ContinuousClock.now < deadline)
    }
    window.type(":sync")
    try window.wait(for: "In step with the server.")
    #expect(try anna.tasks("sync", "share", "ben", "--write").status == 0)
    #expect(try ben.tasks("sync", "join", url("ben"), "--space", "anna/tasks").status == 0)
    #expect(try ben.tasks("list").output == "[ ] Buy milk\n[ ] Call Ben\n")

    let reader = try PlainWindow(of: anna, "--read-only")
    reader.type(":sync")
    try reader.wait(for: "In step with the server.")
  }

  @Test("A person who reads lines is told what was lost, and brings it back")
  func plainLoss() throws {
    _ = try added("Buy milk")
    try share()
    #expect(try ben.tasks("rm", "Buy milk").status == 0)
    #expect(try anna.tasks("edit", "Buy milk", "Buy oat milk").status == 0)
    try exchange(ben)
    let window = try PlainWindow(of: anna)
    try window.wait(for: "You changed “Buy oat milk”, which ben on ")
    window.type("B")
    try window.wait(for: "“Buy oat milk” is as you had it, on all machines.")
    #expect(try anna.tasks("list").output == "[ ] Buy oat milk\n")
  }
}
