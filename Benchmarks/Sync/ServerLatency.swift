import BenchmarkRunner
import CPostgreSQL
import Glibc
import LiveStoreSync

/// One change, from a machine to another that waits for it.
enum ServerLatency: Benchmark {
  static let name = "server-latency"
  static let summary =
    "one cell pushed until another machine has been woken and has pulled it; against COMMIT, NOTIFY and a "
    + "read in C"

  static func run(_ run: Run) throws {
    let samples = run.samples(full: 2_000, quick: 200)
    for rows in run.sizes(full: [1_000, 100_000], quick: [10_000]) {
      let server = try BenchmarkServer()
      let (writer, space, replica) = try server.machine("laptop")
      let (reader, _, _) = try server.machine("tablet", in: space)
      try reader.listen()
      var known = try writer.push(
        (0..<rows).map { BenchmarkServer.task($0, stamp: 1, by: replica) }, known: SpaceVersion()
      ).version
      _ = try reader.receiveNotices()
      let floor = try LatencyFloor(address: server.address)
      var (pushes, arrivals, floors) = (Samples(), Samples(), Samples())
      for round in -50..<samples {
        let change = BenchmarkServer.completion(
          of: .random(in: 0..<rows), stamp: Int64(round + 100), by: replica)
        let start = monotonicNanoseconds()
        let version = try writer.push([change], known: known).version
        let pushed = monotonicNanoseconds() - start
        while try !reader.receiveNotices() { wait(for: reader.socket) }
        var count = 0
        if let (objects, _) = reader.notifiedChanges(after: known) {
          count = objects.count
        } else {
          _ = try reader.pull(after: known.number) { count += $0.count }
        }
        let arrived = monotonicNanoseconds() - start
        known = version
        let least = floor.measure(round)
        guard round >= 0 else { continue }
        pushes.append(pushed)
        arrivals.append(arrived)
        floors.append(least)
        guard count == 1 else { throw Failure("\(count) objects were pulled.") }
      }
      run.append(Measurement("push of one change", rows: rows, times: pushes))
      run.append(
        Measurement(
          "until another machine has it", rows: rows, times: arrivals, baseline: ("in C", floors),
          targets: [.ratio(atLeast: 0.4), .p99(atMost: 15e6)]))
    }
  }

  static func wait(for socket: Int32) {
    var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    poll(&descriptor, 1, 1000)
  }
}

/// The least that a change takes through PostgreSQL: a row updated with COMMIT and NOTIFY, and read by a
/// connection that listens.
final class LatencyFloor {
  private let writer: OpaquePointer
  private let reader: OpaquePointer

  init(address: String) throws {
    guard let writer = PQconnectdb(address), let reader = PQconnectdb(address) else {
      throw Failure("There is no connection.")
    }
    (self.writer, self.reader) = (writer, reader)
    execute(writer, "CREATE TABLE floor (id int PRIMARY KEY, value int); INSERT INTO floor VALUES (1, 0)")
    execute(reader, "LISTEN floor")
  }

  deinit {
    PQfinish(writer)
    PQfinish(reader)
  }

  func measure(_ value: Int) -> Int64 {
    let start = monotonicNanoseconds()
    execute(writer, "BEGIN; UPDATE floor SET value = \(value) WHERE id = 1; NOTIFY floor; COMMIT")
    while true {
      PQconsumeInput(reader)
      if let notice = PQnotifies(reader) {
        PQfreemem(notice)
        break
      }
      ServerLatency.wait(for: PQsocket(reader))
    }
    execute(reader, "SELECT value FROM floor WHERE id = 1")
    return monotonicNanoseconds() - start
  }

  private func execute(_ connection: OpaquePointer, _ statements: String) {
    PQclear(PQexec(connection, statements))
  }
}
