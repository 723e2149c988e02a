import LiveStore
import TasksModel

/// The state that a window publishes to the others on its file.
struct WindowState: Equatable, Sendable {
  /// An activity that may concern others before they do the same.
  enum Activity: Equatable, Sendable {
    case looking
    /// The text of this row is being edited.
    case editing(Identifier)
    /// The note of this task is being written.
    case writingNote(Identifier)
    /// A row is being added, to this list; nil for no list in particular.
    case adding(list: Identifier?)

    /// The row that is being changed.
    var row: Identifier? {
      switch self {
      case .editing(let id), .writingNote(let id): id
      case .looking, .adding: nil
      }
    }
  }

  /// The person, as in `Author`.
  var author: String
  /// The terminal of the window, such as `pts/3`; empty if there is none.
  var terminal: String
  var activity = Activity.looking
}

extension WindowState {
  /// The bytes of a window's place.
  static let size = 256
  /// The first bytes, which differ in other versions of the format.
  private static let mark = "tasks window 1"
  private static let longestAuthor = 96
  private static let longestTerminal = 48

  /// Lines of text, padded with zeros: the mark, a hash of the lines that follow, the activity, its row or
  /// list, the person and the terminal. Long names are cut.
  var bytes: [UInt8] {
    let (word, id) = activity.words ?? ("looking", "")
    let lines = [
      word, id, Self.line(author, upTo: Self.longestAuthor), Self.line(terminal, upTo: Self.longestTerminal),
      "",
    ]
    let text = lines.joined(separator: "\n")
    let bytes = Array("\(Self.mark)\n\(FNV1a.digits(text.utf8))\n\(text)".utf8)
    return bytes + [UInt8](repeating: 0, count: Self.size - bytes.count)
  }

  /// - Returns: Nil if a window did not write this, or only half of it.
  init?(bytes: some Sequence<UInt8>) {
    guard let text = String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self) else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 7, lines[0] == Self.mark, lines[6].isEmpty,
      FNV1a.digits(lines[2...].joined(separator: "\n").utf8) == lines[1],
      let activity = Activity(word: lines[2], id: lines[3])
    else { return nil }
    self.init(author: String(lines[4]), terminal: String(lines[5]), activity: activity)
  }

  /// The characters of a name that fit on a line.
  private static func line(_ name: String, upTo limit: Int) -> String {
    var line = ""
    for character in name where !character.isNewline && character != "\0" {
      guard line.utf8.count + character.utf8.count <= limit else { break }
      line.append(character)
    }
    return line
  }
}

extension WindowState.Activity {
  /// The activity as a word and an id; nil if the id does not fit on the line.
  fileprivate var words: (word: String, id: String)? {
    switch self {
    case .looking: ("looking", "")
    case .editing(let id): Self.line(id).map { ("editing", $0) }
    case .writingNote(let id): Self.line(id).map { ("note", $0) }
    case .adding(let list): ("adding", list.flatMap(Self.line) ?? "")
    }
  }

  fileprivate init?(word: Substring, id: Substring) {
    let id = id.isEmpty ? nil : Identifier(String(id))
    switch (word, id) {
    case ("looking", nil): self = .looking
    case ("editing", let id?): self = .editing(id)
    case ("note", let id?): self = .writingNote(id)
    case ("adding", let list): self = .adding(list: list)
    default: return nil
    }
  }

  private static let longestID = 64

  private static func line(_ id: Identifier) -> String? {
    guard let text = id.text, (1...longestID).contains(text.utf8.count) else { return nil }
    return text.utf8.contains { $0 < 0x20 } ? nil : text
  }
}
