import FoundationEssentials
import Glibc

@main
struct Main {
  static func main() {
    let environment = ProcessInfo.processInfo.environment
    let program = TasksProgram(environment: environment) { options in
      try Launch.run(options, environment: environment)
    }
    exit(program.run(CommandLine.arguments.dropFirst()))
  }
}
