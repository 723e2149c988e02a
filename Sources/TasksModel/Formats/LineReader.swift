import Glibc

/// A source of the bytes of a file in parts; an empty part is its end.
public typealias ByteSource = () throws -> [UInt8]

/// A reader of lines, which needs memory for one line.
struct LineReader {
  enum Line: Equatable {
    case text(String)
    /// The reason why the line cannot be read.
    case problem(String)
  }

  /// The length from which a line is not read: a hostile file has no line breaks.
  static let longestLine = 16 << 20

  /// The number of the line that was read last.
  private(set) var number = 0
  /// Whether a CR before the LF belongs to the line.
  private let keepsReturns: Bool

  private let source: ByteSource
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false

  init(_ source: @escaping ByteSource, keepingReturns keepsReturns: Bool = false) {
    self.source = source
    self.keepsReturns = keepsReturns
  }

  /// The next line without its end, LF or, unless they are kept, CR LF; nil at the end of the file.
  mutating func next() throws -> Line? {
    var searched = position
    var isTooLong = false
    while true {
      if let end = lineFeed(from: searched) ?? (isAtEnd ? buffer.count : nil) {
        guard position < buffer.count || isTooLong else { return nil }
        defer { position = min(end + 1, buffer.count) }
        number += 1
        return isTooLong ? Self.tooLong : line(position..<end)
      }
      buffer.removeSubrange(..<position)
      position = 0
      if buffer.count > Self.longestLine {
        isTooLong = true
        buffer.removeAll()
      }
      searched = buffer.count
      let part = try source()
      if part.isEmpty { isAtEnd = true } else { buffer += part }
    }
  }

  static let nulSentence = "it has a NUL character, as no text has"
  private static let tooLong = Line.problem("it is longer than \(longestLine >> 20) MB")

  private func lineFeed(from start: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress else { return nil }
      return memchr(base + start, 0x0A, bytes.count - start).map { UnsafeRawPointer($0) - base }
    }
  }

  private func line(_ range: Range<Int>) -> Line {
    var bytes = buffer[range]
    if !keepsReturns, bytes.last == 0x0D { bytes.removeLast() }
    if number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    guard let text = String(validating: bytes, as: UTF8.self) else { return .problem("it is not UTF-8 text") }
    guard !bytes.contains(0) else { return .problem(Self.nulSentence) }
    return .text(text)
  }
}
