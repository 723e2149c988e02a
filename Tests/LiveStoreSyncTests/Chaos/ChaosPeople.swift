import Glibc
import LiveStore
import TestSupport

/// People who do anything at all to their lists and tasks, with `tasks`, which is killed now and then, and
/// with a program that knows nothing of it.
final class ChaosPeople {
  var random: SeededGenerator
  let machines: [ChaosMachine]
  var ledger: ChaosLedger
  /// Tasks and lists at which all are at once.
  private var wanted: Set<String> = []
  private var count = 0
  private(set) var kills = 0

  init(_ machines: [ChaosMachine], _ random: SeededGenerator) throws {
    self.machines = machines
    self.random = random
    ledger = ChaosLedger(try machines[0].content())
  }

  /// Something to be said once only.
  private func newText() -> String {
    count += 1
    return "zq\(count)"
  }

  func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  private func pick(_ machine: Int, _ sql: String) throws -> String? {
    let all = try machines[machine].texts(sql)
    let wanted = int(0...1) == 0 ? all.filter(wanted.contains) : []
    return (wanted.isEmpty ? all : wanted).randomElement(using: &random)
  }

  /// Begins a round, in which all do something to the same few rows.
  func begin() throws {
    ledger = ChaosLedger(try machines[0].content(), heldOwners: try machines[0].heldOwners())
    let objects = ledger.base.objects.keys.sorted()
    wanted = Set((0..<5).compactMap { _ in objects.randomElement(using: &random) })
  }

  private func aTask(_ machine: Int) throws -> String? {
    try pick(machine, "SELECT id FROM TaskItem ORDER BY id")
  }

  private func aList(_ machine: Int) throws -> String? {
    try pick(machine, "SELECT target FROM TaskListList_items ORDER BY target")
  }

  /// Does something on a machine.
  func act(on machine: Int, tasks: Int) throws {
    let deletes = tasks > 60 ? 3 : 1
    switch int(0...(16 + deletes)) {
    case 0, 1: try edit(machine)
    case 2: try set("notes", to: .text(newText()), on: machine)
    case 3:
      let priority: SQLiteValue = .text(["", "A", "B", "C"][int(0...3)])
      try set("priority", to: priority, on: machine)
    case 4: try set("completed", to: .integer(Int64(int(0...1))), on: machine)
    case 5, 6: try add(int(0...5) == 0 ? int(20...200) / (tasks > 60 ? 20 : 4) : 1, on: machine)
    case 7: try moveToList(machine)
    case 8, 9: try reorder(machine)
    case 10: try placeBelow(machine)
    case 11: try addByCommand(machine)
    case 12: try doneByCommand(machine)
    case 13: try moveByCommand(machine)
    case 14: try int(0...2) == 0 ? deleteList(machine) : addList(machine)
    case 15: try undo(machine)
    case 16: try int(0...2) == 0 ? bringBack(machine) : renameList(machine)
    default: try delete(machine)
    }
  }

  // MARK: A program that knows nothing of LiveStore

  private func set(_ cell: String, to value: SQLiteValue, on machine: Int) throws {
    // The command that runs may delete it.
    try machines[machine].finishCommand()
    guard let task = try aTask(machine) else { return }
    try write(machine) { write in
      try write.run("UPDATE TaskItem SET \(cell) = ? WHERE id = ?", value, .text(task))
      return try write.isThere(task) ? [(task, .set(cell: cell, value))] : []
    }
  }

  /// The agent may have changed the file since something was chosen: a body looks again, and tells what it
  /// has done.
  private func write(
    _ machine: Int, _ body: (ChaosMachine) throws -> [(String, ChaosLedger.Change)]
  ) throws {
    let begin = ContinuousClock.now
    var deeds: [(String, ChaosLedger.Change)] = []
    try machines[machine].write { deeds = try body(machines[machine]) }
    for (object, change) in deeds {
      ledger.note(change, of: object, by: machine, isSaid: true, since: begin)
    }
  }

  private func add(_ number: Int, on machine: Int) throws {
    guard let list = try aList(machine) else { return }
    try write(machine) { write in
      guard try write.isThere(list) else { return [] }
      var deeds: [(String, ChaosLedger.Change)] = []
      for _ in 0..<number {
        let text = newText()
        let id = "\(write.name)-\(text)"
        try write.run("INSERT INTO TaskItem (id, text) VALUES (?, ?)", .text(id), .text(text))
        try write.run("INSERT INTO TaskList_items (owner, target) VALUES (?, ?)", .text(list), .text(id))
        deeds += [
          (id, .made), (id, .set(cell: "text", .text(text))), (id, .set(cell: "@place", .text(list))),
        ]
      }
      return deeds
    }
  }

