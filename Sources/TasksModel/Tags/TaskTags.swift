/// The tags in a text: words that begin with `#` and contain a letter, such as `#home`.
public enum TaskTags {
  /// The ranges of the tags, in `Character`s of the text, including their `#`.
  ///
  /// Complexity: O(the length of the text).
  public static func ranges(in text: String) -> [Range<Int>] {
    guard text.utf8.contains(UInt8(ascii: "#")) else { return [] }
    var ranges: [Range<Int>] = []
    var start: Int?
    var hasLetter = false
    var isAtWord = true
    var index = 0
    func end() {
      if let begin = start, hasLetter { ranges.append(begin..<index) }
      start = nil
      hasLetter = false
    }
    for character in text {
      if start != nil, character.isTagCharacter {
        if character.isLetter { hasLetter = true }
      } else {
        end()
        if character == "#", isAtWord { start = index }
      }
      isAtWord = character.isWhitespace || "([{\"'".contains(character)
      index += 1
    }
    end()
    return ranges
  }

  /// The tags of a text without their `#`, in lower case, each once.
  public static func names(in text: String) -> [String] {
    namesInASCII(text) ?? namesInCharacters(of: text)
  }

  /// The same for any text, character by character.
  static func namesInCharacters(of text: String) -> [String] {
    let ranges = ranges(in: text)
    guard !ranges.isEmpty else { return [] }
    let characters = Array(text)
    var names: [String] = []
    var known: Set<String> = []
    for range in ranges {
      let name = String(characters[range.dropFirst()]).lowercased()
      if known.insert(name).inserted { names.append(name) }
    }
    return names
  }

  /// The same for a text in ASCII, byte by byte, which takes a tenth of the time; nil for another.
  static func namesInASCII(_ text: String) -> [String]? {
    var text = text
    return text.withUTF8 { bytes in
      guard bytes.contains(UInt8(ascii: "#")) else { return [] }
      guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
      var names: [String] = []
      var known: Set<String> = []
      var index = 0
      while let sign = bytes[index...].firstIndex(of: UInt8(ascii: "#")) {
        index = sign + 1
        let isAtWord = sign == 0 || bytes[sign - 1].isBeforeTag
        while index < bytes.count, bytes[index].isTagByte { index += 1 }
        let tag = bytes[(sign + 1)..<index]
        guard isAtWord, tag.contains(where: \.isASCIILetter) else { continue }
        let name = String(decoding: tag, as: UTF8.self).lowercased()
        if known.insert(name).inserted { names.append(name) }
      }
      return names
    }
  }

  /// The name of a tag that a person typed, with or without its `#`; nil when it cannot be one.
  public static func name(_ text: String) -> String? {
    let name = text.hasPrefix("#") ? text : "#" + text
    guard ranges(in: name) == [0..<name.count] else { return nil }
    return String(name.dropFirst()).lowercased()
  }

  /// The names as stored in a task: each between two spaces. Empty without any.
  static func column(of text: String) -> String {
    let names = names(in: text)
    return names.isEmpty ? "" : " " + names.joined(separator: " ") + " "
  }
}

extension Character {
  fileprivate var isTagCharacter: Bool { isLetter || isNumber || self == "_" || self == "-" }
}

extension UInt8 {
  fileprivate var isASCIILetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }

  /// Whether it is an ASCII character of a tag.
  fileprivate var isTagByte: Bool {
    isASCIILetter || (0x30...0x39).contains(self) || self == UInt8(ascii: "_") || self == UInt8(ascii: "-")
  }

  /// Whether a tag may begin behind it: white space, or what opens something.
  fileprivate var isBeforeTag: Bool {
    switch self {
    case 0x09...0x0D, 0x20: true
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
    default: false
    }
  }
}
