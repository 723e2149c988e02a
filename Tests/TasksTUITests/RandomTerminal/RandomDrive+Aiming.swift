import TasksModel

@testable import TasksTUI

extension RandomDrive {
  /// Strikes a key at rest, perhaps while others write, and sees that no other row was changed by it.
  func aim() throws {
    let title = RandomPicture.essence(window.screen.text(line: 0))
    let lists = try database.lists()
    let listed = lists.filter { RandomPicture.title(of: $0) == title }
    guard listed.count == 1, let list = listed.first,
      let cursor = RandomPicture.rowUnderCursor(window.screen)
    else { return }
    let meant = list.tasks.filter { RandomPicture.essence($0.text) == cursor }
    guard meant.count == 1, let task = meant.first, !cursor.isEmpty else { return }
    let key = ["d", "x", " ", "J", "K", "ezz\r", "+", "jk", "A\r", "\u{1B}[3~", "Gkk"].randomElement(
      using: &random)!
    var touched: Set<String> = []
    let asksPeer = Bool.random(using: &random)
    note("aim at \(cursor) in \(title)")
    if asksPeer { tell("rows", Int.random(in: 1...3, using: &random)) }
    if Bool.random(using: &random) { touched.formUnion(try writeForeign(isAny: false)) }
    send(Array(key.utf8))
    if asksPeer { touched.formUnion(try report()) }
    // Back to the lists, or out of what the key has begun; and into the list again.
    send([7])
    send(Array("hl".utf8))
    let erasures = window.screen.erasures
    send([0x0C])
    try window.wait(for: "an answer to Ctrl-L") { $0.screen.erasures > erasures && $0.isAtRest }
    let after = try database.lists()
    try compare(lists, after, touched: touched, meant: task.id, key: key)
  }

  private func compare(
    _ before: [ForeignDatabase.Row], _ after: [ForeignDatabase.Row], touched: Set<String>, meant: String,
    key: String
  ) throws {
    func tasks(_ lists: [ForeignDatabase.Row]) -> [String: ForeignDatabase.Row] {
      Dictionary(lists.flatMap(\.tasks).map { ($0.id, $0) }) { first, _ in first }
    }
    let (old, new) = (tasks(before), tasks(after))
    // When the meant row went in a frame that was painted before the key came, the one below it is meant.
    var isNextMeant = touched.contains(meant) && new[meant] == nil
    for (id, row) in old where !touched.contains(id) {
      var expected: ForeignDatabase.Row? = row
      var found = new[id]
      // Dates and repetitions are read in the background.
      expected?.date = ""
      expected?.repetition = ""
      found?.date = ""
      found?.repetition = ""
      if found == expected { continue }
      if isNextMeant {
        isNextMeant = false
        continue
      }
      guard id == meant else {
        throw Fault(
          description:
            "\(key.debugDescription) has changed “\(row.text)” to \(String(describing: found)), which was "
            + "not meant"
        )
      }
      if found == nil, key != "d", key != "\u{1B}[3~" {
        throw Fault(description: "\(key.debugDescription) has lost “\(row.text)”")
      }
    }
    if key == "d", !touched.contains(meant), new[meant] != nil {
      throw Fault(description: "d has not deleted “\(old[meant]?.text ?? "")”")
    }
  }
}