  private func moveToList(_ machine: Int) throws {
    guard let list = try aList(machine),
      let task = try pick(machine, "SELECT target FROM TaskList_items ORDER BY target")
    else { return }
    try write(machine) { write in
      guard try write.isThere(list), try write.isThere(task) else { return [] }
      try write.run("UPDATE TaskList_items SET owner = ? WHERE target = ?", .text(list), .text(task))
      let isMoved = try !write.rows(
        "SELECT 1 FROM TaskList_items WHERE owner = \(literal(list)) AND target = \(literal(task))"
      ).isEmpty
      return isMoved ? [(task, .set(cell: "@place", .text(list)))] : []
    }
  }

  /// Gives a row another position, now and then that of another row.
  private func reorder(_ machine: Int) throws {
    let table = ["TaskList_items", "TaskList_items", "TaskListList_items", "TaskItem_subtasks"][int(0...3)]
    guard let target = try pick(machine, "SELECT target FROM \(table) ORDER BY target"),
      let other = try pick(machine, "SELECT position FROM \(table) ORDER BY target")
    else { return }
    let position = [other, other + "V", "A", "V1", "b"][int(0...4)]
    try write(machine) { write in
      try write.run("UPDATE \(table) SET position = ? WHERE target = ?", .text(position), .text(target))
      return []
    }
  }

  private func placeBelow(_ machine: Int) throws {
    guard let task = try aTask(machine), let parent = try aTask(machine) else { return }
    try write(machine) { write in
      let isTop = try !write.rows("SELECT 1 FROM TaskList_items WHERE target = \(literal(parent))").isEmpty
      let hasSubtasks = try !write.rows("SELECT 1 FROM TaskItem_subtasks WHERE owner = \(literal(task))")
        .isEmpty
      guard task != parent, isTop, !hasSubtasks, try write.isThere(task) else { return [] }
      try write.run("DELETE FROM TaskList_items WHERE target = ?", .text(task))
      try write.run("DELETE FROM TaskItem_subtasks WHERE target = ?", .text(task))
      try write.run(
        "INSERT INTO TaskItem_subtasks (owner, target) VALUES (?, ?)", .text(parent), .text(task))
      return [(task, .set(cell: "@place", .text(parent)))]
    }
  }

  private func addList(_ machine: Int) throws {
    try write(machine) { write in
      let text = newText()
      let id = "\(write.name)-\(text)"
      try write.run("INSERT INTO TaskList (id, text) VALUES (?, ?)", .text(id), .text(text))
      try write.run("INSERT INTO TaskListList_items (owner, target) VALUES (0, ?)", .text(id))
      return [(id, .made), (id, .set(cell: "text", .text(text)))]
    }
  }

  private func renameList(_ machine: Int) throws {
    guard let list = try aList(machine) else { return }
    try write(machine) { write in
      let text = newText()
      try write.run("UPDATE TaskList SET text = ? WHERE id = ?", .text(text), .text(list))
      return try write.isThere(list) ? [(list, .set(cell: "text", .text(text)))] : []
    }
  }

  // MARK: Commands

  /// Runs a command, which is killed now and then.
  private func command(
    _ machine: Int, _ arguments: [String], take: @escaping (_ isSaid: Bool, _ output: String) -> Void
  ) throws {
    let killing = int(0...3) == 0
    try machines[machine].start(arguments) { outcome in
      // Its reports until it was killed hold.
      let hasReported = !outcome.output.isEmpty && !outcome.output.hasPrefix("tasks:")
      take(outcome.status == 0 || outcome.status < 0 && hasReported, outcome.output)
    }
    guard killing else { return }
    // The moment is what is random here: nothing is waited for.
    poll(nil, 0, Int32(int(0...80)))
    kills += 1
    try machines[machine].finishCommand(killing: true)
  }

  private func addByCommand(_ machine: Int) throws {
    guard let list = try aList(machine) else { return }
    let (text, begin) = (newText(), ContinuousClock.now)
    try command(machine, ["add", text, "--list", list]) { [self] isSaid, output in
      let id = output.prefix { $0 != "\n" }
      guard isSaid, id.count == 36 else { return }
      for change in [
        ChaosLedger.Change.made, .set(cell: "text", .text(text)), .set(cell: "@place", .text(list)),
      ] {
        ledger.note(change, of: String(id), by: machine, isSaid: true, since: begin)
      }
    }
  }

