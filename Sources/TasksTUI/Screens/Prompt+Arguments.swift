import TasksModel
import TerminalUI

/// Prompts for the arguments of commands on rows.
extension Prompt {
  /// A prompt for a date, which shows how it is understood after each key.
  static func date(_ purpose: DateCompletion.Purpose, _ context: ScreenContext) -> Prompt {
    let completion = DateCompletion(purpose: purpose, context: context)
    return Prompt(completion.label) { completion.completions(of: $0) }
  }

  /// A prompt for a repetition, which shows the dates that it means after each key.
  ///
  /// - Parameter id: The task that is to be repeated; nil if there are several.
  static func repetition(ofTask id: Identifier?, _ context: ScreenContext) -> Prompt {
    let task = id.flatMap(context.store.task)
    let now = task.map { Repetition.words(of: $0.repetition) }
      .flatMap { $0.isEmpty ? nil : DisplayText($0, clippedTo: 30).string }
    return Prompt(now.map { "Repeat, now \($0): " } ?? "Repeat: ") { [context] typed in
      let date = id.flatMap(context.store.task)?.date
      return RepetitionCompletion.completions(of: typed, from: date, context)
    }
  }

  static func priority() -> Prompt {
    let all = [("A", "high"), ("B", "medium"), ("C", "low"), ("none", "")]
    let note: (String) -> String? = { _ in "A priority is A, B, C or none." }
    return Prompt("Priority: ", isChoice: true, note: note) { typed in
      all.filter { typed.isEmpty || TaskPriority(named: typed) == TaskPriority(named: $0.0) }
        .map { Completion(text: $0.0, title: $0.0, words: $0.1) }
    }
  }

  /// A prompt for the order into which rows are put.
  static func order() -> Prompt {
    let note: (String) -> String? = { _ in "Rows are sorted by due, priority or text." }
    return choice("Sort by: ", note: note) {
      [
        ("due", "the earliest first, then those without a date"), ("priority", "A, B, C, none"),
        ("text", "by the alphabet"),
      ]
    }
  }
}
