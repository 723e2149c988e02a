import Glibc

/// This program started once more, with a pipe in each direction.
final class WriterProcess {
  private let process: pid_t
  private let requests: Int32
  private let answers: Int32

  init(_ arguments: [String]) throws {
    var toChild: [Int32] = [0, 0]
    var fromChild: [Int32] = [0, 0]
    guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { throw Failure() }
    for descriptor in toChild + fromChild { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var words: [UnsafeMutablePointer<CChar>?] = (["benchmark", "--writer"] + arguments).map {
      (word: String) in
      strdup(word)
    }
    words.append(nil)
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    guard posix_spawn(&child, "/proc/self/exe", &actions, nil, &words, environ) == 0 else { throw Failure() }
    process = child
    requests = toChild[1]
    answers = fromChild[0]
    close(toChild[0])
    close(fromChild[1])
  }

  struct Failure: Error {}

  deinit {
    close(requests)
    close(answers)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }

  func request(_ byte: UInt8) {
    var byte = byte
    _ = write(requests, &byte, 1)
  }

  func answer() -> Int64 {
    var time: Int64 = 0
    guard read(answers, &time, 8) == 8 else { fatalError("The writer process has ended.") }
    return time
  }
}

/// A database file in a folder of its own, gone at the end.
final class BenchmarkFile {
  let path: String
  private let folder: String

  init() throws {
    var template = Array("/tmp/livestore-benchmark-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    }
    guard let made else { throw WriterProcess.Failure() }
    folder = made
    path = folder + "/benchmark.db"
  }

  deinit {
    for suffix in ["", "-wal", "-shm", "-live"] { unlink(path + suffix) }
    rmdir(folder)
  }
}
