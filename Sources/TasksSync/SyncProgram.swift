import CLinux
import FoundationEssentials
import Glibc
import LiveStore
import LiveStoreSync
import VisibleText

/// `tasks-sync`, which carries a file of tasks to other machines. `tasks sync …` runs it.
@main
struct SyncProgram {
  static func main() {
    clinux_reserve_standard_descriptors()
    do {
      let arguments = try SyncArguments(
        Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment)
      let isDone = try SyncCommands(arguments).run()
      guard fflush(nil) == 0 else {
        complain("cannot write to standard output: \(String(cString: strerror(errno)))")
        exit(1)
      }
      exit(isDone ? 0 : 1)
    } catch let error as SyncUsageError {
      complain(error.description + ".", "Try tasks sync --help.")
      exit(2)
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  /// Says what went wrong, in lines. The names that others have given may be in it.
  private static func complain(_ lines: String...) {
    var text = "tasks sync: " + lines.map { $0.withControlsMadeVisible + "\n" }.joined()
    text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
