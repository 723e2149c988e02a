import CTerminal
import Glibc

/// Programs that the person names, which the shell runs.
package enum ShellProgram {
  /// Runs a program to its end, with `argument`, if there is one, as its last argument, which the shell does
  /// not interpret.
  ///
  /// - Parameter mask: The signals that it begins with blocked.
  /// - Returns: The exit status; 128 plus the signal's number if a signal has ended it.
  /// - Throws: If there is no shell to run it.
  package static func run(
    _ program: String, argument: String? = nil, mask: sigset_t = SignalSource.set(of: [])
  ) throws(TerminalError) -> Int32 {
    var (standard, mask) = (SignalSource.set(of: SignalSource.signals + [SIGPIPE, SIGXFSZ]), mask)
    let words: [String] =
      ["/bin/sh", "-c"] + (argument.map { [program + " \"$1\"", "sh", $0] } ?? [program])
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    let child = cterminal_start(words[0], arguments, &standard, &mask)
    guard child > 0 else { throw .system("fork", errno) }
    return wait(for: child)
  }

  /// Waits for a program's end, and stops with it when it is stopped, so that the shell has the terminal
  /// meanwhile.
  private static func wait(for child: pid_t) -> Int32 {
    var status: Int32 = 0
    while true {
      guard waitpid(child, &status, WUNTRACED) >= 0 else {
        if errno == EINTR { continue }
        return 127
      }
      // WIFSTOPPED, WIFSIGNALED and WEXITSTATUS, which Swift cannot import.
      if status & 0xFF == 0x7F {
        kill(getpid(), SIGSTOP)
        kill(child, SIGCONT)
      } else if status & 0x7F != 0 {
        return 128 + status & 0x7F
      } else {
        return status >> 8 & 0xFF
      }
    }
  }
}
