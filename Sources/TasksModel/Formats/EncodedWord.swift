/// A text as one word: formats whose values end at white space cannot hold another. A space is an underscore;
/// an underscore, other white space and control characters are `%` and two hexadecimal digits for each byte.
enum EncodedWord {
  static func encode(_ text: String) -> String {
    var word = ""
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      switch scalar {
      case " ": word += "_"
      case "_": word += "%5F"
      // Only where it would be read as the beginning of a code.
      case "%" where scalars[(index + 1)...].prefix(2).filter(\.properties.isASCIIHexDigit).count == 2:
        word += "%25"
      case _ where scalar.properties.isWhitespace || scalar.properties.generalCategory == .control:
        for byte in String(scalar).utf8 {
          let digits = String(byte, radix: 16, uppercase: true)
          word += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
        }
      default: word.unicodeScalars.append(scalar)
      }
    }
    return word
  }

  /// Reads the codes; other characters stand for themselves.
  static func decode(_ word: some StringProtocol) -> String {
    guard word.utf8.contains(where: { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "%") }) else {
      return String(word)
    }
    let source = Array(word.utf8)
    var bytes: [UInt8] = []
    var index = 0
    while index < source.count {
      if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
        let byte = UInt8(String(decoding: source[(index + 1)...(index + 2)], as: UTF8.self), radix: 16),
        Unicode.Scalar(source[index + 1]).properties.isASCIIHexDigit, byte != 0
      {
        bytes.append(byte)
        index += 3
      } else {
        bytes.append(source[index] == UInt8(ascii: "_") ? UInt8(ascii: " ") : source[index])
        index += 1
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? String(word)
  }
}
