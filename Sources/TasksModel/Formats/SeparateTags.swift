/// Tags beside a text, in formats that have them apart from it.
enum SeparateTags {
  /// The text without the tags at its end, and all its tags without their `#`.
  static func split(_ text: String) -> (text: String, tags: [String]) {
    guard text.utf8.contains(UInt8(ascii: "#")) else { return (text, []) }
    var words = text.wordsBetweenSpaces
    var ending: [String] = []
    while words.count > 1, let last = words.last, last.hasPrefix("#"), let name = TaskTags.name(String(last)),
      !words[words.count - 2].isEmpty, !ending.contains(where: { $0.lowercased() == name }),
      !TaskTags.names(in: words.dropLast().joined(separator: " ")).contains(name)
    {
      ending.insert(String(last.dropFirst()), at: 0)
      words.removeLast()
    }
    let rest = words.joined(separator: " ")
    return (rest, TaskTags.names(in: rest) + ending)
  }

  /// The text with those tags at its end that it does not contain.
  static func join(_ text: String, _ tags: some Sequence<String>) -> String {
    var text = text
    var known: Set<String>?
    for tag in tags where !tag.isEmpty {
      let name = String(tag.map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "_" })
      if known == nil { known = Set(TaskTags.names(in: text)) }
      guard known?.insert(name.lowercased()).inserted == true else { continue }
      text += text.isEmpty ? "#" + name : " #" + name
    }
    return text
  }
}
