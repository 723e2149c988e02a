/// The reason for which a watcher calls its subscribers to look at the database. Several reasons at the same
/// time are one event.
package struct CommitEvent: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// A `CommitSignal` was posted, in this process or another: a commit is visible.
  static let signal = CommitEvent(rawValue: 1 << 0)
  /// The `-wal` was written or created again. The commit may not be visible yet, and may never become so.
  static let wal = CommitEvent(rawValue: 1 << 1)
  /// The database file was created, deleted or replaced, or a file that belongs to it removed.
  static let file = CommitEvent(rawValue: 1 << 2)
  /// `CommitWatcher.wake` was called in this process.
  static let wake = CommitEvent(rawValue: 1 << 3)
  /// Some time has passed after an event that may precede its commit.
  static let lookAgain = CommitEvent(rawValue: 1 << 4)
  /// The kernel dropped events; anything may have happened.
  static let overflow = CommitEvent(rawValue: 1 << 5)

  /// With ``lookAgain``: this look is the last one, unless a transaction may still be committed.
  static let lastLook = CommitEvent(rawValue: 1 << 6)
  /// Nothing has happened for some time after the last commit.
  static let pause = CommitEvent(rawValue: 1 << 7)

  /// Whether the commit that caused it may become visible only later.
  var mayPrecedeCommit: Bool { !isDisjoint(with: [.wal, .file, .overflow]) }

  /// Whether nothing but a commit that is visible caused it.
  package var isAnnouncedCommit: Bool { isSubset(of: [.signal, .wake]) }

  /// The result of a subscriber's look.
  package enum Outcome: Hashable, Sendable {
    /// Everything that was written belongs to a known commit.
    case upToDate
    /// The same, and the log has frames that are to be written back into the file when no more commits come.
    case logHasCommits
    /// Frames were written that a commit may make visible without a further event.
    case moreMayFollow
    /// The same, and their transaction is still in progress.
    case commitMayFollow
  }
}
