import BenchmarkRunner
import Glibc

/// `make bench-sync`: measures machines and the server in which they meet, on loopback.
///
/// The server is one of its own, in a temporary folder, with PostgreSQL's settings but for the number of
/// connections: it waits for the disk at each commit.
@main
struct SyncBenchmarks {
  static func main() throws {
    try BenchmarkProgram(
      name: "SyncBenchmarks",
      benchmarks: [
        FileTransfer.self, FileLatency.self, JoinedWrites.self, ServerTransfer.self, ServerLatency.self,
        ManyMachines.self, ManyMachinesOnOneProcessor.self, ServerSize.self,
      ]
    ).run(Array(CommandLine.arguments.dropFirst()))
  }
}
