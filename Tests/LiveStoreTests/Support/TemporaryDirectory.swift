import FoundationEssentials
import Glibc
import Testing

/// An empty directory that is removed, with the files in it, at the end of the test.
final class TemporaryDirectory {
  let path: String

  /// - Parameter parent: Where it is made; what is in `/dev/shm` is not written to a disk.
  init(in parent: String = FileManager.default.temporaryDirectory.path) {
    var template = Array("\(parent)/livestore-test-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}

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
