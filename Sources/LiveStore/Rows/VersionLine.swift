/// The order of the versions that the snapshots of one store hold.
///
/// The change log's numbers alone are none: a file that another program has restored from a copy may have any
/// number, also the one that is shown. Numbers belong together, to one *line*, as long as each snapshot finds
/// the log row with which the one before it ended, with the same mark, and the tables as they were. A
/// snapshot that does not begins a new line, whose versions are higher than all before; what differs from
/// those is then found by comparing.
///
/// Used by the party that owns the calculation; see `Coordinator`.
final class VersionLine {
  /// Where the log of a snapshot ends.
  struct End: Equatable {
    var number: Int64
    /// A random number; `nil` where a log row of another program has none, which proves nothing.
    var mark: Int64?
    /// SQLite's number for the tables of the file.
    var schemaVersion: Int64?
  }

  /// The numbers of the log that a snapshot continues, as versions.
  struct Section {
    /// What to add to a number for the version.
    fileprivate(set) var offset: Int64 = 0
    /// The first version whose successors the log tells of.
    fileprivate(set) var start: Int64 = .min

    /// The number in the log of a version, or `nil` when it belongs to an earlier line.
    func number(of version: Int64) -> Int64? {
      version >= start ? version &- offset : nil
    }
  }

  private(set) var section = Section()
  private var newest: End?
  private var newestVersion: Int64 { (newest?.number ?? 0) &+ section.offset }

  /// The version of a snapshot that was just opened.
  ///
  /// - Parameter mark: Reads the mark of a log row from that snapshot; `nil` where there is no such row.
  func version(
    of end: End, mark: (_ number: Int64) throws(StoreError) -> Int64?
  ) throws(StoreError) -> Int64 {
    if let newest, newest != end, try !continues(newest, end, mark) {
      // After the highest number of all comes none: a log that is begun anew has its own.
      let start =
        ChangeLog.isExhausted(at: newestVersion) ? end.number : max(end.number, newestVersion &+ 1)
      section = Section(offset: start &- end.number, start: start)
    }
    newest = end
    return newestVersion
  }

  private func continues(
    _ old: End, _ new: End, _ mark: (Int64) throws(StoreError) -> Int64?
  ) throws(StoreError) -> Bool {
    guard new.number > old.number, new.schemaVersion == old.schemaVersion, let proof = old.mark else {
      return false
    }
    return try mark(old.number) == proof
  }

  /// The version that a commit of this store has made, which continues the newest.
  func version(ofCommit number: Int64, mark: Int64) -> Int64 {
    if let old = newest?.number, number <= old { section = Section(offset: 0, start: number) }
    newest?.number = number
    newest?.mark = mark
    return newestVersion
  }
}
