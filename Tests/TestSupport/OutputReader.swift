import LibC

/// The output of another program, which is waited for.
public struct OutputReader {
  /// Why there is nothing to read: a sentence.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  private let descriptor: Int32
  private var unread: [UInt8] = []

  public init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  private var endOfLine: Int? { unread.firstIndex(of: UInt8(ascii: "\n")) }

  /// Waits for another line, or the end; returns whether it came in time.
  public func waitForMore() -> Bool {
    endOfLine != nil || waitForInput(descriptor)
  }

  /// The next line, without its end; nil at the end of the output.
  public mutating func nextLine() throws(Failure) -> String? {
    while true {
      if let endOfLine {
        defer { unread.removeFirst(endOfLine + 1) }
        return String(decoding: unread[..<endOfLine], as: UTF8.self)
      }
      if try !readMore() { return nil }
    }
  }

  /// All output that was not read, until its end.
  public mutating func rest() throws(Failure) -> String {
    while try readMore() {}
    defer { unread = [] }
    return String(decoding: unread, as: UTF8.self)
  }

  /// Whether there was more before the end.
  private mutating func readMore() throws(Failure) -> Bool {
    guard waitForInput(descriptor) else {
      let last = String(decoding: unread, as: UTF8.self)
      throw Failure(description: "The program says nothing more, and does not end; last: \(last)")
    }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(descriptor, &buffer, buffer.count)
    // A terminal that no program has open any more answers with an error.
    guard count >= 0 || errno == EIO else {
      throw Failure(description: "The program cannot be read: \(String(cString: strerror(errno))).")
    }
    unread += buffer.prefix(max(0, count))
    return count > 0
  }
}
