import ExampleProcesses
import TestSupport
import Testing

@Suite("livestore, the inspector of any file", .serialized)
struct InspectorTests {
  private let folder = TemporaryFolder()

  @Test("Classes, objects, indexes, changes and observers of a file, and the differences of two")
  func files() throws {
    let server = try ExampleProcess("VoteServer", folder("votes.db"), "0")
    _ = try server.line()
    try folder.sqlite3("votes.db", "INSERT INTO Proposal (text) VALUES ('tea'), ('cake')")
    let inspector = try ExampleProcess("livestore", folder("votes.db"))
    let lines = try inspector.rest()
    #expect(lines.first?.hasPrefix("\(folder("votes.db")): ") == true)
    #expect(
      lines.contains("Proposal, 2 objects") && lines.contains("  id     text, primary key")
        && lines.contains("  votes  integer")
        && lines.contains { $0.hasPrefix("  CREATE INDEX") && $0.contains("votes") }, "\(lines)")
    #expect(lines.contains("3 changes since version 0; the newest version is 3"), "\(lines)")
    #expect(
      lines.last?.hasPrefix("observed by process ") == true && lines.last?.hasSuffix(", VoteServer") == true)
    server.kill()

    let chat = try ExampleProcess("Chat", folder("chat.db"), "ann")
    _ = try chat.line()
    let other = try ExampleProcess("livestore", folder("votes.db"), folder("chat.db"))
    let differences = try other.rest()
    #expect(
      differences.contains("+ Proposal.votes: integer")
        && differences.contains("- Message.room: link to Room"),
      "\(differences)")
    #expect(other.waitForEnd() == 1)
    let same = try ExampleProcess("livestore", folder("chat.db"), folder("chat.db"))
    #expect(try same.rest() == ["Their classes are the same."] && same.waitForEnd() == 0)
    let json = try ExampleProcess("livestore", folder("chat.db"), "--json")
    #expect(try json.rest().contains(#"  "applicationID" : 1281980005,"#))
  }

  @Test("What cannot be read is told in a sentence, and names from a file reach the terminal as text")
  func refused() throws {
    let missing = try ExampleProcess("livestore", folder("none.db"))
    #expect(
      try missing.rest()
        == ["livestore: “\(folder("none.db"))” cannot be read: No such file or directory."])
    #expect(missing.waitForEnd() == 1)
    let hostile = try ExampleProcess("livestore", folder("a\u{1B}[31mb"))
    #expect(try hostile.rest().first?.contains("a?[31mb”") == true)
    let unclear = try ExampleProcess("livestore", "--what")
    #expect(
      try unclear.rest().first
        == "usage: livestore FILE           classes, objects, indexes, changes, and who has the file open")
    #expect(unclear.waitForEnd() == 2)
    try folder.sqlite3("other.db", "CREATE TABLE \"a\u{1B}[31mb\" (x)")
    let other = try ExampleProcess("livestore", folder("other.db")).rest()
    #expect(
      other.contains("tables of other programs: a?[31mb") && other.contains("no store has made this file"),
      "\(other)")
  }
}
