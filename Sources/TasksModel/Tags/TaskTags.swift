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
