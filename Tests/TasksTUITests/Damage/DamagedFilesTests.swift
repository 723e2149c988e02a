import FoundationEssentials
import Glibc
import LiveStore
import TasksModel
import TestSupport
import Testing

/// Files whose pages are damaged in every way, against the commands, the app in words, and the doctor.
///
/// TASKS_DAMAGED_FILES says how many; `make chaos-pages` makes thousands. Otherwise they are a few, and the
/// same ones each time.
@Suite("Damaged files")
struct DamagedFilesTests {
  private let folder = TemporaryFolder()
  /// Of another build, where one is given: thousands of files take long with one for debugging.
  private let tasks = getenv("TASKS_PROGRAM").map { String(cString: $0) } ?? ChildProcess.tasks
  private var path: String { folder("t.db") }

  /// A file of some eighty pages.
  private func makeFile() throws -> [UInt8] {
    let store = try TasksStore(
      path: path, scheduler: .fileDescriptor(NotificationSource()), author: "me")
    let list = TaskList.firstListID
    try store.store.write {
      var ids = SeededGenerator(seed: 1)
      for number in 1...500 {
        let task = TaskItem()
        let id = UUID(uuid: unsafeBitCast((ids.next(), ids.next()), to: uuid_t.self))
        task.id = Identifier(id.uuidString)
        task.text = Self.text(number)
        task.completed = number % 7 == 0
        task.notes = number % 90 == 0 ? String(repeating: "a long note \(number) ", count: 500) : ""
        store.list(list)?.items.append(task)
      }
    }
    store.close()
    // A process that has read it may leave some of it in the log.
    _ = try ChildProcess.run(["sqlite3", path, "pragma wal_checkpoint(truncate)"])
    return [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  private static func text(_ number: Int) -> String {
    "task \(number) " + String(repeating: "x", count: number % 60)
  }

  private static let lines = (1...500).map { "[\($0 % 7 == 0 ? "x" : " ")] " + text($0) }

  private func run(_ arguments: String..., input: String = "") throws -> ChildProcess.Outcome {
    try ChildProcess.run(
      [tasks] + arguments, input: input, environment: ["TASKS_FILE": path, "HOME": folder.path, "USER": "me"])
  }

  private func removeFiles() {
    for name in ["t.db", "saved.db"] {
      for suffix in ["", "-wal", "-shm", "-live"] { unlink(folder(name) + suffix) }
    }
  }

  @Test("Each command gives the data or says in a sentence that it cannot; what can be read is saved")
  func damaged() throws {
    let whole = try makeFile()
    #expect(try run("list").output == Self.lines.joined(separator: "\n") + "\n")
    #expect(try run("doctor").status == 0)
    let many = getenv("TASKS_DAMAGED_FILES").flatMap { Int(String(cString: $0)) }
    let count = many ?? cases(3, sample: 1) * Damage.allCases.count
    var seeds = many == nil ? SeededGenerator(seed: 1) : SeededGenerator()
    print("damaged files: \(seeds.comment), \(count) of them")
    var tally: [String: Int] = [:]
    for number in 0..<count {
      let seed = seeds.next()
      var random = SeededGenerator(seed: seed)
      let damage = Damage.allCases[number % Damage.allCases.count]
      var bytes = whole
      damage.damage(&bytes, using: &random)
      let attempt = Attempt(test: self, damage: damage, seed: seed, bytes: bytes)
      for (what, count) in try attempt.run() { tally[what, default: 0] += count }
    }
    print(
      "damaged files: "
        + "\(tally.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))"
    )
  }

  /// One damaged file, and what came of it.
  private struct Attempt {
    let test: DamagedFilesTests
    let damage: Damage
    let seed: UInt64
    let bytes: [UInt8]

    private var name: Comment { "\(damage) of seed \(seed)" }

    private func put() throws {
      test.removeFiles()
      try Data(bytes).write(to: URL(filePath: test.path))
    }

    func run() throws -> [String: Int] {
      var tally: [String: Int] = [:]
      try put()
      let doctor = try test.run("doctor")
      check(doctor, "doctor")
      #expect(
        try [UInt8](Data(contentsOf: URL(filePath: test.path))) == bytes,
        "\(name): the doctor changed the file")
      tally[doctor.status == 0 ? "found sound" : "found damaged", default: 0] += 1

      let saved = try test.run("doctor", "--save", test.folder("saved.db"))
      check(saved, "doctor --save")
      #expect(
        try [UInt8](Data(contentsOf: URL(filePath: test.path))) == bytes, "\(name): saving changed the file")
      try checkSaved(saved, doctor, &tally)

      try put()
      try checkListed(doctor, &tally)
      let lists = try test.run("lists")
      check(lists, "lists")
      if lists.status == 0, !damage.reachesValues, lists.errors.isEmpty, lists.output != "My Tasks\n" {
        tally["lists of other pages", default: 0] += 1
        // A page of another table may fit; only reading everything tells.
        #expect(mayHoldForeignRows(doctor), "\(name): lists: \(lists.output)")
      }
      let added = try test.run("add", "one more")
      check(added, "add")
      tally[added.status == 0 ? "added to" : "not added to", default: 0] += 1
      try put()
      let plain = try test.run("--plain", input: "j\n:add one more\nx\nu\n:lists\nq\n")
      check(plain, "--plain", isPrinting: true)
      return tally
    }

    /// A program that ends by itself, with a sentence when something failed.
    private func check(_ outcome: ChildProcess.Outcome, _ command: String, isPrinting: Bool = false) {
      #expect(outcome.status == 0 || outcome.status == 1, "\(name): \(command) ended with \(outcome)")
      if outcome.status == 1, command != "doctor", command != "doctor --save" {
        #expect(outcome.errors.hasSuffix(".\n"), "\(name): \(command) said \(outcome)")
      }
      for word in ["SELECT", "INSERT", "PRAGMA", "Fatal error", "Precondition"] {
        #expect(!outcome.errors.contains(word), "\(name): \(command) said \(outcome.errors)")
      }
    }

    private func checkListed(_ doctor: ChildProcess.Outcome, _ tally: inout [String: Int]) throws {
      let listed = try test.run("list")
      check(listed, "list")
      tally[listed.status == 0 ? "listed" : "not listed", default: 0] += 1
      guard listed.status == 0, !damage.reachesValues, listed.errors.isEmpty else { return }
      let lines = listed.output.split(separator: "\n").map(String.init)
      let invented = Set(lines).subtracting(DamagedFilesTests.lines)
      if !invented.isEmpty { tally["listed with rows of other pages", default: 0] += 1 }
      #expect(
        invented.isEmpty || mayHoldForeignRows(doctor), "\(name): invented \(Array(invented.prefix(3)))")
      if lines != DamagedFilesTests.lines {
        tally["listed in part without a word", default: 0] += 1
        #expect(
          lines.count == DamagedFilesTests.lines.count,
          "\(name): \(lines.count) of \(DamagedFilesTests.lines.count) listed without a word; doctor: \(doctor.output)"
        )
      }
    }

    /// Whether rows may be there that were another table's: its pages are where others were, and only reading
    /// everything tells, as the doctor does.
    private func mayHoldForeignRows(_ doctor: ChildProcess.Outcome) -> Bool {
      damage.movesPages && doctor.status == 1
    }

    private func checkSaved(
      _ saved: ChildProcess.Outcome, _ doctor: ChildProcess.Outcome, _ tally: inout [String: Int]
    ) throws {
      guard FileManager.default.fileExists(atPath: test.folder("saved.db")) else {
        #expect(saved.status == 1 && !saved.errors.isEmpty, "\(name): nothing saved, and \(saved)")
        tally["not saved", default: 0] += 1
        return
      }
      let sound = try ChildProcess.run([test.tasks, "doctor", test.folder("saved.db")])
      // Where an entry of a list names another one, its task is in none.
      let isOtherwise = damage.reachesValues && sound.output.contains("in no list")
      #expect(sound.status == 0 || isOtherwise, "\(name): what was saved is damaged: \(sound)")
      let texts = try ChildProcess.run(
        ["sqlite3", "-readonly", test.folder("saved.db"), "select text from TaskItem"]
      ).output.split(separator: "\n").map(String.init)
      tally["tasks saved", default: 0] += texts.count
      guard !damage.reachesValues else { return }
      let invented = Set(texts).subtracting((1...500).map { DamagedFilesTests.text($0) })
      if !invented.isEmpty { tally["saved with rows of other pages", default: 0] += 1 }
      #expect(
        invented.isEmpty || mayHoldForeignRows(doctor),
        "\(name): saved what was never there: \(Array(invented.prefix(3)))")
      if texts.count < 500 {
        #expect(saved.status == 1, "\(name): \(texts.count) tasks saved without a word: \(saved)")
      }
    }
  }
}
