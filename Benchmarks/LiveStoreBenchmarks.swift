import BenchmarkRunner

/// `make bench`: measures LiveStore, and in the same run the simplest program that could do its work.
@main
struct LiveStoreBenchmarks {
  static let benchmarks: [any Benchmark.Type] =
    [
      OneChange.self, CrossProcessLatency.self, InProcessLatency.self, ForeignProgram.self,
      FilterLatency.self, LinkFilterLatency.self,
      DistinctLatency.self, LimitLatency.self, ListLatency.self, SectionsLatency.self,
      ObserverCPU.self, ManyCollections.self, InterfaceWrite.self, ListMove.self, BulkInsertObserved.self,
      WorstOrders.self, Burst.self, Transactions.self, BulkAdd.self, PropertyRead.self, OpenFile.self,
      Memory.self, FileGrowth.self, ValueKinds.self, Batches.self, Aggregates.self,
    ]

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    // The other processes of a benchmark are further instances of this program.
    if let role = arguments.first.flatMap(ChildRole.init(rawValue:)) {
      try role.run(Array(arguments.dropFirst()))
    }
    try BenchmarkProgram(name: "LiveStoreBenchmarks", benchmarks: benchmarks).run(arguments)
  }
}
