/// The order of the versions that the snapshots of one store hold.
///
/// The numbers of the change log are not enough: a file that another program has restored from a copy may
/// have any number, even the one that is shown. Numbers belong to the same *line* as long as each snapshot
/// finds the last log row of the one before it, with the same mark, and the tables unchanged. Otherwise the
/// snapshot begins a new line, whose versions are higher than all before. The differences from those are then
/// found by comparing.
///
/// Used by the party that has both snapshots; see `DeliveryState`.
final class VersionLine {
  /// The end of the log in a snapshot.
  struct End: Equatable {
    var number: Int64
    /// A random number; `nil` for a log row of another program, which has none and proves nothing.
    var mark: Int64?
    /// SQLite's number for the tables of the file.
    var schemaVersion: Int64?
  }

  /// The numbers of the log that a snapshot continues, as versions.
  struct Section {
    /// The difference between the version and the number.
    fileprivate(set) var offset: Int64 = 0
    /// The first version whose successors the log contains.
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
  /// - Parameter mark: Reads the mark of a log row from that snapshot; `nil` if the row does not exist.
  func version(
    of end: End, mark: (_ number: Int64) throws(StoreError) -> Int64?
  ) throws(StoreError) -> Int64 {
    if let newest, newest != end, try !continues(newest, end, mark) {
      // The highest possible number has no successor: a log that was restarted has its own numbers.
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

  /// The version made by a commit of this store, which succeeds the newest.
  func version(ofCommit number: Int64, mark: Int64) -> Int64 {
    if let old = newest?.number, number <= old { section = Section(offset: 0, start: number) }
    newest?.number = number
    newest?.mark = mark
    return newestVersion
  }
}
