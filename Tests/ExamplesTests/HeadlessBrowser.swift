import Foundation
import Glibc
import TestSupport

/// Chromium without a window, with one page, driven over a pipe by its DevTools protocol.
final class HeadlessBrowser {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Where Debian's package puts it; nil if it is not installed.
  static let path: String? = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private let folder = TemporaryFolder()
  private let process: pid_t
  private let commands: Int32
  private let answers: Int32
  private var received = Data()
  private var lastID = 0
  private var events: Set<String> = []
  private var session: String?

  /// Starts it and opens a page.
  init(_ url: String) throws {
    guard let path = Self.path else { throw Failure(description: "There is no Chromium.") }
    let (input, output) = (try Self.pipe(), try Self.pipe())
    (commands, answers) = (input.writing, output.reading)
    defer { for descriptor in [input.reading, output.writing] { close(descriptor) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // It reads commands from descriptor 3 and answers on 4. What it says besides is not read.
    posix_spawn_file_actions_adddup2(&actions, input.reading, 3)
    posix_spawn_file_actions_adddup2(&actions, output.writing, 4)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let arguments = [
      path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--remote-debugging-pipe",
      "--user-data-dir=\(folder.path)",
    ]
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    guard posix_spawn(&child, path, &actions, nil, &words, environ) == 0 else {
      throw Failure(description: "\(path) does not start.")
    }
    process = child
    let page = try command("Target.createTarget", ["url": "about:blank"])
    let attached = try command(
      "Target.attachToTarget", ["targetId": page["targetId"] as? String ?? "", "flatten": true])
    session = attached["sessionId"] as? String
    _ = try command("Page.enable")
    _ = try command("Page.navigate", ["url": url])
    while !events.contains("Page.loadEventFired") { _ = try nextMessage() }
  }

  /// A pipe that other programs do not inherit, on descriptors that the browser's own do not replace.
  private static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw Failure(description: "There are no pipes.") }
    defer { for end in ends { close(end) } }
    return (fcntl(ends[0], F_DUPFD_CLOEXEC, 10), fcntl(ends[1], F_DUPFD_CLOEXEC, 10))
  }

  deinit {
    kill(process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    close(commands)
    close(answers)
  }

  /// Waits until a condition in JavaScript holds, which is looked at after each change of the document.
  func wait(for condition: String) throws {
    let script = """
      new Promise(done => {
        const check = () => { if (\(condition)) done(true) }
        new MutationObserver(check).observe(
          document, { subtree: true, childList: true, characterData: true, attributes: true })
        check()
      })
      """
    _ = try evaluate(script)
  }

  /// The value of an expression in JavaScript; of a promise, what it is fulfilled with.
  @discardableResult
  func evaluate(_ expression: String) throws -> Any? {
    let answer = try command(
      "Runtime.evaluate", ["expression": expression, "awaitPromise": true, "returnByValue": true])
    if let exception = answer["exceptionDetails"] {
      throw Failure(description: "\(expression): \(exception)")
    }
    return (answer["result"] as? [String: Any])?["value"]
  }

  private func command(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    lastID += 1
    var message: [String: Any] = ["id": lastID, "method": method, "params": parameters]
    if let session { message["sessionId"] = session }
    let bytes = Array(try JSONSerialization.data(withJSONObject: message)) + [0]
    guard write(commands, bytes, bytes.count) == bytes.count else {
      throw Failure(description: "Chromium takes no command.")
    }
    while true {
      let answer = try nextMessage()
      guard answer["id"] as? Int == lastID else { continue }
      if let error = answer["error"] { throw Failure(description: "\(method): \(error)") }
      return answer["result"] as? [String: Any] ?? [:]
    }
  }

  private func nextMessage() throws -> [String: Any] {
    while true {
      if let end = received.firstIndex(of: 0) {
        let message = try JSONSerialization.jsonObject(with: Data(received[..<end])) as? [String: Any] ?? [:]
        received = Data(received[(end + 1)...])
        if let event = message["method"] as? String { events.insert(event) }
        return message
      }
      var descriptor = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, Patience.milliseconds) > 0 else {
        throw Failure(description: "Chromium does not answer.")
      }
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(answers, &bytes, bytes.count)
      guard count > 0 else { throw Failure(description: "Chromium has ended.") }
      received += bytes.prefix(count)
    }
  }
}
