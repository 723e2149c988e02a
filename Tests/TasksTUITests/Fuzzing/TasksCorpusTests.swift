import TestSupport
import Testing

@Suite("What the fuzzers of tasks have found", .serialized)
struct TasksCorpusTests {
  @Test("Each input that was kept ends well", arguments: TasksFuzzTarget.allCases)
  func corpus(target: TasksFuzzTarget) throws {
    let inputs = FuzzCorpus.inputs(of: target.rawValue)
    #expect(!inputs.isEmpty)
    for (name, bytes) in inputs {
      do { try target.run(bytes) } catch { Issue.record("\(target.rawValue)/\(name): \(error)") }
    }
  }
}
