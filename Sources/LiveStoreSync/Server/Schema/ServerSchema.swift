/// The tables, rights and functions that a PostgreSQL database needs so that machines can meet in it.
///
/// Everything is in a schema of its own, `livestore`, and every table is keyed by the space first: no
/// statement concerns two spaces, so that the tables can be spread over servers by it.
///
/// Who may do what is decided by the server, for any client, `psql` too:
///
/// - A person is a role of PostgreSQL. Row-level security shows a role the spaces of which it is a member.
/// - Objects, versions and marks are in tables that no role but their owner can write. The functions `push`
///   and `prune` change them with the owner's rights, because merging, versions in the order of commits and
///   the names of authors cannot be left to clients. They take values, never tables, views or code of the
///   caller, and name everything by its schema.
/// - All other functions run with the rights of the caller; policies and privileges on columns limit them.
enum ServerSchema {
  /// The version of what this program installs and expects.
  static let version = 6

  /// Installs everything in an empty database, and renews the functions and policies in one that has it.
  ///
  /// To be run in a transaction.
  static let script = [tables, checking, functions, pushing, announcing, policies, privileges]
    .joined(separator: "\n")

  /// The codes of errors that the functions raise; the class `LS` is none of PostgreSQL's or the standard's.
  enum Condition: String {
    case noSuchSpace = "LS001"
    case readOnly = "LS002"
    case managersOnly = "LS003"
    case clockAhead = "LS004"
    case identityTaken = "LS005"
    case lastManager = "LS006"
    case noSuchRole = "LS007"
    case nameTaken = "LS008"
    case malformed = "LS009"
  }
}
