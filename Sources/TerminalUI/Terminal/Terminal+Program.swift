import CTerminal
import Glibc

extension Terminal {
  /// Gives the terminal to another program, waits for its end and takes the terminal over again.
  ///
  /// - Returns: The exit status; 128 plus the signal's number if a signal has ended it.
  /// - Throws: If there is no shell to run it.
  package func run(_ program: String, argument: String) throws(TerminalError) -> Int32 {
    var result: Result<Int32, TerminalError> = .success(0)
    whileGivenBack {
      do throws(TerminalError) {
        result = .success(try ShellProgram.run(program, argument: argument, mask: inheritedMask))
      } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }
}
