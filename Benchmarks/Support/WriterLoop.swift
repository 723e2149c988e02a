import BenchmarkRunner
import Glibc
import LiveStore

/// A writer's loop over its tasks.
struct WriterLoop: Sendable {
  private let workload: any Workload.Type
  private let path: String
  private let rows: Int

  init(_ workload: any Workload.Type, path: String, rows: Int) {
    self.workload = workload
    self.path = path
    self.rows = rows
  }

  func run(requests: Int32, answers: Int32) throws {
    let store = try Store(
      Store.Configuration(path: path, objectTypes: workload.types),
      scheduler: .fileDescriptor(NotificationSource()))
    defer { store.close() }
    var work = try Work(store: store, workload: try workload.init(store, rows: rows), rows: rows)
    while let request = Wire.receive(3, from: requests), let task = WriterTask(request) {
      try work.perform(task)
      Wire.send([work.start, work.commitCalled, work.commitReturned, work.processor], to: answers)
    }
  }

  private struct Work {
    let store: Store
    var workload: any Workload
    let rows: Int
    var start: Int64 = 0
    var commitCalled: Int64 = 0
    var commitReturned: Int64 = 0
    var processor: Int64 = 0
    private var changes = 0

    init(store: Store, workload: any Workload, rows: Int) throws {
      self.store = store
      self.workload = workload
      self.rows = rows
    }

    mutating func perform(_ task: WriterTask) throws {
      let used = threadNanoseconds()
      start = monotonicNanoseconds()
      switch task {
      case .one(let operation):
        try transaction { work in work.workload.perform(operation) }
      case .insertMany(let count):
        try transaction { work in
          for id in work.rows + 1...work.rows + count {
            work.store.add(Record(id: id, rank: .random(in: 0..<work.rows * 10)))
          }
        }
      case .deleteMany(let count):
        try transaction { work in
          for id in work.rows + 1...work.rows + count {
            if let record = work.record(id) { work.store.delete(record) }
          }
        }
      case .reorder(let order):
        let records = Array(store.objects(Record.self).sorted(by: \.rank))
        let ranks = order.ranks(of: records.map(\.rank))
        try transaction { _ in
          for (record, rank) in zip(records, ranks) { record.rank = rank }
        }
      case .burst(let count, let mark):
        for _ in 1..<count {
          try transaction { work in work.modify(.random(in: 2...work.rows)) }
        }
        try transaction { work in work.record(1)?.text = WriterTask.burstMark(mark) }
      case .modifyOne(let count):
        for _ in 0..<count {
          try transaction { work in work.modify(1) }
        }
      case .paced(let count):
        for _ in 0..<count {
          usleep(2_000)
          try transaction { work in work.modify(.random(in: 1...work.rows)) }
        }
      }
      processor = threadNanoseconds() - used
    }

    private func record(_ id: Int) -> Record? {
      store.object(ofType: Record.self, forPrimaryKey: id)
    }

    private mutating func modify(_ id: Int) {
      changes += 1
      record(id)?.text = "Change number \(changes) of \(start)"
    }

    private mutating func transaction(_ body: (inout Work) throws -> Void) throws {
      try store.beginWrite()
      try body(&self)
      commitCalled = monotonicNanoseconds()
      try store.commitWrite()
      commitReturned = monotonicNanoseconds()
    }
  }
}
