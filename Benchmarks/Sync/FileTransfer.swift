import BenchmarkRunner
import Glibc
import LiveStore
import LiveStoreSync

/// All tasks of a file, up from an old machine and down to a new one that shows them.
enum FileTransfer: Benchmark {
  static let name = "file-transfer"
  static let summary =
    "a file of tasks joined to a new space; an empty one joined to it, until its observed list has all; one "
    + "property of each changed, until the observed list has that"

  static func run(_ run: Run) throws {
    for rows in run.sizes(full: [10_000, 100_000], quick: [10_000]) {
      var (up, down, changed) = (Samples(), Samples(), Samples())
      var (late, lateChanges) = (Samples(), Samples())
      for _ in 0..<run.samples(full: 3, quick: 1) {
        let server = try BenchmarkServer()
        let url = try ServerURL(server.address)
        let old = try BenchmarkMachine()
        try old.add(0..<rows)
        up.append(
          try nanoseconds { _ = try old.synced.join(url, space: "Home", classes: BenchmarkMachine.classes) })

        let new = try BenchmarkMachine()
        defer { for machine in [old, new] { machine.close() } }
        let shown = ShownTasks(new)
        let start = monotonicNanoseconds()
        let joining = try Joining(new.path, url)
        late.append(shown.wait { $0.tasks.count == rows })
        down.append(monotonicNanoseconds() - start)
        try joining.finish()

        try old.store.write { for task in old.store.objects(SyncedTask.self) { task.completed = true } }
        try SyncAgent(path: old.path).runOnce()
        let changing = monotonicNanoseconds()
        try new.startAgent()
        lateChanges.append(shown.wait { $0.changes >= rows })
        changed.append(monotonicNanoseconds() - changing)
        shown.close()
      }
      let isLarge = rows >= 100_000
      run.append(
        Measurement(
          "tasks of an old machine go up", rows: rows, times: up,
          targets: isLarge ? [.median(atMost: 10e9)] : []))
      run.append(
        Measurement(
          "a new machine that is looked at gets them", rows: rows, times: down,
          targets: isLarge ? [.median(atMost: 6e9)] : [],
          note: "longest turn of its window \(milliseconds(late.median))"))
      run.append(
        Measurement(
          operation: "cells merged into an observed file, new tasks", rows: rows, unit: .perSecond,
          samples: down.count, median: Double(rows * SyncedTask.cells) / (down.median / 1e9),
          targets: isLarge ? [.rate(atLeast: 100_000)] : [], note: "with the transfer"))
      run.append(
        Measurement(
          operation: "cells merged into an observed file, one of each task", rows: rows, unit: .perSecond,
          samples: changed.count, median: Double(rows) / (changed.median / 1e9),
          note: "with the transfer; longest turn \(milliseconds(lateChanges.median))"))
    }
  }

  private static func nanoseconds(_ body: () throws -> Void) rethrows -> Int64 {
    try BenchmarkRunner.nanoseconds(of: body)
  }

  private static func milliseconds(_ nanoseconds: Double) -> String {
    "\((nanoseconds / 1e4).rounded() / 100) ms"
  }
}

/// The tasks of a machine as a window observes them.
private final class ShownTasks {
  let tasks: Results<SyncedTask>
  private(set) var changes = 0
  private var token: NotificationToken?
  private let machine: BenchmarkMachine

  init(_ machine: BenchmarkMachine) {
    self.machine = machine
    tasks = machine.store.objects(SyncedTask.self)
    token = tasks.observe { [unowned self] change in
      if case .update(_, let set) = change { changes += set.modifications.count }
    }
  }

  func close() { token?.invalidate() }

  /// Takes turns until something holds; returns the longest of them, in which the window shows no key.
  func wait(until condition: (ShownTasks) -> Bool) -> Int64 {
    var descriptor = pollfd(fd: machine.source.fileDescriptor, events: Int16(POLLIN), revents: 0)
    var longest: Int64 = 0
    while !condition(self) {
      _ = poll(&descriptor, 1, -1)
      let start = monotonicNanoseconds()
      machine.store.processNotifications()
      longest = max(longest, monotonicNanoseconds() - start)
    }
    return longest
  }
}

/// The joining of a file on a thread of its own, as another process does it.
private final class Joining: @unchecked Sendable {
  // The error is written by the thread before it ends, and read after that.
  private var thread = pthread_t()
  private var failure: (any Error)?
  private let path: String
  private let url: ServerURL

  init(_ path: String, _ url: ServerURL) throws {
    (self.path, self.url) = (path, url)
    let context = Unmanaged.passRetained(self)
    let status = pthread_create(
      &thread, nil,
      { context in
        let joining = Unmanaged<Joining>.fromOpaque(context!).takeRetainedValue()
        do {
          _ = try SyncedFile(path: joining.path).join(
            joining.url, space: "Home", classes: BenchmarkMachine.classes)
        } catch {
          joining.failure = error
        }
        return nil
      }, context.toOpaque())
    guard status == 0 else { throw Failure("There is no thread for joining.") }
  }

  func finish() throws {
    pthread_join(thread, nil)
    if let failure { throw failure }
  }
}
