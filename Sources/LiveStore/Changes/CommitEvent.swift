/// Why a watcher asks its subscribers to look at the database. Several reasons that came together are one event.
struct CommitEvent: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  /// Another `CommitSignal` posted, in this process or another: a commit is visible.
  static let signal = CommitEvent(rawValue: 1 << 0)
  /// The `-wal` was written or made anew. The commit may not be visible yet, and may never become so.
  static let wal = CommitEvent(rawValue: 1 << 1)
  /// The database file itself was made, deleted or replaced.
  static let file = CommitEvent(rawValue: 1 << 2)
  /// `CommitWatcher.wake` was called in this process.
  static let wake = CommitEvent(rawValue: 1 << 3)
  /// Some time has passed after an event that may precede its commit.
  static let lookAgain = CommitEvent(rawValue: 1 << 4)
  /// The kernel dropped events; anything may have happened.
  static let overflow = CommitEvent(rawValue: 1 << 5)

  /// Whether the commit behind it may become visible only later.
  var mayPrecedeCommit: Bool { !isDisjoint(with: [.wal, .file, .overflow]) }

  /// What a subscriber found. A new version is one that it had not seen at its last look: it is looked for again soon
  /// after each, so that a handler which calls every look a new version would be called for ever.
  enum Outcome: Hashable, Sendable {
    case sawNewVersion
    case nothingNew
  }
}
