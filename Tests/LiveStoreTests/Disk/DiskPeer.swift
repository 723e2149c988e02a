import Glibc
import LiveStoreFixtures
import TestSupport
import Testing

/// A `LiveStorePeer` on a disk that fails or is recorded, with what it says on its standard streams.
final class DiskPeer {
  private let process: pid_t
  private let output: Int32
  private let errorsPath: String
  private var unread: [UInt8] = []

  /// - Parameter folder: Where what it says on standard error is kept; not the folder of the disk.
  init(_ arguments: [String], environment: [String: String], folder: String) throws {
    let path = try Peer.program()
    errorsPath = folder + "/errors"
    // A pipe whose ends no program inherits that another test starts at the same moment: Swift has no pipe2.
    let pipe = folder + "/output"
    unlink(pipe)
    try #require(mkfifo(pipe, 0o600) == 0)
    output = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let writing = open(pipe, O_WRONLY | O_CLOEXEC)
    try #require(output >= 0 && writing >= 0)
    _ = fcntl(output, F_SETFL, 0)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, writing, 1)
    posix_spawn_file_actions_addopen(&actions, 2, errorsPath, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let words = ([path] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var child: pid_t = 0
    let result = posix_spawn(&child, path, &actions, nil, words, variables)
    close(writing)
    if result != 0 { close(output) }
    // Before there is an object: its end would kill process 0, which is the whole group of the test runner.
    try #require(result == 0)
    process = child
  }

  deinit {
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
    close(output)
  }

  /// The next line of standard output; `nil` at its end.
  func readLine() throws -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread.removeFirst(end + 1)
        return line
      }
      var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      try #require(poll(&waiting, 1, Patience.milliseconds) > 0, "the program says nothing, and does not end")
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(output, &buffer, buffer.count)
      if count <= 0 { return nil }
      unread += buffer[..<count]
    }
  }

  /// Waits for the end of the program, whose output has ended: its exit status, or the negative number of the
  /// signal that ended it, and what it said on standard error.
  func end() -> (status: Int32, errors: String) {
    var code: Int32 = 0
    waitpid(process, &code, 0)
    let status = code & 0x7F == 0 ? (code >> 8) & 0xFF : -(code & 0x7F)
    let errors = FailingDisk.contents(errorsPath).map { String(decoding: $0, as: UTF8.self) }
    return (status, errors ?? "")
  }
}
