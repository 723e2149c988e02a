/// Why a watcher asks its subscribers to look at the database. Several reasons that came together are one
/// event.
struct CommitEvent: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  /// Another `CommitSignal` posted, in this process or another: a commit is visible.
  static let signal = CommitEvent(rawValue: 1 << 0)
  /// The `-wal` was written or made anew. The commit may not be visible yet, and may never become so.
  static let wal = CommitEvent(rawValue: 1 << 1)
  /// The database file itself was made, deleted or replaced, or what belongs to it removed.
  static let file = CommitEvent(rawValue: 1 << 2)
  /// `CommitWatcher.wake` was called in this process.
  static let wake = CommitEvent(rawValue: 1 << 3)
  /// Some time has passed after an event that may precede its commit.
  static let lookAgain = CommitEvent(rawValue: 1 << 4)
  /// The kernel dropped events; anything may have happened.
  static let overflow = CommitEvent(rawValue: 1 << 5)

  /// With ``lookAgain``: nobody looks after this, unless a transaction may still be committed.
  static let lastLook = CommitEvent(rawValue: 1 << 6)

  /// Whether the commit behind it may become visible only later.
  var mayPrecedeCommit: Bool { !isDisjoint(with: [.wal, .file, .overflow]) }

  /// What a subscriber found.
  enum Outcome: Hashable, Sendable {
    /// All that has been written is part of a commit, and known.
    case upToDate
    /// Something has been written that a commit may make visible without a further event.
    case moreMayFollow
    /// The same, and the transaction that it is of is not over.
    case commitMayFollow
  }
}
