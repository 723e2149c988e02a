import CTerminal
import Glibc
import LiveStore
import TasksModel
import TerminalUI

/// `tasks watch`: prints the tasks of a list with their subtasks, then each change set, as one line of JSON
/// each; or runs a program for each change set.
struct WatchCommand {
  let store: TasksStore
  /// The source that the store was opened with.
  let notifications: NotificationSource
  /// The name of the list, or nil for the first.
  let list: String?
  /// The program to run for each change set, with the line on its standard input, instead of printing.
  var program: String?
  /// Reports a program that failed, as a sentence without the full stop.
  var complain: (String) -> Void = { _ in }

  /// Returns after a signal, or when the reader of standard output was closed.
  func run(until stop: StopSignals) throws {
    let list = try store.list(named: list)
    let text = list.text
    let pending = PendingLines(areTold: program != nil)
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
        pollfd(
          fd: program == nil ? STDOUT_FILENO : -1, events: pending.isEmpty ? 0 : Int16(POLLOUT), revents: 0),
        // While a reader is slow, changes accumulate in the store, where they are merged, and not here.
        pollfd(fd: pending.isEmpty ? notifications.fileDescriptor : -1, events: Int16(POLLIN), revents: 0),
      ]
      let waits = pending.told.isEmpty
      guard poll(&descriptors, nfds_t(descriptors.count), waits ? -1 : 0) >= 0 || errno == EINTR else {
        throw RuntimeError("cannot wait for changes: \(String(cString: strerror(errno)))")
      }
      if descriptors[0].revents != 0 { return }
      if let program, !waits {
        try tell(pending.told.removeFirst(), to: program)
        continue
      }
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

  /// Runs a program with a line as its standard input. Changes that come meanwhile are merged by the store.
  private func tell(_ line: String, to program: String) throws {
    let text = Array((line + "\n").utf8)
    // Nothing reads the standard input of this process, which the program inherits.
    guard cterminal_redirect_to_memory(STDIN_FILENO), fcntl(STDIN_FILENO, F_SETFD, 0) >= 0,
      text.withUnsafeBytes({ write(STDIN_FILENO, $0.baseAddress, $0.count) }) == text.count
    else { throw RuntimeError("cannot run “\(program)”: \(String(cString: strerror(errno)))") }
    lseek(STDIN_FILENO, 0, SEEK_SET)
    let status = try ShellProgram.run(program)
    if status != 0 { complain("“\(program)” ended with status \(status)") }
  }

  /// Lines that have been delivered but not written.
  private final class PendingLines {
    /// The lines for a program.
    var told: [String] = []
    /// Whether they are for a program, which is told of changes only.
    private let areTold: Bool
    private var bytes: [UInt8] = []
    /// The number of bytes at the front that have been written.
    private var writtenCount = 0
    private(set) var failure: RuntimeError?

    init(areTold: Bool) {
      self.areTold = areTold
    }

    var isEmpty: Bool { bytes.isEmpty && told.isEmpty }

    func append(_ change: CollectionChange<List<TaskItem>>) {
      switch change {
      case .initial where areTold: break
      case .initial(let items):
        bytes += Array((WatchCommand.line(initial: items) + "\n").utf8)
      case .update(let items, let changes) where areTold: told.append(WatchCommand.line(items, changes))
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
