import CLinux
import LibC

/// The claim of a process that the name of a database is that of the file which it has open.
///
/// SQLite finds the log of a database by its name. If another file gets the name of an open database, as when
/// a backup is moved there, a program that opens it takes the log of the first for that of the other: it
/// writes the log into the other, and deletes it. What both held is lost.
///
/// Therefore every connection of LiveStore claims the name, and none is opened to another file under a name
/// that is claimed, as long as there is a log. A claim is a shared lock on a byte of the signal file, another
/// byte for each inode. The kernel releases it when the process ends. Programs that know nothing of LiveStore
/// have no claim, and where there can be no signal file there is none either.
package final class NameClaim: Sendable {
  private let descriptor: Int32

  /// Claims the name; waits up to ``patience`` for the claims of others to be released, since a process that
  /// finds its file replaced closes it.
  ///
  /// - Parameters:
  ///   - inode: The inode of the file.
  ///   - createsFile: Whether to create the signal file if it is missing.
  /// - Returns: `nil` if there is no signal file.
  /// - Throws: ``StoreError/Code/fileAccess`` if the name is claimed for another file.
  init?(files: DatabaseFiles, inode: UInt64, createsFile: Bool) throws(StoreError) {
    let database = createsFile ? files.path : nil
    let opened = try? CompanionFile.open(files.signal, forWriting: false, creatingFor: database)
    guard let opened else { return nil }
    descriptor = opened
    let byte = Self.place(of: inode)
    let isClaimed = Self.waits(for: files) {
      // Of two processes that claim the name at the same moment at least one finds the other.
      _ = clinux_share_byte(opened, byte)
      let isContested =
        clinux_are_bytes_locked(opened, Self.firstByte, byte - Self.firstByte) == 1
        || clinux_are_bytes_locked(opened, byte + 1, 0) == 1
      if isContested { _ = clinux_unlock_byte(opened, byte) }
      return isContested
    }
    guard !isClaimed else {
      throw StoreError(
        .fileAccess,
        "“\(files.path)” is not the file that is open by this name in another program, whose last changes "
          + "would be written into it; quit every program that uses “\(files.path)”, then try again.")
    }
  }

  deinit {
    close(descriptor)
  }

  /// Throws if a program has a file open by a name that no file has now: SQLite would delete the log of that.
  static func requireNone(files: DatabaseFiles) throws(StoreError) {
    guard let opened = try? CompanionFile.open(files.signal, forWriting: false) else { return }
    defer { close(opened) }
    guard waits(for: files, { clinux_are_bytes_locked(opened, firstByte, 0) == 1 }) else { return }
    throw StoreError(
      .fileAccess,
      "“\(files.path)” was deleted or moved while another program had it open, whose last changes a new one "
        + "would destroy; put it back, or quit every program that uses it, then try again.")
  }

  /// Waits until the name is free; there is nothing to be lost without a log.
  ///
  /// - Returns: Whether it is still claimed at the end of ``patience``.
  private static func waits(for files: DatabaseFiles, _ isClaimed: () -> Bool) -> Bool {
    let end = ContinuousClock.now + patience
    while isClaimed(), access(files.wal, F_OK) == 0 {
      guard ContinuousClock.now < end else { return true }
      usleep(.random(in: 2000...10_000))
    }
    return false
  }

  // Behind the content of the file. Asked for the locks on no bytes, the kernel tells of all that follow.
  private static let firstByte: Int64 = 64

  private static func place(of inode: UInt64) -> Int64 {
    firstByte + 1 + Int64(inode & (1 << 62 - 1))
  }

  private static let patience = Duration.milliseconds(500)
}
