import BenchmarkRunner
import Foundation
import Glibc
import LiveStoreSync
import Synchronization

/// Many machines on one server, each of which makes a change a second.
enum ManyMachines: Benchmark {
  static let name = "many-machines"
  static let summary =
    "five machines in each of so many spaces, one change a second each: pushed until the others of its space "
    + "have it"

  static func run(_ run: Run) throws {
    try measure(run, spaces: run.sizes(full: [10, 50, 200], quick: [10]))
  }

  /// Measures with a database of its own for each number of spaces.
  fileprivate static func measure(_ run: Run, spaces: [Int], isOnOneProcessor: Bool = false) throws {
    for spaces in spaces {
      let server = try BenchmarkServer(members: spaces, isOnOneProcessor: isOnOneProcessor)
      // The machines of a space are on one thread. No space waits for another: that would hide how pushes
      // that come at the same time keep one another from being made.
      var threads: [[SimulatedMachine]] = []
      for space in 0..<spaces {
        let (first, id, _) = try server.machine("\(space) 0", of: space)
        var connections = [first]
        for other in 1..<5 {
          connections.append(try server.machine("\(space) \(other)", of: space, in: id).connection)
        }
        threads.append(
          try connections.enumerated().map { number, connection in
            try SimulatedMachine(connection, number: space * 5 + number)
          })
      }
      let seconds = run.samples(full: 20, quick: 5)
      let (arrivals, processor) = try SimulatedMachine.work(threads, seconds: seconds)
      run.append(
        Measurement(
          "until the others have it, machines: ", rows: spaces * 5, times: arrivals, processor: processor,
          targets: [.p99(atMost: 250e6)],
          note: "\(arrivals.count / 4 / seconds) changes a second; CPU of the clients for each change"))
    }
  }
}

/// The same on a server all of whose processes run on one processor.
enum ManyMachinesOnOneProcessor: Benchmark {
  static let name = "one-processor"
  static let summary = "many-machines on a server that has one processor"

  static func run(_ run: Run) throws {
    try ManyMachines.measure(
      run, spaces: run.sizes(full: [100, 200], quick: [10]), isOnOneProcessor: true)
  }
}

/// A machine that pushes and pulls as the agent does, without a file; once it is made, in one thread.
private final class SimulatedMachine: @unchecked Sendable {
  private let connection: ServerConnection
  private let number: Int
  private var known = SpaceVersion()
  private var nextPush: Int64 = 0

  init(_ connection: ServerConnection, number: Int) throws {
    self.connection = connection
    self.number = number
    try connection.listen()
  }

  /// Has the server make its plans, all machines at the same time: on a server of many, each push that comes
  /// after another waits for its announcement.
  private func warmUp() throws {
    // The first pushes and the first pull of a connection, for which the server makes its plans.
    _ = try connection.push([BenchmarkServer.task(number, stamp: 1)], known: known)
    for stamp: Int64 in 2...4 {
      _ = try connection.push([BenchmarkServer.completion(of: number, stamp: stamp)], known: known)
    }
    known = try connection.pull(after: 0) { _ in }
  }

  /// Runs the machines; the times from each push to each arrival, and the CPU time for each push.
  static func work(
    _ threads: [[SimulatedMachine]], seconds: Int
  ) throws -> (arrivals: Samples, processor: Double) {
    _ = try inParallel(threads) { machines in for machine in machines { try machine.warmUp() } }
    let used = processNanoseconds()
    let results = try inParallel(threads) { try work($0, seconds: seconds) }
    var arrivals = Samples()
    for result in results {
      for time in result.times { arrivals.append(time) }
    }
    let count = results.reduce(0) { $0 + $1.pushes }
    return (arrivals, Double(processNanoseconds() - used) / Double(max(1, count)))
  }

  /// Calls a closure with the machines of each space, in a thread for each.
  private static func inParallel<Value: Sendable>(
    _ threads: [[SimulatedMachine]], _ body: @escaping @Sendable ([SimulatedMachine]) throws -> Value
  ) throws -> [Value] {
    let results = Mutex<[Result<Value, any Error>]>([])
    // Most of the time they wait: a queue of the system would run as many as there are processors.
    let group = DispatchGroup()
    for machines in threads {
      group.enter()
      Thread {
        let result = Result { try body(machines) }
        results.withLock { $0.append(result) }
        group.leave()
      }.start()
    }
    group.wait()
    return try results.withLock { $0 }.map { try $0.get() }
  }

  /// Runs the machines of a space in one thread.
  private static func work(
    _ machines: [SimulatedMachine], seconds: Int
  ) throws -> (times: [Int64], pushes: Int) {
    var times: [Int64] = []
    // The times of the pushes by their versions.
    var pushed: [Int64: Int64] = [:]
    let start = monotonicNanoseconds()
    for machine in machines { machine.nextPush = start + .random(in: 0..<1_000_000_000) }
    let end = start + Int64(seconds) * 1_000_000_000
    var descriptors = machines.map { pollfd(fd: $0.connection.socket, events: Int16(POLLIN), revents: 0) }
    var pushes = 0
    while monotonicNanoseconds() < end {
      for (index, machine) in machines.enumerated() {
        if machine.nextPush <= monotonicNanoseconds() {
          let due = machine.nextPush
          machine.nextPush += 1_000_000_000
          pushes += 1
          let version = try machine.connection.push(
            [BenchmarkServer.completion(of: machine.number, stamp: Int64(pushes + 4))], known: machine.known
          ).version
          pushed[version.number] = due
          descriptors[index].revents = Int16(POLLIN)
        }
        guard descriptors[index].revents != 0, try machine.connection.receiveNotices() else { continue }
        try machine.receive { page in
          let now = monotonicNanoseconds()
          for row in page {
            if let time = pushed[row.version] { times.append(now - time) }
          }
        }
      }
      let next = machines.lazy.map(\.nextPush).min()! - monotonicNanoseconds()
      poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: max(0, (next + 999_999) / 1_000_000)))
    }
    return (times, pushes)
  }

  /// Takes in what the others have changed.
  private func receive(_ body: ([PulledObject]) -> Void) throws {
    if let (objects, head) = connection.notifiedChanges(after: known) {
      body(objects)
      known = head
    } else {
      known = try connection.pull(after: known.number, body)
    }
  }
}
