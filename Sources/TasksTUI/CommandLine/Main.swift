import CLinux
import CTerminal
import FoundationEssentials
import Glibc

@main
struct Main {
  /// SQLite keeps one file beside the database in memory.
  private static let sentenceOfCutFile =
    "tasks: a file beside the database was cut short by another program, or its disk cannot be read; "
    + "start tasks again.\n"

  static func main() {
    clinux_reserve_standard_descriptors()
    cterminal_explain_bus_errors(sentenceOfCutFile)
    let environment = ProcessInfo.processInfo.environment
    let program = TasksProgram(environment: environment) { options in
      try Launch.run(options, environment: environment)
    }
    // The runtime reads them there, and would have none at all: a command to delete would be one to list.
    guard CommandLine.argc > 0 else {
      exit(program.complain("the arguments cannot be read: /proc is not mounted"))
    }
    guard let arguments else {
      exit(program.complain("an argument is no text in UTF-8; see tasks --help", status: 2))
    }
    exit(program.run(arguments))
  }

  /// The arguments after the program's name; nil if one is no text in UTF-8, of which `CommandLine` would
  /// make another text or the name of another file.
  private static var arguments: [String]? {
    let texts = (1..<max(1, Int(CommandLine.argc))).map { index in
      CommandLine.unsafeArgv[index].flatMap { String(validatingCString: $0) }
    }
    return texts.contains(nil) ? nil : texts.compactMap { $0 }
  }
}
