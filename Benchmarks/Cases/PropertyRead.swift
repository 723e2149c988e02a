import BenchmarkRunner
import FoundationEssentials
import LiveStore

/// An object with properties of several types.
final class Reading: Object {
  @Persisted(primaryKey: true) var id: Int = 0
  @Persisted var number: Int = 0
  @Persisted var text: String = ""
  @Persisted var identifier: UUID = UUID()
  @Persisted var date: Date = Date()
}

/// Properties of objects whose rows have been read before.
enum PropertyRead: Benchmark {
  static let name = "property-read"
  static let summary = "read of a property of a cached object, against a property of an ordinary class"

  private final class Plain {
    var number: Int
    var text: String
    var identifier: UUID
    var date: Date

    init(_ reading: Reading) {
      number = reading.number
      text = reading.text
      identifier = reading.identifier
      date = reading.date
    }
  }

  static func run(_ run: Run) throws {
    let samples = run.samples(full: 200, quick: 20)
    let file = try BenchmarkFile()
    let store = try file.store([Reading.self])
    // Enough objects that no read is that of the loop before.
    let count = 1_000
    let readings = try store.write {
      (1...count).map { id in
        let reading = Reading()
        reading.id = id
        reading.number = id
        reading.text = "The text of reading \(id)"
        store.add(reading)
        return reading
      }
    }
    let plain = readings.map(Plain.init)

    func measure(_ name: String, target: Double, ours: () -> Int, plain: () -> Int) throws {
      var times = Samples()
      var plainTimes = Samples()
      let repetitions = 50
      for round in -2..<samples {
        var sums = (ours: 0, plain: 0)
        // CPU time: other processes take the processor away for longer than a round lasts.
        func processor(_ body: () -> Void) -> Int64 {
          let used = threadNanoseconds()
          body()
          return threadNanoseconds() - used
        }
        let time = processor { for _ in 0..<repetitions { sums.ours &+= ours() } }
        let plainTime = processor { for _ in 0..<repetitions { sums.plain &+= plain() } }
        guard sums.ours == sums.plain else {
          throw Failure("The objects hold other values than they were given.")
        }
        guard round >= 0 else { continue }
        times.append(Double(time) / Double(repetitions * count))
        plainTimes.append(Double(plainTime) / Double(repetitions * count))
      }
      run.append(
        Measurement(
          name, rows: count, times: times, baseline: ("ordinary class", plainTimes),
          targets: [.median(atMost: target)]))
    }
    try measure("Int", target: 20) {
      readings.reduce(0) { $0 &+ $1.number }
    } plain: {
      plain.reduce(0) { $0 &+ $1.number }
    }
    try measure("String", target: 20) {
      readings.reduce(0) { $0 &+ $1.text.utf8.count }
    } plain: {
      plain.reduce(0) { $0 &+ $1.text.utf8.count }
    }
    try measure("UUID", target: 30) {
      readings.reduce(0) { $0 &+ Int($1.identifier.uuid.0) }
    } plain: {
      plain.reduce(0) { $0 &+ Int($1.identifier.uuid.0) }
    }
    try measure("Date", target: 30) {
      readings.reduce(0) { $0 &+ Int($1.date.timeIntervalSinceReferenceDate) }
    } plain: {
      plain.reduce(0) { $0 &+ Int($1.date.timeIntervalSinceReferenceDate) }
    }
    store.close()
  }
}
