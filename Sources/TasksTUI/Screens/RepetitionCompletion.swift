import FoundationEssentials
import TasksModel

/// The completions listed above a repetition that is being typed.
enum RepetitionCompletion {
  private static let suggestions = [
    "every day", "every weekday", "every week", "every month", "every year", "after 3 days", "none",
  ]

  /// The meaning of the text; for an empty one, suggestions.
  ///
  /// - Parameter date: The date of the task, from which the days are counted; nil if it has none.
  static func completions(of text: String, from date: Date?, _ context: ScreenContext) -> [Prompt.Completion]
  {
    guard !text.isEmpty else {
      return suggestions.map {
        Prompt.Completion(text: $0, title: $0, words: Self.days(of: $0, from: date, context) ?? "")
      }
    }
    let days = Self.days(of: text, from: date, context)
    let title =
      switch (days, try? context.dates.readRepetition(text)) {
      case (let days?, let repetition?): "\(repetition): \(days)"
      case (let days?, nil): days
      // An unfinished text is no mistake.
      case (nil, _): "… such as every week, every 2 months, every mon and thu, every 15th, after 3 days"
      }
    return [Prompt.Completion(text: text, title: title)]
  }

  private static let count = 4

  private static func days(of text: String, from date: Date?, _ context: ScreenContext) -> String? {
    if text.meansNothing { return "does not come again" }
    let dates = context.dates
    guard let repetition = try? dates.readRepetition(text) else { return nil }
    let words = repetition.dates(count, from: date, now: dates.now(), dates.calendar)
      .map(context.calendar.shortWords)
    if repetition.isAfterCompletion, words.count > 1 { return "\(words[0]), \(words[1]) if done that day, …" }
    return words.joined(separator: ", ") + ", …"
  }
}
