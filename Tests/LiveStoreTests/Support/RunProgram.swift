import Glibc

/// Runs a program found on the path, to its end. Its exit status; -1 when it cannot be started or is killed.
@discardableResult
func runProgram(_ arguments: String...) -> Int32 {
  var process = pid_t()
  let strings = arguments.map { strdup($0) }
  defer { for string in strings { free(string) } }
  guard posix_spawnp(&process, arguments[0], nil, nil, strings + [nil], environ) == 0 else { return -1 }
  var status: Int32 = 0
  while waitpid(process, &status, 0) < 0, errno == EINTR {}
  return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
}
