import TasksModel
import TerminalUI

/// Prompts on the bottom line.
extension App {
  func askForList(_ call: CommandCall) {
    let listID = screen.openList
    let prompt = Prompt("Move to list: ", isChoice: true) { [context] typed in
      context.store.completions(ofList: typed, except: listID)
    }
    ask(prompt, for: .argument(of: call))
  }

  private static let noTags = "No task has a tag; a word with # before it in a text is one."

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
