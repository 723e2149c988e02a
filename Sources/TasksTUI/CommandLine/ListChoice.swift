import FoundationEssentials
import TasksModel

extension TasksStore {
  /// The list that `--list` names: the first one with this text, otherwise the one with this id; without a
  /// name, the first of all.
  ///
  /// - Throws: `RuntimeError`, which names the existing lists.
  func list(named name: String?) throws(RuntimeError) -> TaskList {
    guard let name else {
      guard let first = lists.first else { throw RuntimeError("there is no list; make one in the app first") }
      return first
    }
    if let list = lists.first(where: { $0.text == name }) { return list }
    if let list = list(Identifier(name)), lists.index(of: list) != nil { return list }

    let shown = lists.prefix(10).map { "“\($0.text)”" }
    let existing =
      switch shown.isEmpty ? 0 : lists.count {
      // Also if they cannot be read.
      case 0: "there is none"
      case 1: "there is only \(shown[0])"
      case ...10: "there are \(shown.dropLast().joined(separator: ", ")) and \(shown[shown.count - 1])"
      default: "there are \(shown.joined(separator: ", ")) and \(lists.count - shown.count) more"
      }
    throw RuntimeError("there is no list “\(name)”; \(existing)")
  }
}
