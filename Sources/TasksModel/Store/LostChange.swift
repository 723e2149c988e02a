import LiveStore

/// Work of the person at this machine that another machine's change took back, or that the server refused.
public struct LostChange: Equatable, Sendable {
  /// The reason why it was lost; `SyncConflict.Kind` in LiveStoreSync says more of each.
  public enum Reason: String, Sendable {
    case deleted, overwritten, displaced, refused, kept
  }

  /// The number by which `tasks sync restore` knows it.
  public var number: Int64
  public var reason: Reason
  public var row: Identifier
  /// The text of the row, as far as it is known.
  public var text: String
  /// The person who did it, and the machine; empty where that is not known.
  public var actor: RemoteActor
  /// The names of the properties of which people know, and whose values were lost, for
  /// ``Reason/overwritten``.
  public var properties: [String]
  /// The lost value of the only property, where it is a text.
  public var value: String?

  /// Whether the row was put below a task, for ``Reason/displaced``.
  public var isSubtask = false
  /// The text of the list that has the row now, for ``Reason/displaced``; `nil` if none has it.
  public var refuge: String?

  /// Whether the row was deleted since, for ``Reason/overwritten``.
  public var isDeleted = false

  /// Whether it can be brought back: for a person who may only read it would be refused again, a row that
  /// has come into another list stays there while the former place is gone, and of one that was deleted since
  /// no more is known than what was lost.
  public var canReturn: Bool

  /// One sentence for the person who did it.
  public var sentence: String {
    let name = text.isEmpty ? "a row" : "“\(TaskWords.line(text))”"
    switch reason {
    case .deleted: return "You changed \(name), which \(actor.words) deleted."
    case .displaced:
      let refuge = refuge.map { "; it is in “\(TaskWords.line($0))” now" } ?? ""
      return
        "You put \(name) \(isSubtask ? "below a task" : "into a list") that \(actor.words) deleted\(refuge)."
    case .refused: return "You may not change \(name): that was taken back."
    case .kept: return "You deleted \(name) while this file was in no space; the others still have it."
    case .overwritten:
      let names = properties.compactMap { Self.words[$0] }
      let what = names.isEmpty ? name : "the \(names.joined(separator: " and ")) of \(name)"
      let yours =
        (value.map { "; yours was “\(TaskWords.line($0))”" } ?? "") + (isDeleted ? "; it is deleted now" : "")
      guard actor.person.isEmpty else { return "\(actor.words) changed \(what) after you\(yours)." }
      let now = names.count < 2 ? "is another now" : "are others now"
      return "\(what.firstUppercased) \(now)\(yours)."
    }
  }

  /// The properties of which people know, by the names of their cells; others follow from them.
  static let words = [
    "text": "text", "notes": "note", "date": "date", "completed": "state", "priority": "priority",
    "repetition": "repetition", "@place": "list", "words": "words",
  ]
}

/// The person who changed something on another machine.
public struct RemoteActor: Equatable, Sendable {
  /// The role on the server.
  public var person: String
  /// The name of the machine; empty if it has left the space.
  public var machine: String

  public init(person: String, machine: String) {
    self.person = person
    self.machine = machine
  }

  /// The person and the machine, such as `ben on tablet`.
  public var words: String {
    let name = person.isEmpty ? "another person" : person
    return machine.isEmpty ? name : "\(name) on \(machine)"
  }
}
