/// A row of which a change stays on this machine because the server does not take it.
public struct KeptRow: Equatable, Sendable {
  /// The text of the row; empty where it has none, or is gone.
  public var text: String
  /// The server's sentence.
  public var reason: String

  /// The most characters of a text in a sentence: it may be the text that is too long.
  private static let mostCharacters = 60

  /// One sentence for the person who changed it.
  public var sentence: String {
    let start = TaskWords.line(String(text.prefix(Self.mostCharacters)))
    let end = text.dropFirst(Self.mostCharacters).isEmpty ? "" : "…"
    let name = text.isEmpty ? "A row" : "“\(start)\(end)”"
    return "\(name) stays on this machine: \(reason) It is sent when you have changed it."
  }

  /// The sentence about rows that stay here only because they go with such a row; empty if there are none.
  public static func sentence(others count: Int) -> String {
    switch count {
    case ...0: ""
    case 1: "1 row that was changed together with it waits for it."
    default: "\(count.grouped) rows that were changed together with it wait for it."
    }
  }
}
