import FoundationEssentials
import TasksModel

/// Prompts on the bottom line.
extension App {
  func askForList(_ call: CommandCall) {
    let listID = (screen as? TasksScreen)?.listID
    let prompt = Prompt("Move to list: ", isChoice: true) { [context] typed in
      context.store.completions(ofList: typed, except: listID)
    }
    guard !prompt.completions.isEmpty else { return context.say("There is no other list.") }
    ask(call, prompt)
  }

  /// Asks for a date, and shows how it is understood after each key.
  func askForDate(_ call: CommandCall) {
    ask(call, Prompt("Due: ") { [context] in DateCompletion.completions(of: $0, context) })
  }

  /// Asks for a repetition, and shows the dates that it means after each key.
  func askForRepetition(_ call: CommandCall, task id: Identifier?) {
    let task = id.flatMap(context.store.task)
    let now = task.map(\.repetition).flatMap { $0.isEmpty ? nil : DisplayText($0, clippedTo: 30).string }
    ask(
      call,
      Prompt(now.map { "Repeat, now \($0): " } ?? "Repeat: ") { [context] typed in
        let date = id.flatMap(context.store.task)?.date
        return RepetitionCompletion.completions(of: typed, from: date, context)
      })
  }

  func askForPriority(_ call: CommandCall) {
    let all = [("A", "high"), ("B", "medium"), ("C", "low"), ("none", "")]
    ask(
      call,
      Prompt("Priority: ", isChoice: true) { typed in
        all.filter { typed.isEmpty || TaskPriority(named: typed) == TaskPriority(named: $0.0) }
          .map { Prompt.Completion(text: $0.0, title: $0.0, words: $0.1) }
      })
  }

  /// Asks for one of the existing tags.
  func askForTag(_ call: CommandCall) {
    let tags = context.tags
    tags.onChange = { [unowned self] in
      self.prompt?.prompt.refresh()
      context.needsFrame = true
    }
    let prompt = Prompt("Tag: ", isChoice: true) { tags.completions(of: $0) }
    // Enter may have been typed before the tags were read.
    tags.whenKnown = { [unowned self, weak prompt] in
      guard let prompt, prompt === self.prompt?.prompt, prompt.awaitsChoice else { return }
      _ = typeIntoPrompt(Key(.enter))
    }
    ask(call, prompt)
  }

  /// Runs the command with the answer.
  func ask(_ call: CommandCall, _ prompt: Prompt) {
    self.prompt = (
      prompt,
      { [unowned self] answer in
        perform(CommandCall(call.command, count: call.count, argument: answer))
      }
    )
  }
}
