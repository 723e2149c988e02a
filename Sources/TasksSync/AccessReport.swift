import LiveStoreSync
import VisibleText

/// The lines of `tasks sync share` and `tasks sync spaces`: who may use what, and how.
struct AccessReport {
  let json: Bool

  /// Prints the members of a space.
  func write(_ members: [SpaceMember]) throws {
    let rights = members.map { Right(role: $0.role, right: SyncArguments.word(for: $0.right)) }
    try write(JSONReport(members: rights), zip(members.map(\.role), rights))
  }

  /// Prints the spaces that a role may use.
  func write(_ spaces: [JoinedSpace], of role: String) throws {
    let rights = spaces.map {
      Right(name: $0.name, owner: $0.creator, right: SyncArguments.word(for: $0.right))
    }
    try write(JSONReport(spaces: rights), zip(spaces.map(\.fullName), rights))
    guard !json, spaces.isEmpty else { return }
    print("There is no space that \(role) may use: tasks sync join URL makes one.".withControlsMadeVisible)
  }

  private func write(_ report: JSONReport, _ lines: some Sequence<(String, Right)>) throws {
    if json { return print(try report.json) }
    for (name, right) in lines { print("\(name)  \(right.right)".withControlsMadeVisible) }
  }

  private struct JSONReport: Encodable {
    var schema = 1
    var members: [Right]?
    var spaces: [Right]?
  }

  /// The right of a role in the space, or of the person in one of several.
  private struct Right: Encodable {
    var role: String?
    var name: String?
    var owner: String?
    var right: String
  }
}
