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
    cterminal_explain_bus_errors(sentenceOfCutFile)
    let environment = ProcessInfo.processInfo.environment
    let program = TasksProgram(environment: environment) { options in
      try Launch.run(options, environment: environment)
    }
    exit(program.run(CommandLine.arguments.dropFirst()))
  }
}
