import BenchmarkRunner
import Glibc

/// The role of this program when a benchmark starts another instance.
enum ChildRole: String {
  /// `--writer WORKLOAD PATH ROWS`: makes the requested transactions.
  case writer = "--writer"
  /// `--foreign-writer PATH ROWS`: the same, by SQLite alone.
  case foreignWriter = "--foreign-writer"
  /// `--memory PATH`: observes and reports the memory for it.
  case memory = "--memory"
  /// `--memory-baseline PATH`: reads the same rows into an array.
  case memoryBaseline = "--memory-baseline"

  func run(_ arguments: [String]) throws -> Never {
    switch self {
    case .writer:
      guard arguments.count == 3, let rows = Int(arguments[2]) else {
        throw Failure("--writer WORKLOAD PATH ROWS")
      }
      let loop = WriterLoop(try workload(named: arguments[0]), path: arguments[1], rows: rows)
      try loop.run(requests: 0, answers: 1)
    case .foreignWriter:
      guard arguments.count == 2, let rows = Int(arguments[1]) else {
        throw Failure("--foreign-writer PATH ROWS")
      }
      ForeignProgram.write(arguments[0], rows: rows)
    case .memory: try Memory.observe(arguments.first ?? "")
    case .memoryBaseline: try Memory.fetch(arguments.first ?? "")
    }
    exit(0)
  }
}

/// Another instance of this program, with a pipe in each direction.
final class ChildProcess {
  private let process: pid_t
  let requests: Int32
  let answers: Int32

  init(_ role: ChildRole, _ arguments: [String]) throws {
    let toChild = try Pipe()
    let fromChild = try Pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, toChild.reading, 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild.writing, 1)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var words: [UnsafeMutablePointer<CChar>?] = (["benchmark", role.rawValue] + arguments).map {
      (word: String) in
      strdup(word)
    }
    words.append(nil)
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    guard posix_spawn(&child, "/proc/self/exe", &actions, nil, &words, environ) == 0 else {
      throw Failure("The program cannot be started again.")
    }
    process = child
    requests = toChild.writing
    answers = fromChild.reading
    close(toChild.reading)
    close(fromChild.writing)
  }

  deinit {
    // It ends when there is nothing more to read.
    close(requests)
    close(answers)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }
}

struct Pipe {
  let reading: Int32
  let writing: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure("There are no file descriptors left.") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reading = ends[0]
    writing = ends[1]
  }
}

/// Numbers through a pipe.
enum Wire {
  static func send(_ numbers: [Int64], to descriptor: Int32) {
    numbers.withUnsafeBytes { bytes in
      _ = write(descriptor, bytes.baseAddress, bytes.count)
    }
  }

  /// - Returns: `nil` when the other side has ended.
  static func receive(_ count: Int, from descriptor: Int32) -> [Int64]? {
    var numbers = [Int64](repeating: 0, count: count)
    // A pipe passes on what is this small as a whole.
    let received = numbers.withUnsafeMutableBytes { bytes in read(descriptor, bytes.baseAddress, bytes.count)
    }
    return received == count * 8 ? numbers : nil
  }
}
