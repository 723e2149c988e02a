import Foundation
import TestSupport
import Testing

/// Changes of two people who did not know of each other's.
extension SyncProgramTests {
  @Test("What lost against another person's deletion is listed, brought back everywhere, or forgotten")
  func lost() throws {
    try anna.tasks("sync", "init", url("postgres"))
    for text in ["Buy milk", "Buy eggs"] { #expect(try anna.tasks("add", text).status == 0) }
    #expect(try anna.tasks("sync", "join", url("anna")).status == 0)
    #expect(try anna.tasks("sync", "share", "ben", "--write").status == 0)
    #expect(try ben.tasks("sync", "join", url("ben")).status == 0)
    for text in ["Buy milk", "Buy eggs"] { #expect(try anna.tasks("delete", text).status == 0) }
    #expect(try ben.tasks("edit", "Buy milk", "Buy oat milk").status == 0)
    #expect(try ben.tasks("edit", "Buy eggs", "Buy six eggs").status == 0)
    for person in [anna, ben, anna] { #expect(try person.tasks("sync", "run", "--once").status == 0) }
    let conflicts = try ben.tasks("sync", "conflicts")
    let lines = conflicts.output.split(separator: "\n").map(String.init)
      .sorted { (a: String, b: String) in a.dropFirst(3) < b.dropFirst(3) }
    try #require(lines.count == 2, "\(conflicts)")
    let expected = [
      "You changed “Buy oat milk”, which anna on ", "You changed “Buy six eggs”, which anna on ",
    ]
    for (line, sentence) in zip(lines, expected) {
      #expect(line.dropFirst(3).hasPrefix(sentence) && line.hasSuffix(" deleted."), "\(line)")
    }
    #expect(try ben.tasks("sync", "restore", String(lines[0].prefix(1))).output == "It is as you had it.\n")
    #expect(try ben.tasks("sync", "forget", String(lines[1].prefix(1))).output == "It stays as it is.\n")
    #expect(try ben.tasks("sync", "forget", String(lines[1].prefix(1))).status == 1)
    #expect(
      try ben.tasks("sync", "conflicts").output == nothingLost)
    for person in [ben, anna] { #expect(try person.tasks("sync", "run", "--once").status == 0) }
    #expect(try anna.tasks("list").output == "[ ] Buy oat milk\n")
  }

  @Test("What is brought back comes with what was in it and was deleted with it, and is told once")
  func restoringContents() throws {
    #expect(try anna.tasks("list-add", "Shop").status == 0)
    let id = try added("--list", "Shop", "Buy milk")
    #expect(try anna.tasks("add", "--under", id, "Oat").status == 0)
    #expect(try anna.tasks("add", "--under", id, "--due", "2030-05-03", "Rice").status == 0)
    #expect(try anna.tasks("add", "--list", "Shop", "--priority", "A", "Buy eggs").status == 0)
    try share()
    #expect(try ben.tasks("list-rename", "Shop", "Market").status == 0)
    for task in ["Rice", id] {
      #expect(try ben.tasks("edit", "--notes", "the blue one", task).status == 0)
    }
    #expect(try anna.tasks("list-delete", "--yes", "Shop").status == 0)
    try exchange(anna, ben)
    let told = try ben.tasks("sync", "conflicts").output
    #expect(
      told.contains("  You changed “Market”, which anna on ") && told.hasSuffix(" deleted.\n"), "\(told)")
    #expect(told.split(separator: "\n").count == 1)
    let number = String(told.prefix { $0 != " " })
    #expect(try ben.tasks("sync", "restore", number).status == 0)
    #expect(try ben.tasks("sync", "conflicts").output == nothingLost)
    try exchange(ben, anna)
    for person in [anna, ben] {
      let list = try person.tasks("list", "--list", "Market").output
      #expect(list == "[ ] Buy milk\n    [ ] Oat\n    [ ] Rice\n[ ] Buy eggs\n", "\(list)")
      let milk = try person.tasks("show", "--json", id).output
      #expect(
        milk.components(separatedBy: "the blue one").count == 3 && milk.contains("2030-05-03"), "\(milk)")
      #expect(try person.tasks("show", "--json", "eggs").output.contains(#""priority":"A""#))
      #expect(try person.tasks("doctor").status == 0)
    }
    #expect(try content(ben) == content(anna))
  }

  @Test("Undo takes back what was brought back, and then nothing of others that came before that")
  func undoingRestore() throws {
    #expect(try anna.tasks("add", "Buy milk").status == 0)
    #expect(try anna.tasks("add", "Buy eggs").status == 0)
    try share()
    for text in ["Buy milk", "Buy eggs"] { #expect(try ben.tasks("edit", text, "\(text) today").status == 0) }
    try ben.dateChangesBack()
    #expect(try anna.tasks("edit", "Buy milk", "Buy soy milk").status == 0)
    #expect(try anna.tasks("delete", "Buy eggs").status == 0)
    try exchange(ben, anna, ben)
    for number in ["1", "2"] {
      let restored = try ben.tasks("sync", "restore", number)
      #expect(restored.output == "It is as you had it.\n", "\(restored)")
    }
    try exchange(ben, anna)
    #expect(try anna.tasks("list").output == "[ ] Buy milk today\n[ ] Buy eggs today\n")
    let undone = try (0..<4).map { _ in try ben.tasks("undo") }
    let obstacles = undone.map { $0.errors.split(separator: ":").last ?? "" }
    #expect(undone[0].status == 0 && undone[1].status == 0, "\(undone)")
    #expect(undone[2].status == 1 && undone[3].status == 1, "\(obstacles)")
    try exchange(ben, anna)
    for person in [anna, ben] { #expect(try person.tasks("list").output == "[ ] Buy soy milk\n") }
    #expect(try content(ben) == content(anna))
  }

  @Test("Undo takes back a list that was brought back with what was in it, and redo brings both back")
  func undoingRestoredContents() throws {
    #expect(try anna.tasks("list-add", "Shop").status == 0)
    let id = try added("--list", "Shop", "Buy milk")
    #expect(try anna.tasks("add", "--under", id, "Oat").status == 0)
    try share()
    #expect(try ben.tasks("list-rename", "Shop", "Market").status == 0)
    #expect(try anna.tasks("list-delete", "--yes", "Shop").status == 0)
    try exchange(anna, ben)
    #expect(try ben.tasks("sync", "restore", "1").status == 0)
    let all = "[ ] Buy milk\n    [ ] Oat\n"
    #expect(try ben.tasks("list", "--list", "Market").output == all)
    let undone = try ben.tasks("undo")
    #expect(undone.output.contains("bringing back “Market”"), "\(undone)")
    try exchange(ben, anna)
    for person in [anna, ben] { #expect(try person.tasks("list", "--list", "Market").status == 1) }
    #expect(try ben.tasks("redo").status == 0)
    try exchange(ben, anna)
    for person in [anna, ben] { #expect(try person.tasks("list", "--list", "Market").output == all) }
    #expect(try content(ben) == content(anna))
  }

  @Test("A deletion is undone but for what another person has brought back, which stays where it is")
  func undoingDeletion() throws {
    #expect(try anna.tasks("list-add", "Work").status == 0)
    for text in ["One", "Two", "Three"] { _ = try added("--list", "Work", text) }
    try share()
    #expect(try anna.tasks("list-delete", "--yes", "Work").status == 0)
    #expect(try ben.tasks("edit", "Two", "Two of Ben").status == 0)
    try exchange(anna, ben)
    #expect(try ben.tasks("sync", "restore", "1").output == "It is as you had it.\n")
    try exchange(ben, anna)
    let undone = try anna.tasks("undo")
    #expect(undone.status == 0, "\(undone)")
    try exchange(anna, ben)
    for person in [anna, ben] {
      #expect(try person.tasks("list", "--list", "Work").output == "[ ] One\n[ ] Three\n")
      #expect(try person.tasks("list", "--list", "My Tasks").output == "[ ] Two of Ben\n")
    }
    #expect(try content(ben) == content(anna))
  }

  @Test("A file that comes back is told which of its values are others in the space, and no person for it")
  func comingBack() throws {
    #expect(try anna.tasks("add", "Buy milk").status == 0)
    #expect(try anna.tasks("add", "Buy eggs").status == 0)
    try share()
    #expect(try ben.tasks("sync", "leave").status == 0)
    #expect(try ben.tasks("edit", "Buy milk", "Buy oat milk").status == 0)
    #expect(try ben.tasks("done", "Buy eggs").status == 0)
    let joined = try ben.tasks("sync", "join", "--yes", url("ben"))
    #expect(
      joined.output.hasPrefix("This file comes back to the space “anna/tasks”: what was del"), "\(joined)")
    let lines = try ben.tasks("sync", "conflicts").output.split(separator: "\n").map { $0.dropFirst(3) }
    #expect(
      lines.sorted() == [
        "The state of “Buy eggs” is another now.",
        "The text of “Buy milk” is another now; yours was “Buy oat milk”.",
      ], "\(lines)")
  }

  @Test("A reader's file comes back, and is told what was changed in it and what is not deleted")
  func readerComingBack() throws {
    for text in ["Buy milk", "Buy eggs"] { #expect(try anna.tasks("add", text).status == 0) }
    try share()
    #expect(try anna.tasks("sync", "share", "ben", "--read").status == 0)
    try exchange(ben)
    #expect(try ben.tasks("sync", "leave").status == 0)
    #expect(try ben.tasks("edit", "Buy milk", "Buy oat milk").status == 0)
    #expect(try ben.tasks("delete", "Buy eggs").status == 0)
    #expect(try ben.tasks("add", "Buy beer").status == 0)
    let joined = try ben.tasks("sync", "join", "--yes", url("ben"))
    #expect(joined.status == 0 && joined.output.contains("changed here since is taken back."), "\(joined)")
    #expect(try ben.tasks("list").output == "[ ] Buy milk\n[ ] Buy eggs\n")
    let lines = try ben.tasks("sync", "conflicts").output.split(separator: "\n").map { $0.dropFirst(3) }
    #expect(
      lines.sorted() == [
        "The text of “Buy milk” is another now; yours was “Buy oat milk”.",
        "You deleted “Buy eggs” while this file was in no space; the others still have it.",
        "You may not change “Buy beer”: that was taken back.",
      ], "\(lines)")
    #expect(try anna.tasks("list").output == "[ ] Buy milk\n[ ] Buy eggs\n")
    try exchange(ben, anna)
    #expect(try content(ben) == content(anna))
  }

  @Test("Who leaves with changes that lost and are not settled is told, and leaves only when that is said")
  func leavingWithConflicts() throws {
    #expect(try anna.tasks("add", "Buy milk").status == 0)
    try share()
    #expect(try anna.tasks("delete", "Buy milk").status == 0)
    #expect(try ben.tasks("edit", "Buy milk", "Buy oat milk").status == 0)
    try exchange(anna, ben)
    let asked = try ben.tasks("sync", "leave")
    #expect(asked.status == 1 && asked.output.hasPrefix("1 of your changes lost against"), "\(asked)")
    #expect(asked.output.hasSuffix("Say --yes to do it.\n"), "\(asked)")
    #expect(try ben.tasks("sync", "conflicts").output.contains("Buy oat milk"))
    #expect(try ben.tasks("sync", "leave", "--yes").status == 0)
    #expect(try ben.tasks("sync", "status").status == 1)
  }

  @Test("What lost is brought back into a list; without any, a sentence says so, and it can be done later")
  func nothingToBeIn() throws {
    #expect(try anna.tasks("add", "Buy milk").status == 0)
    try share()
    #expect(try ben.tasks("edit", "--notes", "2 litres", "Buy milk").status == 0)
    #expect(try anna.tasks("list-delete", "--yes", "My Tasks").status == 0)
    try exchange(anna, ben, anna, ben)
    let refused = try ben.tasks("sync", "restore", "1")
    #expect(
      refused.status == 1 && refused.errors.contains("Nothing is left that it could be in"), "\(refused)")
    #expect(try ben.tasks("sync", "conflicts").output.contains("Buy milk"))
    #expect(try ben.tasks("list-add", "Shop").status == 0)
    #expect(try ben.tasks("sync", "restore", "1").output == "It is as you had it.\n")
    try exchange(ben, anna)
    #expect(try anna.tasks("list", "--list", "Shop").output == "[ ] Buy milk\n")
  }

  @Test("A task put into a list that another machine deletes is in the first one, can be used, and is told")
  func displaced() throws {
    #expect(try anna.tasks("list-add", "Shop").status == 0)
    try share()
    #expect(try ben.tasks("add", "--list", "Shop", "Buy milk").status == 0)
    #expect(try anna.tasks("list-delete", "--yes", "Shop").status == 0)
    // Ben's change comes first, and he is not there when Anna's does.
    try exchange(ben, anna)
    #expect(try anna.tasks("list", "--list", "My Tasks").output == "[ ] Buy milk\n")
    #expect(try anna.tasks("done", "Buy milk").status == 0)
    try exchange(anna, ben)
    #expect(try ben.tasks("list", "--list", "My Tasks").output == "[x] Buy milk\n")
    for person in [anna, ben] {
      let doctor = try person.tasks("doctor")
      #expect(doctor.status == 0, "\(doctor)")
    }
    let conflicts = try ben.tasks("sync", "conflicts").output
    #expect(conflicts.hasPrefix("1  You put “Buy milk” into a list that anna on "), "\(conflicts)")
    #expect(conflicts.hasSuffix(" deleted; it is in “My Tasks” now.\n"), "\(conflicts)")
    let restored = try ben.tasks("sync", "restore", "1")
    #expect(restored.status == 1 && restored.errors.contains("It stays where it is: "), "\(restored)")
    // A change since then stays when the task goes back into the list, which is there again.
    #expect(try anna.tasks("undo").status == 0 && anna.tasks("undo").status == 0)
    try exchange(anna, ben)
    #expect(try ben.tasks("edit", "Buy milk", "--priority", "A").status == 0)
    #expect(try ben.tasks("sync", "restore", "1").output == "It is as you had it.\n")
    try exchange(ben, anna)
    for person in [anna, ben] {
      #expect(try person.tasks("list", "--list", "Shop").output.contains("Buy milk"))
      #expect(try person.tasks("show", "Buy milk").output.contains("priority: A"))
      #expect(try person.tasks("list", "--list", "My Tasks").output == "")
    }
  }

  @Test(
    "A repeated task that two people complete while apart is open once, on its next date, and nothing is lost"
  )
  func repeated() throws {
    let id = try added("--repeat", "every week", "--due", "2030-05-03", "Water plants")
    try share()
    for person in [anna, ben] { #expect(try person.tasks("done", "Water plants").status == 0) }
    try exchange(ben, anna, ben, anna)
    for person in [anna, ben] {
      #expect(try person.tasks("list").output == "[ ] Water plants\n[x] Water plants\n[x] Water plants\n")
      #expect(try person.tasks("show", "--json", id).output.contains(#""date":"2030-05-10"#))
      #expect(try person.tasks("sync", "conflicts").output == nothingLost)
    }
    #expect(try content(ben) == content(anna))
    // Ben's, done last, stays when Anna takes hers back, which he does not know of.
    #expect(try anna.tasks("done", id).status == 0)
    try exchange(anna)
    #expect(try anna.tasks("undo").status == 0)
    try anna.dateChangesBack()
    try exchange(anna)
    #expect(try ben.tasks("done", id).status == 0)
    try exchange(ben, anna)
    for person in [anna, ben] {
      #expect(try person.tasks("show", "--json", id).output.contains(#""date":"2030-05-17"#))
      let finished = try person.tasks("list").output.components(separatedBy: "[x] Water plants\n").count - 1
      #expect(finished == 3)
    }
    #expect(try ben.tasks("sync", "conflicts").output == nothingLost)
    let told = try anna.tasks("sync", "conflicts").output
    #expect(told.hasPrefix("1  ben on ") && told.hasSuffix("changed the date of “Water plants” after you.\n"))
  }

  @Test("Who takes back a completion that another person has made too takes back only their own")
  func undoingRepeated() throws {
    let id = try added("--repeat", "every week", "--due", "2030-05-03", "Water plants")
    #expect(try anna.tasks("add", "--under", id, "Fill the can").status == 0)
    try share()
    for person in [anna, ben] { #expect(try person.tasks("done", id).status == 0) }
    try exchange(ben, anna, ben)
    #expect(try anna.tasks("undo").status == 0)
    try exchange(anna, ben)
    for person in [anna, ben] {
      #expect(
        try person.tasks("list").output
          == "[ ] Water plants\n    [ ] Fill the can\n[x] Water plants\n    [x] Fill the can\n")
      #expect(try person.tasks("show", "--json", id).output.contains(#""date":"2030-05-10"#))
    }
    #expect(try content(ben) == content(anna))
    #expect(try ben.tasks("sync", "conflicts").output == nothingLost)
  }

  @Test("What one person changes of a repeated task that another completes is that of the open one")
  func repeatedAndChanged() throws {
    let id = try added("--repeat", "every week", "--due", "2030-05-03", "Water plants")
    #expect(try anna.tasks("add", "--under", id, "Fill the can").status == 0)
    try share()
    #expect(try anna.tasks("done", id).status == 0)
    #expect(try anna.tasks("clear").status == 0)
    #expect(try ben.tasks("edit", "--notes", "two cans", id).status == 0)
    #expect(try ben.tasks("add", "--under", id, "Feed them").status == 0)
    #expect(try ben.tasks("edit", id, "Water all plants").status == 0)
    try exchange(ben, anna, ben)
    for person in [anna, ben] {
      let list = try person.tasks("list").output
      #expect(list == "[ ] Water all plants\n    [ ] Fill the can\n    [ ] Feed them\n", "\(list)")
      let task = try person.tasks("show", "--json", id).output
      #expect(task.contains(#""notes":"two cans""#) && task.contains(#""date":"2030-05-10"#), "\(task)")
      #expect(try person.tasks("sync", "conflicts").output == nothingLost)
    }
  }
}
