import Glibc
import Testing

/// Runs a command that does something to a file, outside of this process: to open the file here would drop
/// SQLite's locks.
func shell(_ command: String) {
  var arguments: [UnsafeMutablePointer<CChar>?] = ["sh", "-c", command].map { (text: String) in strdup(text) }
  arguments.append(nil)
  defer { for argument in arguments { free(argument) } }
  var child: pid_t = 0
  #expect(posix_spawnp(&child, "sh", nil, nil, &arguments, environ) == 0)
  var status: Int32 = 0
  waitpid(child, &status, 0)
  #expect(status == 0, "\(command)")
}
