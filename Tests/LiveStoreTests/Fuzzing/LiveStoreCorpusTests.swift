import TestSupport
import Testing

@Suite("What the fuzzers of LiveStore have found", .serialized)
struct LiveStoreCorpusTests {
  @Test("Each input that was kept ends well", arguments: LiveStoreFuzzTarget.allCases)
  func corpus(target: LiveStoreFuzzTarget) throws {
    let inputs = FuzzCorpus.inputs(of: target.rawValue)
    #expect(!inputs.isEmpty)
    for (name, bytes) in inputs {
      do { try target.run(bytes) } catch { Issue.record("\(target.rawValue)/\(name): \(error)") }
    }
  }
}
