import FoundationEssentials
import LiveStore
import TasksModel

/// A narrator that describes every change of a place's rows in words, regardless of its origin.
///
/// It knows the rows that it has mentioned or that were shown last: the cost is that of the change, not of
/// the number of rows.
final class ChangeNarrator {
  let place: Place
  private var lines: [String] = []
  private var tokens: [NotificationToken] = []

  /// The number of rows beyond which a change is counted instead of naming them.
  private static let mostNamed = 12

  private struct Seen {
    var text: String
    var isCompleted: Bool
  }

  private var seen: [Identifier: Seen] = [:]
  private var isPresent: (Identifier) -> Bool = { _ in false }
  /// Whether a row is in the file, in whatever list.
  private var isThere: (Identifier) -> Bool = { _ in false }

  init?(store: TasksStore, place: Place) {
    self.place = place
    switch place {
    case .lists: observe(store.lists, in: store)
    case .tasks(let id):
      guard let list = store.list(id) else { return nil }
      observe(list.items, in: store)
    case .subtasks(let id):
      guard let task = store.task(id) else { return nil }
      observe(task.subtasks, in: store)
    }
  }

  deinit { for token in tokens { token.invalidate() } }

  /// Takes the lines since the last call.
  func takeLines() -> [String] {
    defer { lines = [] }
    return lines
  }

  private func observe<Element: TasksModel.Row>(_ items: List<Element>, in store: TasksStore) {
    isPresent = { id in
      store.row(id, of: Element.self).flatMap(items.index(of:)) != nil
    }
    isThere = { id in store.row(id, of: Element.self) != nil }
    for row in items.prefix(Self.mostSeen) { seen[row.id] = Seen(text: row.text, isCompleted: row.completed) }
    tokens = [
      items.observe { [weak self] change in
        guard let self else { return }
        switch change {
        case .initial: break
        case .update(let items, let changes): report(changes, items)
        // The app says so, and makes another narrator when the rows can be read.
        case .error: break
        }
      }
    ]
  }

  private static let mostSeen = 1000

  private func report<Element: TasksModel.Row>(_ changes: ChangeSet, _ items: List<Element>) {
    // A moved row is among the deletions and the insertions too.
    reportDeletions(changes.deletions.count - changes.moves.count)
    let places = Set(changes.moves.map(\.to))
    report(changes.insertions.filter { !places.contains($0) }, of: items, counted: "Added") { row, index in
      "Added: \(row.text), \(index + 1) of \(items.count)"
    }
    let movedAndModified = changes.moves.filter(\.isModified).map(\.to)
    report(changes.modificationsInNew + movedAndModified, of: items, counted: "Changed") { row, _ in
      words(for: row)
    }
    let moved = changes.moves.filter { !$0.isModified }.map(\.to)
    report(moved, of: items, counted: "Moved") { row, index in
      "Moved: \(row.text), to \(index + 1) of \(items.count)"
    }
  }

  private func words<Element: TasksModel.Row>(for row: Element) -> String {
    guard let before = seen[row.id] else { return "Changed: \(row.text)" }
    if before.isCompleted != row.completed {
      return "\(row.completed ? "Completed" : "Opened again"): \(row.text)"
    }
    if before.text != row.text { return "Changed: \(before.text), to: \(row.text)" }
    let subtasks = (row as? TaskItem).map { SubtaskSummary(of: $0.subtasks) }
    return "Changed: \(row.text)" + (subtasks.map { $0.count > 0 ? ", \($0.spokenWords)" : "" } ?? "")
  }

  private func report<Element: TasksModel.Row>(
    _ indices: some Collection<Int>, of items: List<Element>, counted verb: String,
    _ words: (Element, Int) -> String
  ) {
    guard indices.count <= Self.mostNamed else {
      lines.append("\(verb) \(indices.count) rows")
      return
    }
    for index in indices {
      let row = items[index]
      lines.append(words(row, index))
      seen[row.id] = Seen(text: row.text, isCompleted: row.completed)
    }
  }

  private func reportDeletions(_ count: Int) {
    guard count > 0 else { return }
    let gone = seen.filter { !isPresent($0.key) }
    for id in gone.keys { seen[id] = nil }
    guard count <= Self.mostNamed else {
      lines.append("\(count) rows are gone")
      return
    }
    let words = gone.map { "\(isThere($0.key) ? "Gone from here" : "Deleted"): \($0.value.text)" }
    lines += words.sorted()
    let rest = count - gone.count
    if rest > 0 { lines.append(rest == 1 ? "A row is gone" : "\(rest) rows are gone") }
  }
}
