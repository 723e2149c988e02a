import TasksModel

extension App {
  /// Searches all lists for the words that have a name.
  func filter(_ call: CommandCall) {
    guard let name = call.argument else {
      guard !context.store.savedSearches.isEmpty else {
        return context.say(
          "No search has a name yet; search with \(context.key(.app(.search))), "
            + "then type \(context.key(.app(.saveSearch))) NAME.")
      }
      let note: (String) -> String? = { "No search has a name that begins with \($0.quoted)." }
      let prompt = Prompt.choice("Filter: ", note: note) { [context] in
        context.store.savedSearches.map { ($0.name, $0.words) }
      }
      ask(prompt, for: .argument(of: call))
      return
    }
    guard let search = context.store.savedSearch(named: name) else {
      return context.refuse("No search has the name \(name.quoted).")
    }
    guard context.loss == nil else { return context.say("Nothing can be searched until then.") }
    screen.drop()
    push(SearchScreen(context: context, text: search.words))
  }

  /// Gives the words that were searched for last a name. After Esc has ended that search, a name that there
  /// is already is taken away.
  func saveSearch(_ call: CommandCall) {
    guard !context.refusesWriting() else { return }
    let isNew = call.argument.map { context.store.savedSearch(named: $0) == nil } ?? false
    let words = (context.searchPattern ?? (isNew ? context.lastPattern : nil))?.text ?? ""
    guard let name = call.argument else {
      guard !words.isEmpty else {
        return context.say("Search with \(context.key(.app(.search))) first; Enter keeps the words.")
      }
      ask(Prompt("Save \(words.quoted) as: ") { _ in [] }, for: .argument(of: call))
      return
    }
    do {
      let before = try context.store.saveSearch(words, as: name)
      if words.isEmpty {
        context.say(
          before.map { "\(name.quoted) is no longer a search; it was \($0.quoted)." }
            ?? "No search has the name \(name.quoted); search with \(context.key(.app(.search))), "
            + "and Enter keeps the words.")
      } else {
        let old = before.map { $0 == words ? "" : " It was \($0.quoted)." } ?? ""
        context.say(
          "\(context.key(.app(.filter))) finds \(words.quoted) as \(name.quoted) from now on."
            + old)
      }
    } catch {
      context.say(error)
    }
  }
}
