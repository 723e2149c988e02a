import BenchmarkRunner
import Glibc
import Programs

/// A request to a writer; each is one transaction unless noted otherwise.
enum WriterTask: Equatable {
  /// One row.
  case one(Operation)
  case insertMany(Int)
  case deleteMany(Int)
  case reorder(Reordering)
  /// A number of transactions of one row each, back to back. The last one sets the text of the first record
  /// to ``burstMark(_:)`` of the number.
  case burst(Int, mark: Int)
  /// A number of transactions that modify the same row.
  case modifyOne(Int)
  /// A number of transactions that modify a row, with a pause of two milliseconds before each.
  case paced(Int)

  static func burstMark(_ number: Int) -> String { "burst \(number)" }

  var encoded: [Int64] {
    switch self {
    case .one(let operation): [0, operation.rawValue, 0]
    case .insertMany(let count): [1, Int64(count), 0]
    case .deleteMany(let count): [2, Int64(count), 0]
    case .reorder(let order): [3, order.rawValue, 0]
    case .burst(let count, let mark): [4, Int64(count), Int64(mark)]
    case .modifyOne(let count): [5, Int64(count), 0]
    case .paced(let count): [6, Int64(count), 0]
    }
  }

  init?(_ encoded: [Int64]) {
    let count = Int(encoded[1])
    switch encoded[0] {
    case 0:
      guard let operation = Operation(rawValue: encoded[1]) else { return nil }
      self = .one(operation)
    case 1: self = .insertMany(count)
    case 2: self = .deleteMany(count)
    case 3:
      guard let order = Reordering(rawValue: encoded[1]) else { return nil }
      self = .reorder(order)
    case 4: self = .burst(count, mark: Int(encoded[2]))
    case 5: self = .modifyOne(count)
    case 6: self = .paced(count)
    default: return nil
    }
  }
}

/// The times of a writer's work.
struct WriterAnswer {
  /// Before the first transaction began.
  let start: Int64
  /// Before the last commit was called.
  let commitCalled: Int64
  /// After it had returned.
  let commitReturned: Int64
  /// CPU time of the writer's thread.
  let processor: Int64
}

/// The writer of the changes that are observed: another process, or another thread of this one.
protocol Writer: AnyObject {
  var requests: Int32 { get }
  /// A descriptor that is readable when a task is done.
  var answers: Int32 { get }
}

extension Writer {
  func request(_ task: WriterTask) {
    Wire.send(task.encoded, to: requests)
  }

  func answer() -> WriterAnswer {
    guard let numbers = Wire.receive(4, from: answers) else { fatalError("The writer has ended.") }
    return WriterAnswer(
      start: numbers[0], commitCalled: numbers[1], commitReturned: numbers[2], processor: numbers[3])
  }

  /// Performs a task that is not observed.
  func perform(_ task: WriterTask) -> WriterAnswer {
    request(task)
    return answer()
  }
}

extension ChildProcess: Writer {}

extension ChildProcess {
  /// Another process that writes.
  convenience init(writing workload: any Workload.Type, _ file: BenchmarkFile, rows: Int) throws {
    try self.init(.writer, [workload.name, file.path, "\(rows)"])
  }
}

/// Another thread that writes, with its own store.
final class WriterThread: Writer {
  private let toThread: PrivatePipe
  private let fromThread: PrivatePipe
  var requests: Int32 { toThread.writing }
  var answers: Int32 { fromThread.reading }
  private var thread = pthread_t()

  init(_ workload: any Workload.Type, _ file: BenchmarkFile, rows: Int) throws {
    let (toThread, fromThread) = (try PrivatePipe(), try PrivatePipe())
    (self.toThread, self.fromThread) = (toThread, fromThread)
    let loop = WriterLoop(workload, path: file.path, rows: rows)
    let body = Unmanaged.passRetained(
      Body {
        do {
          try loop.run(requests: toThread.reading, answers: fromThread.writing)
        } catch {
          fatalError("\(error)")
        }
        toThread.closeReading()
        fromThread.closeWriting()
      })
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, body.toOpaque())
    guard code == 0 else { throw Failure("No thread can be started.") }
  }

  deinit {
    toThread.closeWriting()
    pthread_join(thread, nil)
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }
}
