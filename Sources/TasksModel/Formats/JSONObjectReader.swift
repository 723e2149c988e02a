/// A reader of the objects of a JSON array, or of objects one after the other, which needs memory for one
/// object.
struct JSONObjectReader {
  enum Item: Equatable {
    case object([UInt8])
    /// The reason why an object cannot be read.
    case problem(String)
  }

  /// The number of the first line of the item that was read last.
  private(set) var number = 1

  private let source: ByteSource
  private var buffer: [UInt8] = []
  private var position = 0
  private var line = 1
  /// Whether an array has begun and not ended.
  private var isInArray = false
  /// Whether the last sign was the end of an object, after which a comma may follow.
  private var isAfterObject = false
  /// Whether there was a problem: the signs after it may be part of what could not be read.
  private var hadProblem = false

  init(_ source: @escaping ByteSource) {
    self.source = source
  }

  /// The next object; nil at the end of the file.
  mutating func next() throws -> Item? {
    let item = try nextItem()
    if case .problem = item { hadProblem = true }
    return item
  }

  private mutating func nextItem() throws -> Item? {
    while let byte = try byte() {
      switch byte {
      case UInt8(ascii: "{"):
        number = line
        isAfterObject = true
        return try object()
      case 0x20, 0x09, 0x0A, 0x0D: continue
      case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","):
        if hadProblem || take(sign: byte) { continue }
        number = line
        return .problem("there is a “\(Character(UnicodeScalar(byte)))” where none can be")
      default:
        // The mark at the beginning of a file of some programs.
        if line == 1, [0xEF, 0xBB, 0xBF].contains(byte) { continue }
        number = line
        try skipLine()
        return .problem("it is no JSON object")
      }
    }
    guard isInArray, !hadProblem else { return nil }
    number = line
    return .problem("the file ends in the middle of an array")
  }

  /// Takes a sign between objects; returns whether it can be there. Older files have commas without an array.
  private mutating func take(sign: UInt8) -> Bool {
    defer { isAfterObject = false }
    switch sign {
    case UInt8(ascii: ","): return isAfterObject
    case UInt8(ascii: "["):
      defer { isInArray = true }
      return !isInArray
    default:
      defer { isInArray = false }
      return isInArray
    }
  }

  private mutating func object() throws -> Item {
    var object = [UInt8(ascii: "{")]
    var depth = 1
    var isInText = false
    var isEscaped = false
    while let byte = try byte() {
      // In a text a line break is a code: this text, and so its object, is not complete.
      if byte == 0x0A, isInText { break }
      object.append(byte)
      guard object.count < LineReader.longestLine else {
        try skipLine()
        return .problem("it is longer than \(LineReader.longestLine >> 20) MB")
      }
      if isEscaped {
        isEscaped = false
      } else if isInText {
        if byte == UInt8(ascii: "\\") { isEscaped = true }
        if byte == UInt8(ascii: "\"") { isInText = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
        if depth == 0 { return .object(object) }
      }
    }
    return .problem("it is no JSON object, or not all of one")
  }

  private mutating func skipLine() throws {
    while let byte = try byte(), byte != 0x0A {}
  }

  private mutating func byte() throws -> UInt8? {
    if position == buffer.count {
      buffer = try source()
      position = 0
      if buffer.isEmpty { return nil }
    }
    defer { position += 1 }
    if buffer[position] == 0x0A { line += 1 }
    return buffer[position]
  }
}
