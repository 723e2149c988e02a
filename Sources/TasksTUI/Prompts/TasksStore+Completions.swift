import FoundationEssentials
import TasksModel

extension TasksStore {
  /// The greatest number of lists that are searched: a key must not wait for a hundred thousand.
  private static let mostListsSearched = 1000

  /// The lists that match the typed part of a name: those that begin with it come first. A name that no list
  /// has comes last; choosing it leads to the question whether to make the list.
  ///
  /// Complexity: O(lists), at most the first thousand.
  func completions(ofList typed: String, except id: Identifier?) -> [Prompt.Completion] {
    let wanted = typed.lowercased()
    var beginning: [Prompt.Completion] = []
    var containing: [Prompt.Completion] = []
    for list in lists.prefix(Self.mostListsSearched) where list.id != id {
      let name = list.text.lowercased()
      let completion = Prompt.Completion(
        text: list.text, title: list.text, value: CommandCall.argument(of: list.id))
      if name.hasPrefix(wanted) {
        beginning.append(completion)
      } else if name.contains(wanted) {
        containing.append(completion)
      }
    }
    let name = typed.trimmingPrefix(while: \.isWhitespace)
    let isNew = !name.isEmpty && !(beginning + containing).contains { $0.text == name }
    return beginning + containing
      + (isNew ? [Prompt.Completion(text: typed, title: "New list “\(name)”")] : [])
  }
}
