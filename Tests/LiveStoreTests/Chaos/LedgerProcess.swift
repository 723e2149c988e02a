import Glibc
import Programs
import TestSupport
import Testing

/// A second process that says how many transactions of its ledger it has committed, until it is killed.
final class LedgerProcess {
  let description: String
  private let peer: RunningProgram
  private let pipe: PrivatePipe
  private var bytes: [UInt8] = []
  /// How many transactions it has said to be committed.
  private(set) var acknowledged = 0
  /// How often it has said so.
  private(set) var acknowledgements = 0

  init(_ arguments: [String]) throws {
    description = arguments.joined(separator: " ")
    pipe = try PrivatePipe()
    peer = try Peer.start(arguments, output: pipe.writing)
    pipe.closeWriting()
  }

  /// Waits until it says something, and takes all that it has said. Returns whether it said something in
  /// time.
  func listen(milliseconds: Int32) -> Bool {
    guard waitForInput(pipe.reading, milliseconds: milliseconds) else { return false }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(pipe.reading, &buffer, buffer.count)
    guard count > 0 else { return false }
    bytes += buffer.prefix(count)
    while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
      take(String(decoding: bytes[..<end], as: UTF8.self))
      bytes.removeFirst(end + 1)
    }
    return true
  }

  private func take(_ line: String) {
    guard let number = Int(line) else {
      Issue.record("\(description): \(line)")
      return
    }
    expectInLoop(number >= acknowledged, "\(description) said \(number) after \(acknowledged)")
    acknowledged = number
    acknowledgements += 1
  }

  func signal(_ number: Int32) {
    peer.signal(number)
  }

  /// Ends it in the middle of whatever it does, and takes all that it has said.
  func kill() {
    let hadEnded = peer.hasEnded
    peer.kill()
    while listen(milliseconds: 0) {}
    if hadEnded { Issue.record("\(description) ended by itself, with status \(peer.status ?? 0)") }
  }
}
