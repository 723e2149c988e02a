import Glibc
import LiveStoreFixtures
import TestSupport
import Testing

@testable import LiveStore

/// Programs whose writes are recorded, and the disk as it may be when the power fails at any moment of that.
@Suite("Power loss", .serialized)
struct PowerLossTests {
  let folder = TemporaryFolder()
  /// Where the recorded program works.
  let recorded = TemporaryFolder()
  let disk: FailingDisk
  var database: String { recorded.path + "/test.db" }

  init() throws {
    disk = try FailingDisk(folder: recorded.path)
  }

  /// Records a program that makes commits with numbers.
  private func record(
    _ numbers: ClosedRange<Int>, _ durability: Store.Configuration.Durability, isKilled: Bool = false
  ) throws {
    let peer = try DiskPeer(
      [
        "commit", database, "\(numbers.lowerBound)", "\(numbers.upperBound)",
        durability == .full ? "full" : "normal", isKilled ? "kill" : "end",
      ], environment: disk.environment(record: folder.path + "/record"), folder: folder.path)
    var last: String?
    while let line = try peer.readLine() { last = line }
    #expect(last == "\(numbers.upperBound)")
    let (status, errors) = peer.end()
    #expect(status == (isKilled ? -SIGKILL : 0) && errors == "")
  }

  private func recording() throws -> DiskRecording {
    try #require(DiskRecording(path: folder.path + "/record"))
  }

  /// The number of the last commit that a folder's file holds, after all has been compared with what that
  /// commit has made.
  private func lastCommit(
    in files: [String: [UInt8]], _ commits: inout NumberedCommits, _ comment: String
  ) throws -> Int {
    let place = TemporaryFolder(in: access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
    for (name, bytes) in files {
      let file = try #require(fopen(place.path + "/" + name, "w"))
      bytes.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, file) }
      fclose(file)
    }
    let path = place.path + "/test.db"
    let test = try TestStore(path)
    let last = NumberedCommits.last(in: test.store)
    #expect(NumberedCommits.rows(in: test.store) == commits.rows(after: last), "\(comment)")
    // It can be written, too.
    try NumberedCommits.commit(last + 1, to: test.store)
    #expect(NumberedCommits.rows(in: test.store) == commits.rows(after: last + 1), "\(comment)")
    test.store.close()
    let database = TestDatabase(path: path)
    #expect(database.rows("pragma integrity_check") == [[.text("ok")]], "\(comment)")
    #expect(database.rows("pragma foreign_key_check").isEmpty, "\(comment)")
    return last
  }

  /// A moment at which the power fails.
  private struct Moment {
    var events: Int
    /// The last commit that the program had acknowledged.
    var acknowledged: Int
    /// The last commit that must be there then.
    var durable: Int
  }

  /// The moments before each sync and after each commit, and as many others.
  private func moments(
    of events: [DiskRecording.Event], _ durability: Store.Configuration.Durability,
    using random: inout SeededGenerator
  ) -> [Moment] {
    var moments: [Moment] = []
    var acknowledged = 0
    var durable = 0
    for (index, event) in events.enumerated() {
      var isChosen = Int.random(in: 0..<8, using: &random) == 0
      switch event {
      case .sync(let file):
        isChosen = true
        moments.append(Moment(events: index, acknowledged: acknowledged, durable: durable))
        if file == "test.db-wal" { durable = acknowledged }
      case .output(let bytes):
        isChosen = true
        acknowledged = Int(String(decoding: bytes.dropLast(), as: UTF8.self)) ?? acknowledged
        if durability == .full { durable = acknowledged }
      default: break
      }
      if isChosen { moments.append(Moment(events: index + 1, acknowledged: acknowledged, durable: durable)) }
    }
    return moments
  }

  @Test(
    "With durability .full everything acknowledged survives; otherwise all until the log was last synced, and nothing is corrupt",
    arguments: [Store.Configuration.Durability.full, .normal])
  func loss(_ durability: Store.Configuration.Durability) throws {
    try record(1...300, durability)
    // A second program, on a file that is there.
    try record(301...320, durability)
    let events = try recording().events
    var commits = NumberedCommits()
    try withSeededGenerator { random in
      let moments = moments(of: events, durability, using: &random)
      let chosen = moments.sample(20, using: &random)
      var disk = SimulatedDisk()
      var applied = 0
      var count = 0
      var greatestLoss = 0
      for moment in chosen {
        while applied < moment.events {
          disk.apply(events[applied])
          applied += 1
        }
        for loss in SimulatedDisk.Loss.allCases {
          let files = disk.contents(losing: loss, using: &random)
          let comment = "\(random.comment), event \(moment.events), losing \(loss): \(moment)"
          let last = try lastCommit(in: files, &commits, comment)
          #expect(moment.durable...(moment.acknowledged + 1) ~= last, "\(last): \(comment)")
          greatestLoss = max(greatestLoss, moment.acknowledged - last)
          count += 1
        }
      }
      print(
        "durability \(durability): the power failed \(count) times at \(chosen.count) of \(moments.count) "
          + "moments in "
          + "\(events.count) events; at most \(greatestLoss) of 320 commits were lost")
    }
  }

  @Test("A log that is cut anywhere holds a prefix of its commits, and the file opens with it")
  func cut() throws {
    try record(1...38, .normal, isKilled: true)
    let events = try recording().events
    var random = SeededGenerator()
    print(random.comment)
    var disk = SimulatedDisk()
    // How long the log was after each commit that is in it.
    var ends: [(commit: Int, size: Int)] = []
    var end = 0
    for event in events {
      disk.apply(event)
      switch event {
      case .write("test.db-wal", let offset, let bytes):
        if offset == 0 { ends = [] }
        end = offset + bytes.count
      case .output(let bytes):
        ends.append((Int(String(decoding: bytes.dropLast(), as: UTF8.self)) ?? 0, end))
      default: break
      }
    }
    var files = disk.contents(losing: .none, using: &random)
    let log = try #require(files["test.db-wal"])
    #expect(ends.last?.commit == 38 && ends.count > 4)
    let first = ends[ends.count - 3].size
    var commits = NumberedCommits()
    let sizes = Array(first..<ends[ends.count - 1].size).sample(40, using: &random)
    for size in sizes {
      files["test.db-wal"] = Array(log[..<size])
      let comment = "cut after \(size) bytes, \(random.comment)"
      let last = try lastCommit(in: files, &commits, comment)
      #expect(last == ends.last { $0.size <= size }?.commit, "\(comment)")
    }
    print("the log was cut at \(sizes.count) places in its last 2 commits")
  }
}
