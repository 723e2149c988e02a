import FoundationEssentials
import TasksModel

extension TasksStore {
  /// The list that `--list` names: the one with this id, otherwise the only one with this text, otherwise the
  /// only one whose text differs in upper and lower case alone; without a name, the first of all.
  ///
  /// - Throws: `RuntimeError`, which names the existing lists, or their ids if several have this text.
  func list(named name: String?) throws(RuntimeError) -> TaskList {
    guard let name else {
      guard let first = lists.first else {
        throw RuntimeError("there is no list; tasks list-add NAME makes one")
      }
      // The tasks of a list that an entry names and that is not there would be none.
      _ = first.text
      return first
    }
    if let list = list(Identifier(name)), lists.index(of: list) != nil { return list }
    let lists = distinctLists
    var called = Array(lists.lazy.filter { $0.text == name }.prefix(10))
    if called.isEmpty {
      let lowercased = name.lowercased()
      called = Array(lists.lazy.filter { $0.text.lowercased() == lowercased }.prefix(10))
    }
    if let list = called.first {
      guard called.count > 1 else { return list }
      let ids = called.map(\.id.description).joined(separator: ", ")
      throw RuntimeError("more than one list is called “\(name)”; say which by its id: \(ids)")
    }

    let shown = lists.prefix(10).map { "“\($0.text)”" }
    let existing =
      switch shown.isEmpty ? 0 : lists.count {
      // Also if they cannot be read.
      case 0: "there is none"
      case 1: "there is only \(shown[0])"
      case ...10: "there are \(shown.dropLast().joined(separator: ", ")) and \(shown[shown.count - 1])"
      default: "there are \(shown.joined(separator: ", ")) and \((lists.count - shown.count).grouped) more"
      }
    throw RuntimeError("there is no list “\(name)”; \(existing)")
  }
}
