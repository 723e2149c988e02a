import FoundationEssentials
import Testing

@testable import TasksTUI

@Suite("Completion of command lines, and the manual page")
struct ShellCompletionTests {
  private let folder = TemporaryFolder()
  private let tasks = ChildProcess.tasks

  private var environment: [String: String] {
    // The completion asks `tasks` for the names of lists.
    let programs = tasks.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    return [
      "TASKS_FILE": folder("tasks.db"), "HOME": folder.path,
      "PATH": programs + ":/usr/local/bin:/usr/bin:/bin",
    ]
  }

  /// The completions of bash for the last of some words.
  private func completions(_ words: String...) throws -> [String] { try completions(words) }

  private func completions(_ words: [String]) throws -> [String] {
    let quoted = (["tasks"] + words).map { "'" + $0.replacing("'", with: "'\\''") + "'" }
      .joined(separator: " ")
    let outcome = try ChildProcess.run(
      [
        "bash", "-c",
        """
        compopt() { :; }
        source <(tasks --completion bash)
        COMP_WORDS=(\(quoted)) COMP_CWORD=\(words.count)
        _tasks
        printf '%s\\n' "${COMPREPLY[@]}"
        """,
      ], input: "", environment: environment)
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
    return outcome.output.split(separator: "\n").map(String.init).sorted()
  }

