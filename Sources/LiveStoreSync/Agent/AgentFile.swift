import CLinux
import LibC
import LiveStore
@_exported import SyncSigns

/// The small file beside a joined one, `FILE-sync`, by which at most one agent carries it, and in which that
/// says how it stands.
///
/// The lock is the kernel's: it ends with the process, however that ends. The text is only for people, and
/// the file may be deleted at any time.
final class AgentFile {
  /// The descriptors, each with a lock of its own, which are closed in this order.
  private let descriptors: [Int32]
  private let path: String
  /// The bytes of the last text, at first of one that an earlier agent may have left.
  private var length = Int.max

  /// Takes the place of the file's agent.
  ///
  /// - Returns: `nil` if another process has it.
  /// - Throws: `CompanionFile.Unavailable` if the file cannot be written.
  init?(database: String) throws(CompanionFile.Unavailable) {
    let files = DatabaseFiles(databasePath: database)
    path = SyncSign.path(of: database)
    descriptors = try CompanionFile.openTwice(path, creatingFor: files.path)
    // An agent that is ending may have lost one lock and not the other, for a moment.
    var attempts = 100
    while !(clinux_lock_byte(descriptors[0], SyncSign.lockedBytes[0]) == 0
      && clinux_lock_byte(descriptors[1], SyncSign.lockedBytes[1]) == 0)
    {
      clinux_unlock_byte(descriptors[0], SyncSign.lockedBytes[0])
      attempts -= 1
      let isHeld = SyncSign.lockedBytes.allSatisfy { clinux_is_byte_locked(descriptors[0], $0) == 1 }
      guard attempts > 0, !isHeld else { return nil }
      usleep(1000)
    }
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }

  /// Whether the file has its name still: another program may have removed it.
  var isThere: Bool { CompanionFile.isInPlace(descriptors[0], path) }

  /// Replaces the text. A reader may find the rest of a longer one behind it. Returns whether the disk took
  /// it.
  func write(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      guard pwrite(descriptors[0], bytes.baseAddress, bytes.count, 0) == bytes.count else { return false }
      // It takes longer than all else here.
      if bytes.count < length { _ = ftruncate(descriptors[0], off_t(bytes.count)) }
      length = bytes.count
      return true
    }
  }
}

extension SyncStatus {
  /// Takes in how far a long exchange is.
  mutating func note(_ progress: ExchangeProgress) {
    (done, total) = (Int64(progress.done), Int64(progress.total))
    enter(progress.step)
  }
}
