import Glibc

/// The lines of standard input, by any line break, each made into a string only when its turn comes.
struct InputLines: Sequence {
  /// All of it, which is UTF-8.
  private let bytes: [UInt8]

  /// The lines of a text.
  ///
  /// - Throws: `RuntimeError` for bytes that are not UTF-8.
  init(_ bytes: [UInt8]) throws(RuntimeError) {
    // In parts that end with a line feed, which is in no other character: not all of it twice in memory.
    var rest = bytes[...]
    while !rest.isEmpty {
      let lineFeed =
        rest.prefix(Self.validatedPart).lastIndex(of: 0x0A)
        ?? rest.dropFirst(Self.validatedPart).firstIndex(of: 0x0A)
      let end = lineFeed.map { $0 + 1 } ?? rest.endIndex
      guard String(validating: rest[..<end], as: UTF8.self) != nil else {
        throw RuntimeError("standard input is not UTF-8 text")
      }
      rest = rest[end...]
    }
    self.bytes = bytes
  }

  private static let validatedPart = 65_536

  /// Reads standard input to its end.
  ///
  /// - Throws: `RuntimeError` when it cannot be read or is not UTF-8.
  static func ofStandardInput() throws(RuntimeError) -> InputLines {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
      } else if count == 0 {
        return try InputLines(bytes)
      } else if errno != EINTR {
        throw RuntimeError("cannot read standard input: \(String(cString: strerror(errno)))")
      }
    }
  }

  struct Iterator: IteratorProtocol {
    private let bytes: [UInt8]
    private var position = 0

    fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> String? {
      guard position < bytes.count else { return nil }
      let start = position
      var end = start
      while end < bytes.count {
        let length = lengthOfBreak(at: end)
        if length > 0 {
          position = end + length
          return String(decoding: bytes[start..<end], as: UTF8.self)
        }
        end += 1
      }
      position = end
      return String(decoding: bytes[start...], as: UTF8.self)
    }

    /// The bytes of the line break that begins at a byte; 0 for none. The breaks are those of
    /// `Character.isNewline`; the two characters of CR LF make two, with an empty line between them.
    private func lengthOfBreak(at index: Int) -> Int {
      switch bytes[index] {
      case 0x0A...0x0D: 1
      // U+0085
      case 0xC2: bytes[index + 1] == 0x85 ? 2 : 0
      // U+2028 and U+2029
      case 0xE2: bytes[index + 1] == 0x80 && bytes[index + 2] & 0xFE == 0xA8 ? 3 : 0
      default: 0
      }
    }
  }

  func makeIterator() -> Iterator { Iterator(bytes) }
}
