/// The reason why something between this machine and the server failed, or cannot be done.
public struct SyncError: Error, Equatable, CustomStringConvertible, Sendable {
  /// The kind of an error, for programs that handle some kinds differently.
  public enum Code: Equatable, Sendable {
    /// The address is none of a PostgreSQL server, or contains a password.
    case badAddress
    /// Nothing answers at the address, or not in time.
    case noServer
    /// The connection is not encrypted, or nobody whom this machine trusts vouches for the server.
    case notTrusted
    /// The server does not let this person in: no password, a wrong one, or no such role.
    case notAdmitted
    /// The server has no such database.
    case noDatabase
    /// The database was not prepared with `tasks sync init`.
    case noSchema
    /// The database was prepared by a newer program.
    case olderProgram
    /// The database was prepared by an older program.
    case olderServer
    /// The role has no right to do this in the database.
    case noRights
    /// The role may only read the space.
    case readOnly
    /// Only managers of the space may do this.
    case managersOnly
    /// There is no such space, or the role is no member of it (any more).
    case noSpace
    /// Several spaces have the name.
    case ambiguousSpace
    /// A space of this person has the name already.
    case nameTaken
    /// The server has no such role, or it is no member.
    case noSuchRole
    /// The space would have no manager left.
    case lastManager
    /// Changes are dated too far ahead of the server's clock.
    case clockAhead
    /// Another machine uses this one's number in the space: a copy of its file.
    case identityTaken
    /// The server takes no change, no machine, or no name of a space, of this form.
    case malformed
    /// An object is larger than the server takes.
    case tooLarge
    /// The connection was lost; a push may or may not have been carried out, and can be repeated.
    case connectionLost
    /// The disk of the server is full.
    case diskFull
    /// The server cannot do it now.
    case busy
    /// Any other error of the server.
    case server
  }

  /// The kind of the error.
  public let code: Code
  /// One sentence: what happened and, if a person can do something, what to do.
  public let description: String
  /// The server's or the library's own message: for programmers, not for the people who use the program.
  let report: String?

  /// Creates an error of a kind.
  public init(_ code: Code, _ description: String) {
    self.init(code, description, report: nil)
  }

  init(_ code: Code, _ description: String, report: String?) {
    self.code = code
    self.description = description
    self.report = report
  }

  /// The error of what needs a file that is joined, where it is not.
  public static func notJoined(_ path: String) -> SyncError {
    SyncError(.noSpace, "“\(path)” is joined to no space: run tasks sync join URL.")
  }

  /// Whether the same may succeed later without anybody doing anything.
  public var isRetryable: Bool {
    switch code {
    case .noServer, .connectionLost, .diskFull, .busy: true
    default: false
    }
  }

  /// Whether the server refuses what a push contains, and would refuse it tomorrow.
  var isAboutContent: Bool { code == .malformed || code == .tooLarge }

  /// Whether the server had no memory left: of that, what a push contains may be the reason or not.
  var isExhaustion: Bool { code == .busy && report?.contains(" 53200:") == true }
}

extension SyncError: CustomDebugStringConvertible {
  /// The sentence and, if there is one, the server's message.
  public var debugDescription: String { report.map { "\(description) (\($0))" } ?? description }
}
