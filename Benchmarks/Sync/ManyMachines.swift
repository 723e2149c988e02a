import BenchmarkRunner
import Glibc
import LiveStoreSync

/// Many machines on one server, each of which makes a change a second.
enum ManyMachines: Benchmark {
  static let name = "many-machines"
  static let summary =
    "five machines in each of so many spaces, one change a second each: pushed until the others of its space "
    + "have it"

  static func run(_ run: Run) throws {
    for spaces in run.sizes(full: [10, 50, 200], quick: [10]) {
      let server = try BenchmarkServer()
      var machines: [SimulatedMachine] = []
      for space in 0..<spaces {
        let (first, id) = try server.machine("\(space) 0")
        machines.append(try SimulatedMachine(first, space: space))
        for other in 1..<5 {
          machines.append(
            try SimulatedMachine(try server.machine("\(space) \(other)", in: id).connection, space: space))
        }
      }
      let seconds = run.samples(full: 20, quick: 5)
      let (arrivals, processor) = try SimulatedMachine.work(machines, seconds: seconds)
      run.append(
        Measurement(
          "until the others have it, machines: ", rows: spaces * 5, times: arrivals, processor: processor,
          targets: [.p99(atMost: 250e6)],
          note: "\(arrivals.count / 4 / seconds) changes a second; CPU of the clients for each change"))
    }
  }
}

/// A machine that pushes and pulls as the agent does, without a file.
private final class SimulatedMachine {
  private let connection: ServerConnection
  private let space: Int
  private var known = SpaceVersion()
  private var nextPush: Int64 = 0

  init(_ connection: ServerConnection, space: Int) throws {
    self.connection = connection
    self.space = space
    try connection.listen()
  }

  /// Runs the machines in one thread; the times from each push to each arrival.
  static func work(
    _ machines: [SimulatedMachine], seconds: Int
  ) throws -> (arrivals: Samples, processor: Double) {
    var arrivals = Samples()
    // The times of the pushes by space and version.
    var pushed: [[Int64: Int64]] = Array(repeating: [:], count: machines.count)
    let start = monotonicNanoseconds()
    for machine in machines { machine.nextPush = start + .random(in: 0..<1_000_000_000) }
    let end = start + Int64(seconds) * 1_000_000_000
    var descriptors = machines.map { pollfd(fd: $0.connection.socket, events: Int16(POLLIN), revents: 0) }
    let used = processNanoseconds()
    var count = 0
    while monotonicNanoseconds() < end {
      for (index, machine) in machines.enumerated() {
        let now = monotonicNanoseconds()
        if machine.nextPush <= now {
          let due = machine.nextPush
          machine.nextPush += 1_000_000_000
          count += 1
          let version = try machine.connection.push(
            [BenchmarkServer.completion(of: index, stamp: Int64(count))], known: machine.known
          ).version
          pushed[machine.space][version.number] = due
          descriptors[index].revents = Int16(POLLIN)
        }
        guard descriptors[index].revents != 0, try machine.connection.receiveNotices() else { continue }
        machine.known = try machine.connection.pull(after: machine.known.number) { page in
          let now = monotonicNanoseconds()
          for row in page {
            if let time = pushed[machine.space][row.version] { arrivals.append(now - time) }
          }
        }
      }
      let next = machines.map(\.nextPush).min()! - monotonicNanoseconds()
      poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: max(0, next / 1_000_000)))
    }
    return (arrivals, Double(processNanoseconds() - used) / Double(max(1, count)))
  }
}
