/// The answer of the server to a machine that enters a space.
public struct Entrance: Hashable, Sendable {
  /// The relation of the version that a machine knows to those of the space.
  public enum Continuity: Hashable, Sendable {
    /// The space has gone on from there.
    case inStep
    /// The server was restored from an older state: it may lack what this machine has, and must be sent
    /// everything again.
    case serverRestored
    /// The machine was away for so long that deletions have been forgotten since: what it has in step and the
    /// server has no more was deleted.
    case awayTooLong
  }

  /// The number of the space.
  public var space: Int64
  /// The name of the space, with that of its creator where this is another person: `anna/Home`.
  public var name: String
  /// The right of the person at the machine.
  public var right: SpaceRight
  /// The last version of the space, and the mark of its line.
  public var head: SpaceVersion
  /// The relation between the version that the machine knew and the space.
  public var continuity: Continuity
  /// The number of this machine in the space, for its clocks; nil if the number that was given is another
  /// machine's by now (a copy of the file): then the machine enters again, without a number, for a new one.
  public var replica: Int64?
  /// The token to store before anything else is asked, and to show at the next entrance.
  public var token: String?

  /// Whether another machine has entered with this one's number since: one of the two is a copy of a file.
  public var isCopy: Bool { replica == nil }
}

/// A state of a space: the number of the transaction that made it.
public struct SpaceVersion: Hashable, Sendable {
  /// The number of the transaction; 0 before the first.
  public var number: Int64
  /// A number that tells whether it is still the same state after the server was restored.
  public var mark: Int64

  /// Creates a version; by default the one before the first.
  public init(number: Int64 = 0, mark: Int64 = 0) {
    self.number = number
    self.mark = mark
  }
}

/// The rights of a member of a space; each includes those before it.
public enum SpaceRight: Int, Comparable, Hashable, Sendable {
  /// Reading, and being told of changes.
  case read = 1
  /// Changing objects, too.
  case write
  /// Adding and removing members.
  case manage

  /// Whether a right includes less than another.
  public static func < (left: SpaceRight, right: SpaceRight) -> Bool { left.rawValue < right.rawValue }
}

/// A space of which the person is a member.
public struct JoinedSpace: Hashable, Sendable {
  /// The number of the space on its server.
  public var space: Int64
  /// The name that its creator gave it.
  public var name: String
  /// The role that created it: two people may use one name.
  public var creator: String
  /// The right of the person.
  public var right: SpaceRight
  /// Whether the person is the creator.
  public var isOwn: Bool

  /// The name by which no other space is meant, such as `anna/Home`.
  public var fullName: String { "\(creator)/\(name)" }
}

/// A role that may use a space.
public struct SpaceMember: Hashable, Sendable {
  /// The name of the role on the server.
  public var role: String
  /// The right of the role in the space.
  public var right: SpaceRight
}
