import FoundationEssentials
import LiveStoreSync
import VisibleText

/// The lines of `tasks sync share` and `tasks sync spaces`: who may use what, and how.
struct AccessReport {
  let json: Bool

  /// Prints the members of a space.
  func write(_ members: [SpaceMember]) throws {
    struct Report: Encodable {
      struct Member: Encodable {
        var role: String
        var right: String
      }
      var schema = 1
      var members: [Member]
    }
    guard !json else {
      return try write(
        Report(members: members.map { .init(role: $0.role, right: Self.word($0.right)) }))
    }
    for member in members { print("\(member.role)  \(Self.word(member.right))".withControlsMadeVisible) }
  }

  /// Prints the spaces that a role may use.
  func write(_ spaces: [JoinedSpace], of role: String) throws {
    struct Report: Encodable {
      struct Space: Encodable {
        var name: String
        var owner: String
        var right: String
      }
      var schema = 1
      var spaces: [Space]
    }
    guard !json else {
      return try write(
        Report(spaces: spaces.map { .init(name: $0.name, owner: $0.creator, right: Self.word($0.right)) }))
    }
    for space in spaces { print("\(space.fullName)  \(Self.word(space.right))".withControlsMadeVisible) }
    guard spaces.isEmpty else { return }
    print("There is no space that \(role) may use: tasks sync join URL makes one.".withControlsMadeVisible)
  }

  private func write(_ report: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(report), as: UTF8.self))
  }

  /// The word of an option of `tasks sync share`.
  private static func word(_ right: SpaceRight) -> String {
    switch right {
    case .read: "read"
    case .write: "write"
    case .manage: "manage"
    }
  }
}
