import FoundationEssentials
import Glibc
import TerminalEmulator
import TestSupport
import Testing

/// By this, files that need nothing else of `TestSupport` have it.
typealias TemporaryFolder = TestSupport.TemporaryFolder

/// A program that a test starts, with pipes for its standard streams.
final class ChildProcess {
  let processID: pid_t
  private var input: Int32
  private var output: Int32
  private let errors: Int32
  private var unread: [UInt8] = []
  private var status: Int32?

  /// The program `tasks` that was built together with the tests.
  static let tasks: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let executable = String(decoding: buffer[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
    let path = executable.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/tasks"
    precondition(access(path, X_OK) == 0, "\(path) has not been built")
    return path
  }()

  /// - Parameters:
  ///   - command: The program, found in the test's own PATH unless it has a slash, and its arguments.
  ///   - environment: All of it; PATH and LANG are added when missing.
  init(_ command: [String], environment: [String: String] = [:]) throws {
    let ends = try (0..<3).map { _ in try Self.makePipe() }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0].reading, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1].writing, 1)
    posix_spawn_file_actions_adddup2(&actions, ends[2].writing, 2)

    // The test runner's signal settings are not what a shell would give the program.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var environment = environment
    environment.merge(["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"]) { own, _ in own }
    environment.merge(SanitizerOptions.environment) { own, _ in own }
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer {
      for string in arguments + variables { free(string) }
    }
    var started: pid_t = 0
    let code = posix_spawnp(&started, command[0], &actions, &attributes, &arguments, &variables)
    close(ends[0].reading)
    close(ends[1].writing)
    close(ends[2].writing)
    if code != 0 { for end in [ends[0].writing, ends[1].reading, ends[2].reading] { close(end) } }
    // Before there is an object: its end would kill process 0, which is the whole group of the test runner.
    try #require(code == 0, "\(command[0]): \(String(cString: strerror(code)))")
    input = ends[0].writing
    output = ends[1].reading
    errors = ends[2].reading
    processID = started
  }

  /// A pipe whose ends no program inherits that another test starts at the same moment: the reader of a pipe
  /// waits for its end until everybody has closed it. Swift has no pipe2; opening a file by name sets the
  /// flag at once.
  private static func makePipe() throws -> (reading: Int32, writing: Int32) {
    let folder = TemporaryFolder()
    try #require(mkfifo(folder("pipe"), 0o600) == 0)
    let reading = open(folder("pipe"), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let writing = open(folder("pipe"), O_WRONLY | O_CLOEXEC)
    try #require(reading >= 0 && writing >= 0)
    _ = fcntl(reading, F_SETFL, 0)
    return (reading, writing)
  }

  deinit {
    if status == nil {
      kill(processID, SIGKILL)
      waitpid(processID, nil, 0)
    }
    closeInput()
    closeOutput()
    close(errors)
  }

  func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  func closeOutput() {
    if output >= 0 { close(output) }
    output = -1
  }

  /// Writes to the program's standard input, which has to fit into a pipe.
  func write(_ bytes: [UInt8]) {
    #expect(Glibc.write(input, bytes, bytes.count) == bytes.count)
  }

  func send(_ signal: Int32) {
    kill(processID, signal)
  }

  /// The next line of standard output, without its end; nil at the end of the stream.
  func readLine() throws -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread.removeFirst(end + 1)
        return line
      }
      let part = try Self.readPart(output)
      if part.isEmpty { return nil }
      unread += part
    }
  }

  /// Waits for another line, or the end of the stream; returns whether it came in time.
  func waitForMore() throws -> Bool {
    if unread.contains(UInt8(ascii: "\n")) { return true }
    var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, Int32(Patience.duration.components.seconds) * 1000) > 0
  }

  /// The output and status of a program that has ended.
  struct Outcome: Equatable {
    /// The exit status, or the negative number of the signal that ended it.
    var status: Int32
    var output: String
    var errors: String
  }

  /// Closes standard input, reads all that is printed and waits for the end.
  func finish() throws -> Outcome {
    closeInput()
    var printed = unread
    while output >= 0 {
      let part = try Self.readPart(output)
      if part.isEmpty { break }
      printed += part
    }
    var complaint: [UInt8] = []
    while true {
      let part = try Self.readPart(errors)
      if part.isEmpty { break }
      complaint += part
    }
    var raw: Int32 = 0
    try #require(waitpid(processID, &raw, 0) == processID)
    let ended = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : -(raw & 0x7F)
    status = ended
    return Outcome(
      status: ended, output: String(decoding: printed, as: UTF8.self),
      errors: String(decoding: complaint, as: UTF8.self))
  }

  /// A time zone in which it is about noon, as `TZ` has it: no test that speaks of today runs over midnight.
  static var zoneOfNoon: String {
    let hour = Int(Date().timeIntervalSince1970 / 3600) % 24
    return "NOON\(hour - 12)"
  }

  /// Starts a program, feeds it the input and waits for its end.
  static func run(
    _ command: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> Outcome {
    let child = try ChildProcess(command, environment: environment)
    child.write(Array(input.utf8))
    return try child.finish()
  }

  /// Waits until the program has printed something, and leaves it in the pipe.
  func waitForOutput() throws {
    try Self.wait(output)
  }

  private static func wait(_ descriptor: Int32) throws {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let milliseconds = Int32(Patience.duration.components.seconds) * 1000
    try #require(poll(&waiting, 1, milliseconds) > 0, "the program says nothing")
  }

  /// At least one byte, or none at the end of the stream.
  private static func readPart(_ descriptor: Int32) throws -> [UInt8] {
    try wait(descriptor)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &buffer, buffer.count)
    try #require(count >= 0)
    return Array(buffer[..<count])
  }
}