  @Test("bash completes commands, their options, files, and what an option may be")
  func bash() throws {
    #expect(
      try completions("l") == [
        "list", "list-add", "list-color", "list-delete", "list-rename", "list-sort", "lists", "ls",
      ])
    #expect(try completions("ls", "--j") == ["--json"])
    #expect(try completions("help", "und") == ["undo", "undone"])
    #expect(try completions("add", "--l") == ["--list"])
    #expect(try completions("--read") == ["--read-only"])
    #expect(try completions("list", "--").contains("--json"))
    #expect(try !completions("add", "--").contains("--json"))
    #expect(try completions("--completion", "") == ["bash", "fish", "zsh"])
    try Data().write(to: URL(filePath: folder("a file.db")))
    #expect(try completions("--file", folder("a f")) == [folder("a file.db")])
    for command in ["backup", "restore", "doctor", "import", "config"] {
      #expect(try completions(command, folder("a f")) == [folder("a file.db")], "\(command)")
      #expect(try completions(command, "--h") == ["--help"], "\(command)")
    }
  }

  @Test("Names of lists are completed, and none is ever run")
  func lists() throws {
    let name = "$(touch \(folder("made"))) `touch \(folder("made"))` list"
    _ = try ChildProcess.run([tasks, "add", "one"], input: "", environment: environment)
    _ = try ChildProcess.run(
      ["sqlite3", folder("tasks.db"), "UPDATE TaskList SET text = '\(name)'"], input: "",
      environment: environment)
    let offered = try completions("add", "--list", "")
    #expect(offered.count == 1 && offered.first?.contains("touch") == true)
    #expect(!FileManager.default.fileExists(atPath: folder("made")))
    let listed = try ChildProcess.run([tasks, "lists"], input: "", environment: environment)
    #expect(listed.output == name + "\n")
    let json = try ChildProcess.run([tasks, "lists", "--json"], input: "", environment: environment)
    #expect(
      json.output.contains(#""completed":false,"open":1}"#)
        && json.output.hasPrefix("{\"version\":1,\"lists\":[\n{\"id\":"))
  }

  @Test("Names of lists are those of the file that is named before, however it is written")
  func listsOfNamedFile() throws {
    _ = try ChildProcess.run([tasks, "add", "one"], input: "", environment: environment)
    let file = folder("other file's.db")
    _ = try ChildProcess.run(
      [tasks, "--file", file, "list-add", "Trips"], input: "", environment: environment)
    #expect(try completions("add", "--list", "T") == [])
    let written = file.replacing(" ", with: "\\ ").replacing("'", with: "\\'")
    for words in [
      ["--file", written, "add", "--list", "T"], ["add", "--file", written, "--list", "T"],
      ["add", "--file", "=", written, "--list", "T"], ["add", "--file=\(written)", "--list", "T"],
      ["add", "--file", "\"\(file)\"", "--list", "T"],
      ["add", "--file", "~/other\\ file\\'s.db", "--list", "T"],
    ] {
      #expect(try completions(words) == ["Trips"], "\(words)")
    }
    // The name of the file is no command.
    #expect(try completions(["--file", "list", "add", "--l"]) == ["--list"])
    #expect(!FileManager.default.fileExists(atPath: folder("list")))
    for command in ["list-delete", "list-sort", "list-color", "list-rename"] {
      #expect(try completions("--file", written, command, "T") == ["Trips"], "\(command)")
      #expect(try completions("--file", written, command, "--h") == ["--help"], "\(command)")
    }
    #expect(try completions("list-sort", "Trips", "x") == [])
  }

  /// Words of a command line, and the candidates for the last of them.
  private static let operands: [(words: [String], offered: [String])] = [
    (["done", ""], ["Buy milk", "It's $(touch $HOME/made)", "oat milk"]), (["done", "B"], ["Buy milk"]),
    (["done", "--list", "Home", ""], ["It's $(touch $HOME/made)"]), (["--list", "Home", "undone", ""], []),
    (["undone", ""], ["Call Ann"]), (["delete", "C"], ["Call Ann"]),
    (["add", "--under", "B"], ["Buy milk"]), (["add", "--priority", ""], ["A", "B", "C"]),
    (["move", "oat", "--to", "H"], ["Home"]), (["list-rename", ""], ["Home", "My Tasks"]),
    (["list-color", "Home", "p"], ["pink", "purple"]), (["list-sort", "Home", "p"], ["priority"]),
    (["sync", "jo"], ["join"]), (["help", "und"], ["undo", "undone"]),
    // After -- nothing is an option.
    (["done", "--list", "-9to5", ""], []), (["done", "--list", "-9to5", "--", ""], ["-5 degrees"]),
    (["done", "--list", "-9to5", "--", "-"], ["-5 degrees"]), (["list-delete", "-9"], []),
    (["list-delete", "--", "-9"], ["-9to5"]),
  ]

  private func addTasks() throws {
    for words in [
      ["add", "Buy milk"], ["add", "--under", "Buy milk", "oat milk"], ["add", "Call Ann"],
      ["done", "Call Ann"], ["list-add", "Home"], ["add", "--list", "Home", "It's $(touch $HOME/made)"],
      ["list-add", "--", "-9to5"],
      ["add", "--list", "-9to5", "--", "-5 degrees"],
    ] {
      let outcome = try ChildProcess.run([tasks] + words, input: "", environment: environment)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  @Test("bash completes the tasks and lists that a command is about, and the words that it knows")
  func operandsInBash() throws {
    try addTasks()
    let unquoted: (String) -> String = { $0.replacing("\\", with: "") }
    for (words, offered) in Self.operands {
      let found = try completions(words)
      #expect(found.map(unquoted).sorted() == offered, "\(words)")
    }
    #expect(try completions("add", "--list", "-9") == ["-9to5"])
    #expect(try completions("done", "Buy\\ m") == ["Buy\\ milk"])
    #expect(try completions("done", "\"Buy m") == ["Buy milk"])
    #expect(try completions("list", "--format", "=", "j") == ["jsonl"])
    #expect(!FileManager.default.fileExists(atPath: folder("made")))
  }

  @Test("fish completes the same")
  func operandsInFish() throws {
    try addTasks()
    for (words, offered) in Self.operands {
      let line = (["tasks"] + words).joined(separator: " ")
      let outcome = try ChildProcess.run(
        ["fish", "-c", "tasks --completion fish | source; complete -C '\(line)'"], input: "",
        environment: environment)
      // A tab is before what fish tells of a candidate.
      let found = outcome.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
      #expect(outcome.errors == "")
      #expect(found.sorted() == offered, "\(words)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder("made")))
  }

  @Test("zsh finds the same tasks, of the file and the list that the line names")
  func tasksInZsh() throws {
    try addTasks()
    for (line, call, offered) in [
      ("tasks done", "' ' operand", ["Buy milk", "oat milk", "It's $(touch $HOME/made)"]),
      ("tasks undone", "x operand", ["Call Ann"]),
      ("tasks show --list 'My Tasks'", ". operand", ["Buy milk", "oat milk", "Call Ann"]),
      ("tasks done --list=Home", "' ' operand", ["It's $(touch $HOME/made)"]),
      ("tasks --file=\(folder("other.db")) done", ". operand", []),
      ("tasks done --list -9to5", "' ' operand", []),
      ("tasks done --list -9to5 --", "' ' operand", ["-5 degrees"]),
      ("tasks add --list -9to5 --under", "' '", ["-5 degrees"]),
    ] {
      let outcome = try ChildProcess.run(
        [
          "zsh", "-f", "-c",
          """
          compdef() { }
          compadd() { print -rl -- "${(@P)2}" }
          all=(\(line))
          source <(tasks --completion zsh)
          _tasks_tasks \(call)
          """,
        ], input: "", environment: environment)
      #expect(outcome.errors == "")
      #expect(outcome.output.split(separator: "\n").map(String.init) == offered, "\(line)")
    }
  }

  @Test(
    "Every shell is told every command and option; another shell is refused",
    arguments: ShellCompletion.allCases)
  func everything(shell: ShellCompletion) throws {
    for command in CommandLineTable.subcommands {
      #expect(shell.script.contains(command.name))
      for option in command.options { #expect(shell.script.contains(option.name)) }
    }
    for option in CommandLineTable.options { #expect(shell.script.contains(option.name)) }
    let refused = try ChildProcess.run([tasks, "--completion", "csh"], input: "", environment: environment)
    #expect(refused.status == 2)
    #expect(refused.errors == "tasks: --completion is for bash, fish, zsh; see tasks --help.\n")
  }

  @Test("The manual page has every command, option, key and setting, and no text that is taken for a macro")
  func manual() throws {
    let page = try ChildProcess.run([tasks, "--man"], input: "", environment: environment).output
    #expect(page == ManualPage.text)
    let lines = page.split(separator: "\n")
    for line in lines where line.hasPrefix(".") {
      #expect([".TH", ".SH", ".B", ".br", ".PP", ".TP"].contains(line.split(separator: " ")[0]), "\(line)")
    }
    for command in CommandTable.all { #expect(page.contains(ManualPage.escaped(command.help))) }
    for (option, _) in CommandLineTable.allOptions {
      #expect(page.contains("\\-\\-" + option.name.split(separator: "-").joined(separator: "\\-")))
    }
    for setting in SettingTable.all { #expect(page.contains(ManualPage.escaped(setting.help))) }
  }
}
