import Glibc

/// Another window on the same file.
struct OtherWindow: Equatable, Sendable {
  /// Its place in `WindowFile`, which is unique at any time.
  var place: Int
  var state: WindowState
}

/// The other windows on the same file, and the state that this one publishes to them. The information is only
/// advisory: nothing is locked by it, and nothing is lost if it is wrong.
final class Presence {
  /// A descriptor that is readable when the other windows may have changed: call `look` then.
  let fileDescriptor: Int32
  /// The other windows by their places.
  private(set) var others: [OtherWindow] = []
  /// Called by `look` when the file of the windows was touched, as `tasks sync join` does to wake them.
  var onTouch: () -> Void = {}
  private let database: String
  private var file: WindowFile?
  private var watch: Int32 = -1
  private var state: WindowState

  /// Publishes this window to the others.
  ///
  /// - Parameters:
  ///   - database: The path of the database, which exists.
  ///   - terminal: The terminal of this window; empty if there is none.
  /// - Throws: `WindowFile.Unavailable` if windows cannot share a file, as in a folder that is not writable.
  init(database: String, author: String, terminal: String) throws(WindowFile.Unavailable) {
    let file = try WindowFile(database: database)
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { throw WindowFile.Unavailable(errno) }
    fileDescriptor = descriptor
    self.database = database
    self.file = file
    state = WindowState(author: author, terminal: terminal)
    join()
  }

  deinit { close(fileDescriptor) }

  /// The activity in this window; publishing a change takes one system call.
  var activity: WindowState.Activity {
    get { state.activity }
    set {
      guard newValue != state.activity else { return }
      state.activity = newValue
      file?.write(state.bytes)
    }
  }

  /// Reads the pending events; returns whether the other windows, or their activities, have changed.
  func look() -> Bool {
    var isFileInDoubt = false
    readEvents { isFileInDoubt = isFileInDoubt || $0 & UInt32(IN_ATTRIB | IN_MOVE_SELF | IN_IGNORED) != 0 }
    if isFileInDoubt, file?.isInPlace != true {
      // The file was deleted or replaced: all windows meet again under its name.
      file = try? WindowFile(database: database)
      join()
      return true
    }
    if isFileInDoubt { onTouch() }
    return lookAtFile()
  }

  private func join() {
    if watch >= 0 { inotify_rm_watch(fileDescriptor, watch) }
    // Watched before it is read, so that no change in between is missed.
    let mask = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVE_SELF | IN_DONT_FOLLOW)
    watch = file.map { inotify_add_watch(fileDescriptor, $0.path, mask) } ?? -1
    file?.write(state.bytes)
    _ = lookAtFile()
  }

  private func lookAtFile() -> Bool {
    let new = file?.others() ?? []
    defer { others = new }
    return new != others
  }

  /// Calls `body` with the mask of each pending event.
  private func readEvents(_ body: (UInt32) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) {
      buffer in
      while case let length = read(fileDescriptor, buffer.baseAddress, buffer.count), length > 0 {
        var offset = 0
        while offset < length {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          // Removed watches report that afterwards.
          if event.wd == watch || event.mask & UInt32(IN_Q_OVERFLOW) != 0 { body(event.mask) }
          offset += MemoryLayout<inotify_event>.size + Int(event.len)
        }
      }
    }
  }
}
