import BenchmarkRunner
import Glibc

/// Starts a program.
func spawn(
  _ program: String, _ arguments: [String], environment: [String],
  _ actions: inout posix_spawn_file_actions_t
) throws -> pid_t {
  var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
  var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
  defer { for word in words + variables { free(word) } }
  var process: pid_t = 0
  guard posix_spawn(&process, program, &actions, nil, &words, &variables) == 0 else {
    throw Failure("“\(program)” cannot be started.")
  }
  return process
}
