import Testing

@testable import TasksTUI

@Suite("The command line of the app, read")
struct CommandLineParserTests {
  @Test("Every command is called by its name, alone, with a count, and with an argument where it takes one")
  func names() throws {
    #expect(Set(CommandTable.all.map(\.name)).count == CommandTable.all.count)
    for description in CommandTable.all {
      #expect(try CommandLineParser.call(description.name) == CommandCall(description.command))
      #expect(
        try CommandLineParser.call("  12  \(description.name.uppercased()) ")
          == CommandCall(description.command, count: 12))
      let line = "\(description.name) some  words"
      if description.argument == nil {
        #expect(throws: CommandLineParser.Problem.self) { try CommandLineParser.call(line) }
      } else {
        #expect(
          try CommandLineParser.call(line) == CommandCall(description.command, argument: "some  words"))
      }
    }
  }

  @Test("A name may be cut short while it is clear; what is not clear lists what it may be")
  func prefixes() throws {
    #expect(try CommandLineParser.call("del")?.command == .rows(.delete))
    #expect(try CommandLineParser.call("q")?.command == .app(.quit))
    #expect(try CommandLineParser.call("3")?.command == .cursor(.first))
    #expect(try CommandLineParser.call("3")?.count == 3)
    #expect(try CommandLineParser.call("  ") == nil)
    #expect(throws: CommandLineParser.Problem(message: "“mo” may be move-down, move-up, move-to-list.")) {
      try CommandLineParser.call("mo")
    }
    #expect(throws: CommandLineParser.Problem(message: "There is no command “xyzzy”.")) {
      try CommandLineParser.call("xyzzy")
    }
    #expect(throws: CommandLineParser.Problem.self) { try CommandLineParser.call("99999999999999999999 d") }
  }

  @Test("Completion lists names that begin so first, then what speaks of it; everything for nothing")
  func completions() {
    #expect(CommandLineParser.completions(of: "").count == CommandTable.all.count)
    let titles = CommandLineParser.completions(of: "2 mo").map(\.text)
    #expect(titles.prefix(3) == ["2 move-down", "2 move-up", "2 move-to-list "])
    #expect(CommandLineParser.completions(of: "list").contains { $0.text == "move-to-list " })
    #expect(CommandLineParser.completions(of: "add Buy").isEmpty)
  }
}
