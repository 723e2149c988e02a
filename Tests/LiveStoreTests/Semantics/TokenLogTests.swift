import FoundationEssentials
import Glibc
import LiveStore
import Synchronization
import Testing

/// A class of these tests alone, whose name tells their lines in the log from those of tests that run at the
/// same time.
private final class LoggedNote: Object {
  @Persisted(primaryKey: true) var id: Int = 0
}

@Suite("N. Tokens that are dropped", .serialized)
struct TokenLogTests {
  private let store: Store

  init() throws {
    store = try Store(
      .init(inMemory: "log \(pthread_self())", objectTypes: [LoggedNote.self]),
      scheduler: .fileDescriptor(NotificationSource()))
  }

  private final class Lines: Sendable {
    let lines = Mutex<[String]>([])
  }

  /// The lines that are logged about tokens of these tests.
  private func logged(_ body: () throws -> Void) rethrows -> [String] {
    let collected = Lines()
    let former = NotificationToken.log
    NotificationToken.log = { line in
      if line.contains("LoggedNote") { collected.lines.withLock { $0.append(line) } } else { former(line) }
    }
    defer { NotificationToken.log = former }
    try body()
    return collected.lines.withLock { $0 }
  }

  private func observe(_ count: @escaping () -> Void = {}) -> NotificationToken {
    store.objects(LoggedNote.self).observe { _ in count() }
  }

  @Test("R160: a token that is dropped without being invalidated ends its subscription and leaves one line")
  func dropped() throws {
    var count = 0
    let lines = try logged {
      _ = observe { count += 1 }
      try store.refresh()
    }
    #expect(count == 0)
    #expect(lines.count == 1)
    #expect(lines.first?.contains("for LoggedNote was dropped without invalidate()") == true)
    #expect(lines.first?.contains("\n") == false)
  }

  @Test("R161: a token that was invalidated, or whose store was closed, leaves none")
  func invalidated() throws {
    let lines = try logged {
      let token = observe()
      #expect(token.invalidate())
      #expect(!token.invalidate())
      let kept = observe()
      let object = LoggedNote()
      try store.write { store.add(object) }
      let last = object.observe { _ in }
      try store.write { store.delete(object) }
      try store.refresh()
      store.close()
      #expect(!kept.invalidate())
      #expect(!last.invalidate())
    }
    #expect(lines == [])
  }

  @Test("The tokens of a set end together, when it is told to or goes, and leave no line")
  func set() throws {
    var count = 0
    let lines = try logged {
      do {
        var tokens = NotificationTokenSet()
        #expect([tokens.count] == [0])
        for _ in 0..<3 { observe { count += 1 }.store(in: &tokens) }
        tokens.insert(observe { count += 1 })
        #expect([tokens.count] == [4])
        try store.refresh()
        #expect(count == 4)
        tokens.invalidate()
        #expect([tokens.isEmpty] == [true])
        observe { count += 1 }.store(in: &tokens)
        try store.refresh()
        #expect(count == 5)
      }
      try store.write { store.add(LoggedNote()) }
      try store.refresh()
    }
    #expect(count == 5 && lines == [])
  }

  @Test("By default the line goes to standard error")
  func standardError() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let test = try TokenLogTests()
      _ = test.observe()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.split(separator: "\n").filter { $0.contains("was dropped without invalidate()") }.count == 1)
  }

  @Test("It does not go to a terminal that a full-screen program has taken over")
  func fullScreen() async {
    await #expect(processExitsWith: .success) {
      let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
      var isLocked: Int32 = 0
      var number: UInt32 = 0
      // In place of unlockpt and ptsname, which Swift's Glibc leaves out: TIOCSPTLCK and TIOCGPTN.
      #expect(ioctl(terminal, 0x4004_5431, &isLocked) == 0 && ioctl(terminal, 0x8004_5430, &number) == 0)
      let side = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
      #expect(side >= 0)
      #expect(dup2(side, STDERR_FILENO) == STDERR_FILENO)
      let test = try TokenLogTests()
      var bytes = [UInt8](repeating: 0, count: 4096)

      _ = test.observe()
      #expect(read(terminal, &bytes, bytes.count) > 0)
      var mode = termios()
      tcgetattr(side, &mode)
      mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
      tcsetattr(side, TCSANOW, &mode)
      _ = test.observe()
      #expect(read(terminal, &bytes, bytes.count) < 0 && errno == EAGAIN)
    }
  }
}
