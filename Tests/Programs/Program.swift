import LibC

/// A program that a test or a benchmark starts.
package struct Program {
  /// The file behind a descriptor of a program.
  package enum Stream {
    /// A descriptor of this process.
    case descriptor(Int32)
    /// The same as another of the program's descriptors, whose number is lower.
    case same(as: Int32)
    /// A file: read from its beginning as standard input, otherwise emptied and written.
    case file(String)
    /// A device, to be read and written.
    case device(String)

    package static let nothing = Stream.device("/dev/null")
  }

  /// Why a program does not run: a sentence.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
  }

  private let words: [String]
  private let environment: [String: String]?
  private let streams: [Int32: Stream]
  private let hasDefaultSignals: Bool
  private let leadsSession: Bool

  /// - Parameters:
  ///   - words: The program, found in this process's PATH unless it has a slash, and its arguments.
  ///   - environment: All variables; nil for those of this process.
  ///   - streams: Those of its descriptors that it does not share with this process.
  ///   - hasDefaultSignals: Whether no signal is blocked or ignored, as when a shell starts it: the runner of
  ///     the tests has settings of its own.
  ///   - leadsSession: Whether it leads a new session. A terminal among its streams becomes the session's.
  package init(
    _ words: [String], environment: [String: String]? = nil, streams: [Int32: Stream] = [:],
    hasDefaultSignals: Bool = false, leadsSession: Bool = false
  ) {
    self.words = words
    self.environment = environment
    self.streams = streams
    self.hasDefaultSignals = hasDefaultSignals
    self.leadsSession = leadsSession
  }

  /// The path of a program that the package builds beside this one.
  package static func built(_ name: String) throws(Failure) -> String {
    guard let bytes = realpath("/proc/self/exe", nil) else { throw Failure("This program has no path.") }
    defer { free(bytes) }
    let folder = String(cString: bytes).split(separator: "/").dropLast().map { "/" + $0 }.joined()
    let path = "\(folder)/\(name)"
    guard access(path, X_OK) == 0 else { throw Failure("“\(path)” has not been built.") }
    return path
  }

  /// Whether this process may mount file systems, for others not to see.
  package static let canMount =
    (try? Program(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/tmp"]).run())?.status == 0

  /// Starts it.
  package func start() throws(Failure) -> RunningProgram {
    RunningProgram(id: try spawn())
  }

  /// Runs it to its end.
  ///
  /// - Returns: What ``RunningProgram/waitForEnd()`` does, and all that it has written, errors too unless
  ///   they have a stream of their own.
  package func run() throws(Failure) -> (status: Int32, output: String) {
    let pipe = try PrivatePipe()
    let streams = streams.merging([1: .descriptor(pipe.writing), 2: .same(as: 1)]) { own, _ in own }
    let program = try Program(
      words, environment: environment, streams: streams, hasDefaultSignals: hasDefaultSignals,
      leadsSession: leadsSession
    ).start()
    pipe.closeWriting()
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(pipe.reading, &buffer, buffer.count), count > 0 {
      output += buffer[..<count]
    }
    return (program.waitForEnd(), String(decoding: output, as: UTF8.self))
  }

  /// Starts it, and leaves it to the caller to wait for its end.
  package func spawn() throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in streams.sorted(by: { $0.key < $1.key }) {
      switch stream {
      case .descriptor(let other), .same(let other):
        posix_spawn_file_actions_adddup2(&actions, other, number)
      case .file(let path):
        let flags = number == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
      case .device(let path):
        posix_spawn_file_actions_addopen(&actions, number, path, O_RDWR, 0)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let signalFlags = hasDefaultSignals ? Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) : 0
    posix_spawnattr_setflags(&attributes, signalFlags | (leadsSession ? Self.newSession : 0))
    let arguments = words.map { strdup($0) } + [nil]
    var variables = (environment ?? [:]).map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    let error = variables.withUnsafeMutableBufferPointer { own in
      let variables = environment == nil ? environ : own.baseAddress
      return posix_spawnp(&process, words[0], &actions, &attributes, arguments, variables)
    }
    guard error == 0 else {
      throw Failure("“\(words[0])” cannot be started: \(String(cString: strerror(error))).")
    }
    return process
  }

  // POSIX_SPAWN_SETSID, which is not imported.
  private static let newSession: Int16 = 0x80
}
