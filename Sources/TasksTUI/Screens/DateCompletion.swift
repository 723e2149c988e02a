import TasksModel

/// The completions listed above a date that is being typed.
struct DateCompletion {
  /// The reason for which a date is asked.
  enum Purpose {
    case due, waiting
  }

  let purpose: Purpose
  let context: ScreenContext

  /// The words in front of the text.
  var label: String { purpose == .due ? "Due: " : "Wait until: " }

  // Nothing waits for a day that has begun.
  private var suggestions: [String] {
    (purpose == .due ? ["today"] : []) + ["tomorrow", "next week", "+3d", "none"]
  }

  /// The meaning of the text; for an empty one, suggestions.
  func completions(of text: String) -> [Prompt.Completion] {
    guard text.isEmpty else { return [Prompt.Completion(text: text, title: words(for: text))] }
    return suggestions.map { Prompt.Completion(text: $0, title: $0, words: words(for: $0)) }
  }

  private func words(for text: String) -> String {
    if text.meansNothing { return purpose == .due ? "no date" : "does not wait" }
    do throws(DateProblem) {
      let date = try context.dates.read(text)
      return purpose == .waiting && date <= context.calendar.now()
        ? Self.overSentence : context.calendar.fullWords(for: date)
    } catch .notUnderstood {
      // An unfinished text is no mistake.
      return "… such as fri, +3d, tomorrow 9:00, 1 dec, 2026-12-01"
    } catch {
      return error.description
    }
  }

  /// The sentence about a date until which nothing can wait.
  static let overSentence = "That is not later than now."
}
