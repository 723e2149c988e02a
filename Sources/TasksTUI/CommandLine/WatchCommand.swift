import FoundationEssentials
import Glibc
import LiveStore
import TasksModel

/// `tasks watch`: prints the tasks of a list with their subtasks, then each change set, as one line of JSON
/// each.
struct WatchCommand {
  let store: TasksStore
  /// The source that the store was opened with.
  let notifications: NotificationSource
  /// The name of the list, or nil for the first.
  let list: String?

  /// Returns after a signal, or when the reader of standard output was closed.
  func run(until stop: StopSignals) throws {
    let list = try store.list(named: list)
    let text = list.text
    let pending = PendingLines()
    let token = list.items.observe { change in
      pending.append(change)
    }
    defer { token.invalidate() }

    while true {
      if let failure = pending.failure { throw failure }
      // A failed read in between would make the lines wrong.
      if let failure = store.failure { throw RuntimeError("cannot watch any longer: \(failure)") }
      var descriptors = [
        pollfd(fd: stop.fileDescriptor, events: Int16(POLLIN), revents: 0),
        // Without events, `poll` reports only errors, such as a closed reader.
        pollfd(fd: STDOUT_FILENO, events: pending.isEmpty ? 0 : Int16(POLLOUT), revents: 0),
        // While a reader is slow, changes accumulate in the store, where they are merged, and not here.
        pollfd(fd: pending.isEmpty ? notifications.fileDescriptor : -1, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&descriptors, nfds_t(descriptors.count), -1) >= 0 || errno == EINTR else {
        throw RuntimeError("cannot wait for changes: \(String(cString: strerror(errno)))")
      }
      if descriptors[0].revents != 0 { return }
      if descriptors[1].revents & Int16(POLLOUT) != 0 {
        try pending.writeSome()
      } else if descriptors[1].revents != 0 {
        return
      }
      if descriptors[2].revents != 0 {
        store.processNotifications()
        if list.isInvalidated && pending.isEmpty {
          throw RuntimeError("the list “\(text)” has been deleted")
        }
      }
    }
  }

  /// Lines that have been delivered but not written.
  private final class PendingLines {
    private var bytes: [UInt8] = []
    /// The number of bytes at the front that have been written.
    private var writtenCount = 0
    private(set) var failure: RuntimeError?

    var isEmpty: Bool { bytes.isEmpty }

    func append(_ change: CollectionChange<List<TaskItem>>) {
      switch change {
      case .initial(let items):
        bytes += Array((WatchCommand.line(initial: items) + "\n").utf8)
      case .update(let items, let changes):
        bytes += Array((WatchCommand.line(items, changes) + "\n").utf8)
      case .error(let error):
        failure = RuntimeError("cannot watch any longer: \(error)")
      }
    }

    /// Writes as much as possible without blocking; standard output has to be writable.
    func writeSome() throws {
      try bytes.withUnsafeBytes { buffer in
        var rest = buffer[writtenCount...]
        try StandardOutput.write(&rest)
        writtenCount = buffer.count - rest.count
      }
      if writtenCount == bytes.count {
        bytes.removeAll()
        writtenCount = 0
      }
    }
  }

  private static func line(initial items: List<TaskItem>) -> String {
    JSONText.object([
      ("version", "\(JSONText.schemaVersion)"), ("event", JSONText.string("initial")),
      ("items", JSONText.array(items.lazy.map(\.jsonWithSubtasks))),
    ])
  }

  /// The line of a change set, with the inserted and modified rows by their indices after the change.
  private static func line(_ items: List<TaskItem>, _ changes: ChangeSet) -> String {
    let shown = Set(changes.insertions).union(changes.modificationsInNew).sorted()
    return JSONText.object([
      ("event", JSONText.string("update")),
      ("deletions", JSONText.array(changes.deletions)),
      ("insertions", JSONText.array(changes.insertions)),
      ("modifications", JSONText.array(changes.modifications)),
      (
        "moves",
        JSONText.array(
          changes.moves.lazy.map { JSONText.object([("from", String($0.from)), ("to", String($0.to))]) })
      ),
      ("items", JSONText.object(shown.lazy.map { (String($0), items[$0].jsonWithSubtasks) })),
    ])
  }
}
