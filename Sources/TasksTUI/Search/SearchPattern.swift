import TasksModel

/// A pattern of words that must all occur, in any case and with any accents. A word that is a tag, `#home`,
/// matches that tag and no longer one.
struct SearchPattern: Equatable, Sendable {
  /// The pattern as typed.
  let text: String
  /// The words, folded, in UTF-8.
  private let words: [[UInt8]]
  /// The names of tags that the text must have in addition.
  private let tags: [String]
  /// The words, and the tags as words: a text without the word cannot have the tag, which is a fast check.
  private let parts: [[UInt8]]

  init(_ text: String) {
    self.text = text
    var (words, tags): ([[UInt8]], [String]) = ([], [])
    var tagWords: [[UInt8]] = []
    for part in text.split(whereSeparator: \.isWhitespace).map(String.init) {
      if part.hasPrefix("#"), let tag = TaskTags.name(part) {
        tags.append(tag)
        tagWords.append(Self.folded(part))
      } else {
        words.append(Self.folded(part))
      }
    }
    words.removeAll(where: \.isEmpty)
    (self.words, self.tags, parts) = (words, tags, words + tagWords)
  }

  private static func folded(_ text: String) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars { fold(scalar, into: &folded) }
    return folded
  }

  /// Whether the pattern is empty, and matches nothing.
  var isEmpty: Bool { parts.isEmpty }

  /// Whether `other` matches everything that this pattern matches: then only its matches need be examined.
  func narrows(_ other: SearchPattern) -> Bool {
    !other.isEmpty && other.tags.allSatisfy(tags.contains)
      && other.words.allSatisfy { part in parts.contains { Self.first(part, in: $0, from: 0) != nil } }
  }

  /// Complexity: O(length of the text × words).
  func matches(_ text: String) -> Bool {
    guard !isEmpty else { return false }
    let folded = Self.folded(text)
    return parts.allSatisfy { Self.first($0, in: folded, from: 0) != nil } && hasTags(text)
  }

  /// Complexity: O(length of the text), if there are tags at all.
  private func hasTags(_ text: String) -> Bool {
    guard !tags.isEmpty else { return true }
    let names = TaskTags.names(in: text)
    return tags.allSatisfy(names.contains)
  }

  /// Whether the UTF-8 of a text matches, as stored in the file.
  func matches(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    guard utf8.allSatisfy({ $0 < 0x80 }) else { return matches(String(decoding: utf8, as: UTF8.self)) }
    guard !isEmpty else { return false }
    let hasParts = parts.allSatisfy { part in part.withUnsafeBufferPointer { Self.isIn(utf8, $0) } }
    return hasParts && (tags.isEmpty || hasTags(String(decoding: utf8, as: UTF8.self)))
  }

  /// Whether a folded word occurs in ASCII.
  private static func isIn(_ text: UnsafeBufferPointer<UInt8>, _ word: UnsafeBufferPointer<UInt8>) -> Bool {
    guard word.count <= text.count, let first = word.first else { return false }
    for place in 0...text.count - word.count where lowercase(text[place]) == first {
      var length = 1
      while length < word.count, lowercase(text[place + length]) == word[length] { length += 1 }
      if length == word.count { return true }
    }
    return false
  }

  @inline(__always)
  private static func lowercase(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }

  /// The ranges of the words, in `Character`s of the text, ascending; empty if one of them does not occur.
  func ranges(in text: String) -> [Range<Int>] {
    guard !isEmpty, hasTags(text) else { return [] }
    var folded: [UInt8] = []
    /// The character that each byte belongs to.
    var origins: [Int] = []
    for (index, character) in text.enumerated() {
      for scalar in character.unicodeScalars { Self.fold(scalar, into: &folded) }
      while origins.count < folded.count { origins.append(index) }
    }
    var found: [Range<Int>] = []
    if !tags.isEmpty {
      let characters = Array(text)
      found = TaskTags.ranges(in: text)
        .filter { tags.contains(String(characters[$0.dropFirst()]).lowercased()) }
    }
    for word in words {
      var start = 0
      var isThere = false
      while let place = Self.first(word, in: folded, from: start) {
        isThere = true
        found.append(origins[place]..<origins[place + word.count - 1] + 1)
        start = place + word.count
      }
      if !isThere { return [] }
    }
    return found.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
  }

  private static func fold(_ scalar: Unicode.Scalar, into bytes: inout [UInt8]) {
    if scalar.isASCII {
      let byte = UInt8(scalar.value)
      bytes.append(lowercase(byte))
    } else if scalar.value >= 0x300 && scalar.properties.generalCategory == .nonspacingMark {
      // A separate accent.
    } else if let letter = FoldedLetters.folded(scalar) {
      bytes.append(contentsOf: UTF8.encode(letter) ?? UTF8.EncodedScalar())
    } else {
      bytes.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
    }
  }

  private static func first(_ word: [UInt8], in text: [UInt8], from start: Int) -> Int? {
    guard word.count <= text.count - start else { return nil }
    var place = start
    while place <= text.count - word.count {
      if text[place] == word[0], text[place..<place + word.count].elementsEqual(word) { return place }
      place += 1
    }
    return nil
  }
}
