import BenchmarkRunner
import Glibc

/// The least that an observer in C does for a change of one row: it sleeps until inotify wakes it, looks
/// whether there is a new version, opens it, reads the log and reads the row in both versions.
///
/// It watches the same files as LiveStore, since other programs only write to the `-wal`.
final class ObserverFloor {
  /// A connection that holds a version.
  private final class Snapshot {
    let database: RawDatabase
    /// The statement that holds the version, and reads its number.
    let newest: RawStatement
    let log: RawStatement
    let row: RawStatement

    init(_ path: String) {
      database = RawDatabase(path)
      newest = database.prepare("SELECT max(seq), mark FROM _livestore_log")
      log = database.prepare("SELECT entries FROM _livestore_log WHERE seq = ?")
      row = database.prepare("SELECT id, rank, category, text FROM Record WHERE id = ?")
    }

    func open() -> Int {
      newest.reset()
      _ = newest.step()
      return newest.integer(0)
    }
  }

  private let inotify: Int32
  private var front: Snapshot
  private var back: Snapshot
  private var version: Int
  private var events = [UInt8](repeating: 0, count: 4096)
  private(set) var changes = 0
  /// The time after the last change was read.
  private(set) var lastChange: Int64 = 0

  init(_ path: String) {
    front = Snapshot(path)
    back = Snapshot(path)
    version = front.open()
    inotify = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    for file in [path + "-wal", path + "-live"] {
      guard inotify_add_watch(inotify, file, UInt32(IN_MODIFY)) >= 0 else { fatalError("No \(file)") }
    }
  }

  deinit {
    close(inotify)
  }

  /// Waits for a change of one row and reads it.
  func waitForChange() {
    var descriptor = pollfd(fd: inotify, events: Int16(POLLIN), revents: 0)
    let known = changes
    while changes == known {
      _ = poll(&descriptor, 1, -1)
      _ = read(inotify, &events, events.count)
      look()
    }
  }

  private func look() {
    let newest = back.open()
    if newest > version {
      for number in version + 1...newest {
        back.log.bind(number, at: 1)
        if back.log.step(), let id = Self.row(in: back.log.bytes(0)) { compare(id) }
        back.log.reset()
      }
      version = newest
      swap(&front, &back)
      changes += 1
      lastChange = monotonicNanoseconds()
    }
    back.newest.reset()
  }

  private func compare(_ id: Int) {
    var different = 0
    front.row.bind(id, at: 1)
    back.row.bind(id, at: 1)
    if front.row.step(), back.row.step() {
      for column: Int32 in 0..<3 where front.row.integer(column) != back.row.integer(column) {
        different += 1
      }
      if !front.row.hasSameText(as: back.row, in: 3) { different += 1 }
    }
    front.row.reset()
    back.row.reset()
    guard different > 0 else { fatalError("The row has not changed.") }
  }

  /// The key of the only row of a packed transaction: after the table's name and a count, it is a tag and a
  /// number of 7 bits a byte, whose lowest bit is the sign.
  private static func row(in entries: UnsafeRawBufferPointer) -> Int? {
    var offset = Int(entries[0]) + 3
    var number = 0
    var shift = 0
    while offset < entries.count {
      number |= Int(entries[offset] & 0x7f) << shift
      if entries[offset] < 0x80 { return number >> 1 }
      shift += 7
      offset += 1
    }
    return nil
  }
}
