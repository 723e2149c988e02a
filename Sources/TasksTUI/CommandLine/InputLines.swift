/// The lines of a file, by any line break and with spaces for tabs, each read and made into a string only
/// when its turn comes, once.
final class InputLines: Sequence, IteratorProtocol {
  private let input: InputFile
  /// The bytes that have been read, of which those from `start` on have not been returned.
  private var bytes: [UInt8] = []
  private var start = 0
  private var isAtEnd = false
  /// The error that has ended the lines early; see ``requireRead()``.
  private var failure: RuntimeError?

  /// - Throws: `RuntimeError` when the file cannot be read, is not UTF-8 or has a NUL character: all of it is
  ///   examined first.
  init(_ input: InputFile) throws(RuntimeError) {
    self.input = input
    var rest: [UInt8] = []
    while true {
      let part = try input.next()
      rest += part
      let end = part.isEmpty ? rest.count : rest.count - rest.lengthOfPartialScalar
      guard String(validating: rest[..<end], as: UTF8.self) != nil else {
        throw RuntimeError("standard input is not UTF-8 text")
      }
      // Most formats of import take none either: a text that is exported with one would not come back.
      guard !part.contains(0) else {
        throw RuntimeError("standard input has a NUL character, as no text has")
      }
      if part.isEmpty { break }
      rest.removeFirst(end)
    }
    try input.rewind()
  }

  /// Throws if the lines have ended early, because the file could no longer be read.
  func requireRead() throws(RuntimeError) {
    if let failure { throw failure }
  }

  func next() -> String? {
    var end = start
    // A line break has up to three bytes.
    while end < bytes.count - 2 || readMore(keeping: &end) || end < bytes.count {
      let length = lengthOfBreak(at: end)
      if length > 0 {
        defer { start = end + length }
        return String(decoding: bytes[start..<end], as: UTF8.self)
      }
      end += 1
    }
    defer { start = end }
    return start < end ? String(decoding: bytes[start..<end], as: UTF8.self) : nil
  }

  /// Reads on until a line break can be recognized, and discards what has been returned.
  ///
  /// - Parameter end: The index of the byte that is examined.
  /// - Returns: Whether there was more.
  private func readMore(keeping end: inout Int) -> Bool {
    guard !isAtEnd else { return false }
    bytes.removeFirst(start)
    (start, end) = (0, end - start)
    do throws(RuntimeError) {
      let part = try input.next()
      isAtEnd = part.isEmpty
      bytes += part.map { $0 == UInt8(ascii: "\t") ? UInt8(ascii: " ") : $0 }
    } catch {
      isAtEnd = true
      failure = error
      bytes = []
      end = 0
    }
    return end < bytes.count - 2 || readMore(keeping: &end)
  }

  /// The bytes of the line break that begins at a byte; 0 for none. The breaks are those of
  /// `Character.isNewline`; the two characters of CR LF make two, with an empty line between them.
  private func lengthOfBreak(at index: Int) -> Int {
    func byte(_ offset: Int) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }
    return switch bytes[index] {
    case 0x0A...0x0D: 1
    // U+0085
    case 0xC2: byte(1) == 0x85 ? 2 : 0
    // U+2028 and U+2029
    case 0xE2: byte(1) == 0x80 && byte(2) & 0xFE == 0xA8 ? 3 : 0
    default: 0
    }
  }
}

extension [UInt8] {
  /// The number of bytes at the end that may be the beginning of a character of UTF-8.
  fileprivate var lengthOfPartialScalar: Int {
    guard let lead = suffix(3).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return 0 }
    let length = self[lead] >= 0xF0 ? 4 : self[lead] >= 0xE0 ? 3 : self[lead] >= 0xC0 ? 2 : 1
    return count - lead < length ? count - lead : 0
  }
}
