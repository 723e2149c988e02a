import FoundationEssentials
import Testing

@testable import TasksTUI

@Suite("tasks config")
struct ConfigCommandTests {
  private let folder = TemporaryFolder()

  private func run(_ arguments: String...) throws -> ChildProcess.Outcome {
    try ChildProcess.run(
      [ChildProcess.tasks, "config"] + arguments, environment: ["XDG_CONFIG_HOME": folder.path])
  }

  @Test(
    "A file is checked: nothing and 0 when it is right, a sentence each with file and line and 1 when not")
  func check() throws {
    #expect(try run("--check") == ChildProcess.Outcome(status: 0, output: "", errors: ""))
    try FileManager.default.createDirectory(atPath: folder("tasks"), withIntermediateDirectories: true)
    let path = folder("tasks/config.toml")
    try Data("speed = 2\n".utf8).write(to: URL(filePath: path))
    #expect(try run("--check").status == 0)
    try Data("speed = 2\nmouse = maybe\n[keys]\nadd = \"d\"\ndelete = \"d\"\n".utf8).write(
      to: URL(filePath: path))
    let outcome = try run("--check")
    #expect(outcome.status == 1)
    #expect(
      outcome.output == """
        \(path):2: “maybe” is no value; texts stand in quotes.
        \(path):5: d is the key of add already, on line 4.

        """)
    try Data("a\u{1B}[31mb = 1\n".utf8).write(to: URL(filePath: folder("other")))
    let other = try run("--check", folder("other"))
    #expect(other.status == 1 && !other.output.contains("\u{1B}"))
    #expect(try run("--check", folder.path).status == 1)
    #expect(
      try run("--check", folder("none"))
        == .init(status: 1, output: "", errors: "tasks: there is no file “\(folder("none"))”.\n"))
  }

  @Test("What is printed can be saved and checked; anything else is a mistake of the command line")
  func print() throws {
    let printed = try run("--print")
    #expect(printed.status == 0 && printed.output == AppConfiguration.defaultText)
    try Data(printed.output.utf8).write(to: URL(filePath: folder("copy")))
    #expect(try run("--check", folder("copy")).status == 0)
    for arguments in [
      [], ["--check", "--print"], ["--print", "x"], ["--check", "x", "y"], ["--list", "x"],
    ] {
      let outcome = try ChildProcess.run([ChildProcess.tasks, "config"] + arguments)
      #expect(outcome.status == 2 && outcome.errors.hasPrefix("tasks: "), "\(arguments)")
    }
  }
}
