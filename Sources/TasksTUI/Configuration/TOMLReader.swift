/// A reader of the statements of a TOML document.
struct TOMLReader {
  enum Statement {
    case table([String], line: Int)
    case entry([String], TOMLValue, line: Int)
  }

  typealias Problem = TOMLDocument.Problem

  private let characters: [Character]
  private var position = 0
  private var line = 1
  /// The nesting of arrays around the present value.
  private var depth = 0

  /// The greatest nesting of arrays, and length of dotted names: nothing meaningful is nearly as deep.
  private static let greatestDepth = 32

  init(_ text: String) {
    // Some editors put a byte order mark at the head of a file.
    characters = Array(
      text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text)
  }

  private var next: Character? { position < characters.count ? characters[position] : nil }

  private mutating func take() -> Character? {
    guard let character = next else { return nil }
    position += 1
    if character.endsLine { line += 1 }
    return character
  }

  /// Consumes a character if it comes next.
  private mutating func take(_ character: Character) -> Bool {
    guard next == character else { return false }
    _ = take()
    return true
  }

  private func problem(_ message: String) -> Problem { Problem(line: line, message: message) }

  // MARK: Between values

  private mutating func skipBlanks() {
    while next == " " || next == "\t" { position += 1 }
  }

  private mutating func skipBlanksAndComment() {
    skipBlanks()
    if next == "#" { skipLine() }
  }

  private mutating func skipBlanksCommentsAndLines() {
    repeat { skipBlanksAndComment() } while next?.endsLine == true && take() != nil
  }

  /// Advances to the next statement; returns whether there is one.
  mutating func skipToStatement() -> Bool {
    skipBlanksCommentsAndLines()
    return next != nil
  }

  mutating func skipLine() {
    while let next, !next.endsLine { position += 1 }
  }

  private mutating func endLine(after what: String) throws(Problem) {
    skipBlanksAndComment()
    guard next == nil || next?.endsLine == true else { throw problem("something stands after \(what)") }
  }

  // MARK: Statements

  /// The next statement, to the end of its last line.
  mutating func statement() throws(Problem) -> Statement {
    let line = line
    if take("[") {
      guard next != "[" else { throw problem("arrays of tables, in [[ ]], have no meaning here") }
      let path = try path()
      guard take("]") else { throw problem("the table's name needs a ] at its end") }
      try endLine(after: "the table's name")
      return .table(path, line: line)
    }
    let path = try path()
    guard take("=") else { throw problem("\(path.joined(separator: ".")) needs an = and a value") }
    skipBlanks()
    let value = try value()
    try endLine(after: "the value")
    return .entry(path, value, line: line)
  }

  /// Keys separated by dots.
  private mutating func path() throws(Problem) -> [String] {
    var path: [String] = []
    repeat {
      skipBlanks()
      guard path.count < Self.greatestDepth else { throw problem("a name has too many parts") }
      path.append(try key())
      skipBlanks()
    } while take(".")
    return path
  }

  private mutating func key() throws(Problem) -> String {
    if next == "\"" || next == "'" { return try string() }
    var key = ""
    while let next, next.isASCII, next.isLetter || next.isNumber || next == "-" || next == "_" {
      key.append(next)
      position += 1
    }
    guard !key.isEmpty else {
      throw problem("a name is expected here: letters, digits, - and _, or in quotes")
    }
    return key
  }

  // MARK: Values

  private mutating func value() throws(Problem) -> TOMLValue {
    switch next {
    case "\"", "'": return .string(try string())
    case "[": return .array(try array())
    case "{": throw problem("inline tables, in { }, have no meaning here")
    default: return try word()
    }
  }

  private mutating func array() throws(Problem) -> [TOMLValue] {
    let start = line
    _ = take("[")
    guard depth < Self.greatestDepth else { throw problem("arrays are nested too deeply") }
    depth += 1
    defer { depth -= 1 }
    var values: [TOMLValue] = []
    while true {
      skipBlanksCommentsAndLines()
      if take("]") { return values }
      guard next != nil else { throw Problem(line: start, message: "the array that begins here has no ]") }
      values.append(try value())
      skipBlanksCommentsAndLines()
      if take("]") { return values }
      guard next != nil else { continue }
      guard take(",") else {
        throw problem("the values of an array have a comma between them, and a ] at their end")
      }
    }
  }

  /// `true`, `false` or a number.
  private mutating func word() throws(Problem) -> TOMLValue {
    var word = ""
    while let next, !next.isWhitespace, !"#,]".contains(next) {
      word.append(next)
      position += 1
    }
    switch word {
    case "": throw problem("a value is missing")
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    default: break
    }
    let digits = word.filter { $0 != "_" }
    let isPlain = digits.allSatisfy { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }
    let isWellFormed =
      !word.contains("__") && digits.last?.isNumber == true && word.last != "_"
      && word.first != "_" && digits.first != "." && !digits.contains("-.") && !digits.contains("+.")
      && !digits.contains(".e") && !digits.contains(".E")
    guard isPlain, isWellFormed, let number = Double(digits), number.isFinite else {
      throw problem("“\(word)” is no value; texts stand in quotes")
    }
    return .number(number)
  }

  private mutating func string() throws(Problem) -> String {
    guard let quote = take() else { throw problem("a text in quotes is expected here") }
    if next == quote, position + 1 < characters.count, characters[position + 1] == quote {
      throw problem("texts of several lines have no meaning here")
    }
    var text = ""
    while let character = next, !character.endsLine {
      position += 1
      if character == quote { return text }
      text.append(quote == "\"" && character == "\\" ? try escape() : character)
    }
    throw problem("a text has no \(quote) at its end")
  }

  private mutating func escape() throws(Problem) -> Character {
    switch take() {
    case "b": return "\u{8}"
    case "t": return "\t"
    case "n": return "\n"
    case "f": return "\u{C}"
    case "r": return "\r"
    case "\"": return "\""
    case "\\": return "\\"
    case "u": return try scalar(digits: 4)
    case "U": return try scalar(digits: 8)
    case let other:
      throw problem("\\\(other.map(String.init) ?? "") means nothing in a text; a \\ is written as \\\\")
    }
  }

  private mutating func scalar(digits: Int) throws(Problem) -> Character {
    var hexadecimal = ""
    while hexadecimal.count < digits, let next, next.isASCII, next.isHexDigit {
      hexadecimal.append(next)
      position += 1
    }
    guard hexadecimal.count == digits, let value = UInt32(hexadecimal, radix: 16),
      let scalar = Unicode.Scalar(value)
    else { throw problem("\\\(digits == 4 ? "u" : "U") needs the \(digits) digits of a character") }
    return Character(scalar)
  }
}

extension Character {
  fileprivate var endsLine: Bool { self == "\n" || self == "\r\n" }
}
