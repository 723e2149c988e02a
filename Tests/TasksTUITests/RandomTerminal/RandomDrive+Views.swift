import TasksModel
import TerminalEmulator

@testable import TasksTUI

extension RandomDrive {
  /// Shows the tasks of all lists that are due, have a tag or contain a word; compares them with the file.
  func expectViewLikeFile() throws {
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      try expect("Today", keys: "T", count: "task", of: Self.due)
    case 1:
      // The tags are those that a worker has read.
      try expect("#home", keys: ":tag home\r", count: "task", of: Self.tagged)
    default:
      try expect("All lists", keys: "/milk\t", count: "match", of: Self.found)
      // Out of the search.
      send([7, 7])
    }
  }

  private static let due =
    "SELECT text FROM TaskItem WHERE NOT completed AND date < strftime('%Y-%m-%d %H:%M:%f', 'now', "
    + "'localtime', 'start of day', '+1 day', 'utc')"
  private static let tagged =
    "SELECT text FROM TaskItem WHERE tags LIKE '% home %' AND archivedFrom = '' AND text = readText"
  private static let found = "SELECT text FROM TaskItem WHERE text LIKE '%milk%'"

  /// Waits until the title says how many rows the query has, and each of their texts begins a line.
  private func expect(_ title: String, keys: String, count noun: String, of query: String) throws {
    note("show \(title)")
    send(Array(keys.utf8))
    var texts: [String] = []
    do {
      try window.wait(for: title) { window in
        guard window.isAtRest else { return false }
        texts = try database.run(query).map { $0[0] }
        let words = "\(title)\(texts.count)\(noun)"
        let plural = words + (noun == "match" ? "es" : "s")
        let shownTitle = RandomPicture.essence(window.screen.text(line: 0))
        let isEmpty = texts.isEmpty && shownTitle == RandomPicture.essence(title)
        guard isEmpty || shownTitle == RandomPicture.essence(texts.count == 1 ? words : plural) else {
          return false
        }
        var shown = (1..<max(2, window.screen.lines - 1)).map {
          RandomPicture.texts(of: window.screen.text(line: $0))
        }
        for text in texts {
          let essence = RandomPicture.essence(text)
          // Nothing of it may be letters and digits.
          guard !essence.isEmpty else { continue }
          guard let line = shown.firstIndex(where: { $0.contains(essence) }) else { return false }
          shown.remove(at: line)
        }
        return true
      }
    } catch {
      throw Fault(description: "\(title) should show:\n\(texts.joined(separator: "\n"))\n--- \(error)")
    }
  }
}
