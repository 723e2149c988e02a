import Foundation
import Glibc
import Programs
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
  private let process: RunningProgram
  private let commands: PrivatePipe
  private let answers: PrivatePipe
  private var received = Data()
  private var lastID = 0
  private var events: Set<String> = []
  private var session: String?

  /// Starts it and opens a page.
  init(_ url: String) throws {
    guard let path = Self.path else { throw Failure(description: "There is no Chromium.") }
    (commands, answers) = (try PrivatePipe(), try PrivatePipe())
    let words = [
      path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--remote-debugging-pipe",
      "--user-data-dir=\(folder.path)",
    ]
    // It reads commands from descriptor 3 and answers on 4. What it says besides is not read.
    let streams: [Int32: Program.Stream] = [
      2: .nothing, 3: .descriptor(commands.reading), 4: .descriptor(answers.writing),
    ]
    process = try Program(words, streams: streams).start()
    commands.closeReading()
    answers.closeWriting()
    let page = try command("Target.createTarget", ["url": "about:blank"])
    let attached = try command(
      "Target.attachToTarget", ["targetId": page["targetId"] as? String ?? "", "flatten": true])
    session = attached["sessionId"] as? String
    _ = try command("Page.enable")
    _ = try command("Page.navigate", ["url": url])
    while !events.contains("Page.loadEventFired") { _ = try nextMessage() }
  }

  // Before its folder is removed.
  deinit { process.kill() }

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
    guard write(commands.writing, bytes, bytes.count) == bytes.count else {
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
      guard waitForInput(answers.reading) else {
        throw Failure(description: "Chromium does not answer.")
      }
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(answers.reading, &bytes, bytes.count)
      guard count > 0 else { throw Failure(description: "Chromium has ended.") }
      received += bytes.prefix(count)
    }
  }
}
