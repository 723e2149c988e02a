import FoundationEssentials
import TasksModel

/// The completions listed above a date that is being typed.
enum DateCompletion {
  private static let suggestions = ["today", "tomorrow", "next week", "+3d", "none"]

  /// The meaning of the text; for an empty one, suggestions.
  static func completions(of text: String, _ context: ScreenContext) -> [Prompt.Completion] {
    guard text.allSatisfy(\.isWhitespace) else { return [completion(text, title: nil, context)] }
    return suggestions.map { completion($0, title: $0, context) }
  }

  private static func completion(
    _ text: String, title: String?, _ context: ScreenContext
  ) -> Prompt.Completion {
    let words: String
    do throws(DateProblem) {
      words =
        text == "none" || text == "-"
        ? "no date" : context.calendar.fullWords(for: try context.dates.read(text))
    } catch .notUnderstood {
      // An unfinished text is no mistake.
      words = "… such as fri, +3d, tomorrow 9:00, 1 dec, 2026-12-01"
    } catch {
      words = error.description
    }
    return Prompt.Completion(text: text, title: title ?? words, words: title == nil ? "" : words)
  }
}
