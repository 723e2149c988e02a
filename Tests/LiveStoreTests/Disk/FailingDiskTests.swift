import Glibc
import LiveStoreFixtures
import TestSupport
import Testing

@testable import LiveStore

/// `DiskObserver` in `LiveStorePeer`, whose calls fail, beside programs whose calls work.
@Suite("A program that observes on a failing disk", .serialized)
struct FailingDiskTests {
  /// The observer's outcome.
  private struct Run {
    var lines: [String] = []
    var status: Int32
    var errors: String
    var report: FailingDisk.Report
    var people: String
  }

  /// Has an observer follow three changes that another program makes.
  private func run(_ plan: FailingDisk.Plan) throws -> Run {
    let folder = TemporaryFolder()
    let place = TemporaryFolder()
    let path = place.path + "/test.db"
    let test = try TestStore(path)
    try test.store.write { for id in 1...3 { test.store.add(Person(id: id, name: "p", age: id)) } }
    test.store.close()
    let report = folder.path + "/report"
    let peer = try DiskPeer(
      ["observe", path],
      environment: FailingDisk(folder: place.path).environment(plan, report: report), folder: folder.path)
    var lines: [String] = []
    var changes = [
      "update Person set age = age + 10", "delete from Person where id = 2",
      "insert into Person (id, name, age) values (9, 'end', 9)",
    ][...]
    while let line = try peer.readLine() {
      lines.append(line)
      if let change = changes.popFirst() { sqlite3(path, change) }
    }
    let (status, errors) = peer.end()
    let people = sqlite3(path, "select id, age from Person order by id").split(separator: "\n")
      .map { $0.replacing("|", with: ":") }.joined(separator: " ")
    // The calls fail for the observer alone: the file is whole, and can be opened and written.
    #expect(sqlite3(path, "pragma integrity_check; pragma foreign_key_check") == "ok\n", "\(plan)")
    let again = try TestStore(path)
    try again.store.write { again.store.add(Dog("after")) }
    again.store.close()
    return Run(
      lines: lines, status: status, errors: errors, report: try #require(FailingDisk.report(report)),
      people: people)
  }

  @Test(
    "Whatever call fails, it shows the file's rows or ends with one sentence",
    arguments: FailingDisk.Plan.kinds)
  func observer(_ kind: FailingDisk.Plan) throws {
    let whole = try run(kind)
    let rows = ["1:1 2:2 3:3", "1:11 2:12 3:13", "1:11 3:13", "1:11 3:13 9:9"]
    #expect(whole.lines == rows && whole.status == 0 && whole.errors == "" && whole.report.calls > 10)
    try withSeededGenerator { random in
      var outcomes: [String: Int] = [:]
      for call in (1...whole.report.calls).sample(6, using: &random) {
        let plan = kind.at(call)
        let run = try run(plan)
        let comment = "\(plan), \(run.report.first): \(run) \(random.comment)"
        #expect(run.lines == Array(rows.prefix(run.lines.count)), "\(comment)")
        if run.status == 0 {
          #expect(run.errors == "" && run.lines == rows && run.lines.last == run.people, "\(comment)")
        } else {
          #expect(run.status == 1 && run.errors.isSentence, "\(comment)")
        }
        outcomes[run.status == 0 ? "unharmed" : run.errors, default: 0] += 1
      }
      print("\(kind), \(whole.report.calls) calls: \(outcomes)")
    }
  }
}
