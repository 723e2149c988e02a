import FoundationEssentials
import TasksModel

/// What is listed above a date that is being typed.
enum DateCompletion {
  private static let suggestions = ["today", "tomorrow", "next week", "+3d", "none"]

  /// What was understood of it; of nothing, what may be written.
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
      // What is not finished yet is no mistake.
      words = "… such as fri, +3d, tomorrow 9:00, 1 dec, 2026-12-01"
    } catch {
      words = error.description
    }
    return Prompt.Completion(text: text, title: title ?? words, words: title == nil ? "" : words)
  }
}
