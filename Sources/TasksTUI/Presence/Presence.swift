import Glibc

/// Another window on the same file.
struct OtherWindow: Equatable, Sendable {
  /// Its place in `WindowFile`: no two windows have the same at one time.
  var place: Int
  var state: WindowState
}

/// The other windows on the same file, and what they are told of this one. It is advice and nothing more:
/// nothing is locked by it, and nothing is lost where it is wrong.
final class Presence {
  /// Readable when the other windows may have changed: call `look` then.
  let fileDescriptor: Int32
  /// By their places.
  private(set) var others: [OtherWindow] = []
  private let database: String
  private var file: WindowFile?
  private var watch: Int32 = -1
  private var state: WindowState

  /// Tells the other windows that this one is there.
  ///
  /// - Parameters:
  ///   - database: the path of the database, which exists.
  ///   - terminal: the terminal that this window is in; empty where there is none.
  /// - Returns: nil where windows cannot tell of each other, such as in a folder that cannot be written to.
  init?(database: String, author: String, terminal: String) {
    guard let file = WindowFile(database: database) else { return nil }
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    fileDescriptor = descriptor
    self.database = database
    self.file = file
    state = WindowState(author: author, terminal: terminal)
    join()
  }

  deinit { close(fileDescriptor) }

  var author: String { state.author }

  /// What goes on here; telling the others takes one system call when it is something else than before.
  var activity: WindowState.Activity {
    get { state.activity }
    set {
      guard newValue != state.activity else { return }
      state.activity = newValue
      file?.write(state.bytes)
    }
  }

  /// Takes in what has happened; returns whether the other windows are others now, or do something else.
  func look() -> Bool {
    var isFileInDoubt = false
    readEvents { isFileInDoubt = isFileInDoubt || $0 & UInt32(IN_ATTRIB | IN_MOVE_SELF | IN_IGNORED) != 0 }
    if isFileInDoubt, file?.isInPlace != true {
      // Somebody has deleted or replaced it: all windows meet again under its name.
      file = WindowFile(database: database)
      join()
      return true
    }
    return lookAtFile()
  }

  private func join() {
    if watch >= 0 { inotify_rm_watch(fileDescriptor, watch) }
    // Watched before it is read, so that nothing is missed in between.
    let mask = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVE_SELF | IN_DONT_FOLLOW)
    watch = file.map { inotify_add_watch(fileDescriptor, $0.path, mask) } ?? -1
    file?.write(state.bytes)
    _ = lookAtFile()
  }

  private func lookAtFile() -> Bool {
    let new = file?.others().map { OtherWindow(place: $0.place, state: $0.state) } ?? []
    defer { others = new }
    return new != others
  }

  /// Calls `body` with the mask of each event that waits.
  private func readEvents(_ body: (UInt32) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) {
      buffer in
      while case let length = read(fileDescriptor, buffer.baseAddress, buffer.count), length > 0 {
        var offset = 0
        while offset < length {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          // Watches that are given up tell so themselves, afterwards.
          if event.wd == watch || event.mask & UInt32(IN_Q_OVERFLOW) != 0 { body(event.mask) }
          offset += MemoryLayout<inotify_event>.size + Int(event.len)
        }
      }
    }
  }
}