  private func edit(_ machine: Int) throws {
    guard let task = try pick(machine, "SELECT id FROM TaskItem WHERE NOT completed ORDER BY id") else {
      return
    }
    if int(0...1) == 0 { return try set("text", to: .text(newText()), on: machine) }
    let (text, begin) = (newText(), ContinuousClock.now)
    try command(machine, ["edit", task, text]) { [self] isSaid, _ in
      ledger.note(.set(cell: "text", .text(text)), of: task, by: machine, isSaid: isSaid, since: begin)
    }
  }

  private func doneByCommand(_ machine: Int) throws {
    guard let task = try pick(machine, "SELECT id FROM TaskItem WHERE NOT completed ORDER BY id") else {
      return
    }
    let begin = ContinuousClock.now
    // Its subtasks are completed with it, its task may be, and a repeated one is made anew.
    ledger.unknown.formUnion(
      try machines[machine].texts(
        """
        SELECT target FROM TaskItem_subtasks WHERE owner = \(literal(task)) UNION
        SELECT owner FROM TaskItem_subtasks WHERE target = \(literal(task))
        """))
    try command(machine, ["done", task]) { [self] isSaid, _ in
      ledger.note(
        .set(cell: "completed", .integer(1)), of: task, by: machine, isSaid: isSaid, since: begin)
    }
  }

  private func moveByCommand(_ machine: Int) throws {
    guard let list = try aList(machine),
      let task = try pick(machine, "SELECT target FROM TaskList_items ORDER BY target")
    else { return }
    let begin = ContinuousClock.now
    try command(machine, ["move", task, "--to", list]) { [self] isSaid, _ in
      ledger.note(
        .set(cell: "@place", .text(list)), of: task, by: machine, isSaid: isSaid, since: begin)
    }
  }

  private func delete(_ machine: Int) throws {
    guard let task = try aTask(machine) else { return }
    let begin = ContinuousClock.now
    try command(machine, ["delete", task]) { [self] isSaid, _ in
      ledger.note(.deleted, of: task, by: machine, isSaid: isSaid, since: begin)
    }
  }

  private func deleteList(_ machine: Int) throws {
    guard let list = try aList(machine), try machines[machine].texts("SELECT id FROM TaskList").count > 3
    else {
      return
    }
    let begin = ContinuousClock.now
    try command(machine, ["list-delete", list]) { [self] isSaid, _ in
      ledger.note(.deleted, of: list, by: machine, isSaid: isSaid, since: begin)
    }
  }

  /// Undoes the last step, or what was undone; whatever differs afterwards may be of that.
  private func undo(_ machine: Int) throws {
    try machines[machine].finishCommand()
    try differing(machine) {
      let words = [[["undo"], ["redo"]][int(0...1)], ["undo"]][int(0...1)]
      try machines[machine].start(words) { _ in }
      try machines[machine].finishCommand()
    }
  }

  /// Brings back something that was lost.
  private func bringBack(_ machine: Int) throws {
    guard
      let number = try machines[machine].rows(
        "SELECT number FROM _livesync_conflict WHERE NOT isSettled ORDER BY number"
      ).randomElement(using: &random)?[0], case .integer(let number) = number
    else { return }
    try differing(machine) {
      try machines[machine].start(["restore", "\(number)"], of: "tasks-sync") { outcome in
        let refusals = ["It stays where it is", "; it is in “", "It was deleted since"]
        guard outcome.status == 0 || refusals.contains(where: outcome.output.contains) else {
          throw ChaosMachine.Failure(description: "restore \(number): \(outcome)")
        }
      }
      try machines[machine].finishCommand()
    }
  }

  private func differing(_ machine: Int, _ body: () throws -> Void) throws {
    let before = try machines[machine].content()
    try body()
    let after = try machines[machine].content()
    for id in Set(before.objects.keys).union(after.objects.keys)
    where before.objects[id] != after.objects[id] {
      ledger.unknown.insert(id)
    }
  }
}

extension ChaosMachine {
  /// Whether there is a task or a list.
  fileprivate func isThere(_ id: String) throws -> Bool {
    try !rows(
      "SELECT 1 FROM TaskItem WHERE id = \(literal(id)) UNION ALL SELECT 1 FROM TaskList WHERE id = \(literal(id))"
    ).isEmpty
  }
}
