import FoundationEssentials
import TasksModel

/// Prompts on the bottom line.
extension App {
  func askForList(_ call: CommandCall) {
    let listID = screen.openList
    let prompt = Prompt("Move to list: ", isChoice: true) { [context] typed in
      context.store.completions(ofList: typed, except: listID)
    }
    ask(prompt, for: .argument(of: call))
  }

  /// Asks for a date, and shows how it is understood after each key.
  func askForDate(_ call: CommandCall, _ purpose: DateCompletion.Purpose) {
    let completion = DateCompletion(purpose: purpose, context: context)
    ask(Prompt(completion.label) { completion.completions(of: $0) }, for: .argument(of: call))
  }

  /// Asks for a repetition, and shows the dates that it means after each key.
  func askForRepetition(_ call: CommandCall, task id: Identifier?) {
    let task = id.flatMap(context.store.task)
    let now = task.map(\.repetition).flatMap { $0.isEmpty ? nil : DisplayText($0, clippedTo: 30).string }
    let prompt = Prompt(now.map { "Repeat, now \($0): " } ?? "Repeat: ") { [context] typed in
      let date = id.flatMap(context.store.task)?.date
      return RepetitionCompletion.completions(of: typed, from: date, context)
    }
    ask(prompt, for: .argument(of: call))
  }

  func askForPriority(_ call: CommandCall) {
    let all = [("A", "high"), ("B", "medium"), ("C", "low"), ("none", "")]
    let note: (String) -> String? = { _ in "A priority is A, B, C or none." }
    let prompt = Prompt("Priority: ", isChoice: true, note: note) { typed in
      all.filter { typed.isEmpty || TaskPriority(named: typed) == TaskPriority(named: $0.0) }
        .map { Prompt.Completion(text: $0.0, title: $0.0, words: $0.1) }
    }
    ask(prompt, for: .argument(of: call))
  }

  func askForOrder(_ call: CommandCall) {
    let words: [RowOrder: String] = [
      .due: "the earliest first, then those without a date", .priority: "A, B, C, none",
      .text: "by the alphabet",
    ]
    let note: (String) -> String? = { _ in "Rows are sorted by due, priority or text." }
    let prompt = Prompt("Sort by: ", isChoice: true, note: note) { typed in
      RowOrder.allCases.filter { $0.rawValue.hasPrefix(typed.lowercased()) }
        .map { Prompt.Completion(text: $0.rawValue, title: $0.rawValue, words: words[$0] ?? "") }
    }
    ask(prompt, for: .argument(of: call))
  }

  private static let noTags = "No task has a tag; a word with # before it in a text is one."

  /// Asks for one of the existing tags.
  func askForTag(_ call: CommandCall) {
    let tags = context.tags
    // A line would be taken for a tag. At a terminal the prompt opens still: its letters may have been typed
    // ahead, and would be commands.
    if readsLines, tags.areNone { return context.say(Self.noTags) }
    let note: (String) -> String? = { typed in
      if tags.areNone { return Self.noTags }
      return tags.isReady ? "No tag begins with \(typed.quoted)." : nil
    }
    let screen = ask(
      Prompt("Tag: ", isChoice: true, note: note) { tags.completions(of: $0) }, for: .argument(of: call))
    tags.onChange = { [context, weak screen] in
      screen?.prompt.refresh()
      context.needsFrame = true
    }
    // Enter may have been typed before the tags were read.
    tags.whenReady = { [unowned self, weak screen] in
      guard let screen, screen === front else { return }
      if readsLines, tags.areNone {
        screens.pop()
        return context.say(Self.noTags)
      }
      guard screen.prompt.awaitsChoice else { return }
      _ = follow(screen.type(Key(.enter)))
    }
  }

  @discardableResult
  func ask(_ prompt: Prompt, for use: PromptScreen.Use) -> PromptScreen {
    let screen = PromptScreen(prompt, for: use, context)
    push(screen)
    return screen
  }
}
