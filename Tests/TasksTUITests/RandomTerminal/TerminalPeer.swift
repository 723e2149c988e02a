import Foundation
import LiveStore
import TasksModel
import TestSupport
import Testing

@testable import TasksTUI

/// Another process that works on the same file: this test binary once more, with TASKS_TERMINAL_PEER set to
/// the file.
///
/// For each line `KIND COUNT SEED` it does so many things at random, says which rows it was about, and
/// `done`. What it does is `any`, or `rows` for what concerns single rows of a list.
@Suite struct TerminalPeer {
  static let file = ProcessInfo.processInfo.environment["TASKS_TERMINAL_PEER"]

  @Test(.enabled(if: file != nil))
  func run() throws {
    let path = try #require(Self.file)
    let notifications = NotificationSource()
    let store = try TasksStore(path: path, scheduler: .fileDescriptor(notifications), author: "peer")
    print("peer: ready")
    fflush(nil)
    while let line = readLine() {
      let words = line.split(separator: " ")
      var random = SeededGenerator(seed: UInt64(words[2]) ?? 0)
      for _ in 0..<(Int(words[1]) ?? 0) {
        store.store.processNotifications()
        try store.store.refresh()
        do {
          for id in try Self.act(store, isAny: words[0] == "any", &random) { print("peer: touched \(id)") }
        } catch is Refusal {
          // The rules are those of another test.
        }
      }
      print("peer: done")
      fflush(nil)
    }
  }

  /// - Returns: The rows that it was about.
  private static func act(
    _ store: TasksStore, isAny: Bool, _ random: inout SeededGenerator
  ) throws -> [Identifier] {
    guard let list = store.lists.randomElement(using: &random) else {
      try store.add("a list of the peer", to: .lists)
      return []
    }
    let place = Place.tasks(inList: list.id)
    let name = "p\(Int.random(in: 0..<1_000_000, using: &random))"
    if isAny, Int.random(in: 0..<5, using: &random) == 0 { return try actOnLists(store, list, name, &random) }
    guard let task = list.items.randomElement(using: &random), list.items.count < 25 else {
      if list.items.count >= 25 { return touched(try store.delete([list.items[0].id], in: RowScope(place))) }
      return touched(try store.add(name, to: place))
    }
    let edit: Edit
    switch Int.random(in: 0..<(isAny ? 11 : 6), using: &random) {
    case 0: edit = try store.add(name, to: place, at: Bool.random(using: &random) ? .top : .below(task.id))
    case 1: return try store.add([name, name + "b"], to: place).map(Array.init) ?? []
    case 2: edit = try store.edit(task.id, in: RowScope(place), text: name + " #home")
    case 3: edit = try store.toggleCompleted([task.id], in: RowScope(place))
    case 4: edit = try store.delete([task.id], in: RowScope(place))
    case 5: edit = try store.move([task.id], in: RowScope(place), by: Int.random(in: -4...4, using: &random))
    case 6:
      let days = Double(Int.random(in: -2...2, using: &random))
      edit = try store.setDate(
        [task.id], in: RowScope(place),
        to: LocalCalendar.system.startOfDay(Date().addingTimeInterval(days * 86_400)))
    case 7: edit = try store.setPriority([task.id], in: RowScope(place)) { $0.raised }
    case 8: edit = try store.setNotes(task.id, to: name)
    case 9: edit = try store.clearCompleted(in: RowScope(place))
    default:
      _ =
        try Bool.random(using: &random)
        ? store.undo(showing: RowScope(place)) : store.redo(showing: RowScope(place))
      return []
    }
    return touched(edit)
  }

  private static func actOnLists(
    _ store: TasksStore, _ list: TaskList, _ name: String, _ random: inout SeededGenerator
  ) throws -> [Identifier] {
    switch Int.random(in: 0..<6, using: &random) {
    case 0 where store.lists.count > 3: touched(try store.delete([list.id], in: RowScope(.lists)))
    case 1: touched(try store.edit(list.id, in: RowScope(.lists), text: name))
    case 2:
      touched(try store.move([list.id], in: RowScope(.lists), by: Int.random(in: -2...2, using: &random)))
    case 3: touched(try store.toggleCompleted([list.id], in: RowScope(.lists)))
    case 4:
      touched(
        try store.move(
          list.items.prefix(2).map(\.id), in: RowScope(.tasks(inList: list.id)),
          toList: store.lists.randomElement(using: &random)!.id))
    default: store.lists.count < 8 ? touched(try store.add(name, to: .lists)) : []
    }
  }

  private static func touched(_ edit: Edit) -> [Identifier] {
    (edit.before + edit.after).flatMap { [$0.id] + $0.tasks.map(\.id) }
  }
}
