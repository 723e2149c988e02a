import FoundationEssentials
import TasksModel

extension TasksStore {
  /// How many lists are looked at to find those that are meant: a key must not wait for a hundred thousand.
  private static let mostListsSearched = 1000

  /// The lists that a person may mean by what they have typed of a name: those that begin with it first.
  ///
  /// Complexity: O(lists), but no more than the first thousand.
  func completions(ofList typed: String, except id: Identifier?) -> [Prompt.Completion] {
    let wanted = typed.lowercased()
    var beginning: [Prompt.Completion] = []
    var containing: [Prompt.Completion] = []
    for list in lists.prefix(Self.mostListsSearched) where list.id != id {
      let name = list.text.lowercased()
      let completion = Prompt.Completion(text: list.text, title: list.text, value: list.id.description)
      if name.hasPrefix(wanted) {
        beginning.append(completion)
      } else if name.contains(wanted) {
        containing.append(completion)
      }
    }
    return beginning + containing
  }
}
