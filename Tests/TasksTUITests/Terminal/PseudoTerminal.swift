import Foundation
import Testing

/// A terminal that a test plays itself: it decides what is answered, and when.
final class PseudoTerminal {
  let processID: pid_t
  private let terminal: Int32
  /// The program's side, to see what it has not read yet.
  private let line: Int32
  private(set) var output = ""

  /// Starts a program in a session of its own on this terminal.
  init(_ command: [String], environment: [String: String]) throws {
    terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // TIOCSPTLCK and TIOCGPTN, which Swift does not see: unlocks the program's side, and tells its number.
    var lock: Int32 = 0
    var number: UInt32 = 0
    try #require(
      terminal >= 0 && ioctl(terminal, 0x4004_5431, &lock) == 0 && ioctl(terminal, 0x8004_5430, &number) == 0)
    let name = "/dev/pts/\(number)"
    line = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(line >= 0)
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(line, UInt(TIOCSWINSZ), &size)

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that the leader of a session opens becomes its own.
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    // POSIX_SPAWN_SETSID, which Swift does not see.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | 0x80))
    var pointers = command.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in pointers + variables { free(pointer) } }
    var pid: pid_t = 0
    let error = posix_spawnp(&pid, command[0], &actions, &attributes, &pointers, &variables)
    processID = pid
    try #require(error == 0, "\(command[0]): \(String(cString: strerror(error)))")
  }

  deinit {
    kill(processID, SIGKILL)
    waitpid(processID, nil, 0)
    close(terminal)
    close(line)
  }

  /// What a person types, or what the terminal answers.
  func send(_ text: String) {
    #expect(write(terminal, text, text.utf8.count) == text.utf8.count)
  }

  /// Waits until the program has written this, and forgets all up to its end.
  func wait(for text: String) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      if let range = output.range(of: text) {
        output = String(output[range.upperBound...])
        return
      }
      var waiting = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      let ready = poll(&waiting, 1, 1000) == 1
      try #require(
        ready || .now < deadline, "waited for \(text.debugDescription) in \(output.debugDescription)")
      guard ready else { continue }
      var buffer = [UInt8](repeating: 0, count: 65536)
      let count = read(terminal, &buffer, buffer.count)
      try #require(
        count > 0, "the program ended before \(text.debugDescription), with \(output.debugDescription)")
      output += String(decoding: buffer[..<count], as: UTF8.self)
    }
  }

  /// Waits until the program has read all that was sent.
  func waitUntilRead() throws {
    let deadline = ContinuousClock.now + .seconds(60)
    var count: Int32 = 1
    while ioctl(line, UInt(FIONREAD), &count) == 0, count > 0 {
      try #require(.now < deadline, "\(count) bytes stay unread")
      sched_yield()
    }
  }
}
