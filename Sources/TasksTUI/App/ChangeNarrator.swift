import LiveStore
import TasksModel

/// A narrator that describes every change of the rows shown in words, regardless of its origin.
///
/// It knows the rows that it has mentioned or that were shown last: the cost is that of the change, not of
/// the number of rows.
final class ChangeNarrator {
  private let place: Place
  /// The tasks of any lists that are shown instead of the rows of the place.
  private let collected: Results<TaskItem>?
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
  /// Returns a row that is in the file, in whatever list.
  private var row: (Identifier) -> (any TasksModel.Row)? = { _ in nil }

  init?(store: TasksStore, place: Place, collected: Results<TaskItem>?) {
    self.place = place
    self.collected = collected
    if let collected {
      observe(AnyLiveCollection(collected), in: store)
      return
    }
    switch place {
    case .lists: observe(AnyLiveCollection(store.lists), in: store)
    case .tasks(let id):
      guard let list = store.list(id) else { return nil }
      observe(AnyLiveCollection(list.items), in: store)
    case .subtasks(let id):
      guard let task = store.task(id) else { return nil }
      observe(AnyLiveCollection(task.subtasks), in: store)
    }
  }

  /// Whether it describes the changes of these rows.
  func isOf(_ place: Place, _ collected: Results<TaskItem>?) -> Bool {
    self.place == place && self.collected === collected
  }

  deinit { for token in tokens { token.invalidate() } }

  /// Takes the lines since the last call.
  func takeLines() -> [String] {
    defer { lines = [] }
    return lines
  }

  private func observe<Element: TasksModel.Row>(_ items: AnyLiveCollection<Element>, in store: TasksStore) {
    isPresent = { id in
      store.row(id, of: Element.self).flatMap(items.index(of:)) != nil
    }
    row = { id in store.row(id, of: Element.self) }
    for row in items.prefix(Self.mostSeen) { seen[row.id] = Seen(text: row.text, isCompleted: row.completed) }
    tokens = [
      items.observe { [weak self] change in
        // After an error, the app makes another narrator when the rows can be read.
        if case .update(let items, let changes) = change { self?.report(changes, items) }
      }
    ]
  }

  private static let mostSeen = 1000

  private func report<Element: TasksModel.Row>(_ changes: ChangeSet, _ items: AnyLiveCollection<Element>) {
    // A moved row is among the deletions and the insertions too.
    reportDeletions(changes.deletions.count - changes.moves.count)
    let places = Set(changes.moves.map(\.to))
    report(changes.insertions.filter { !places.contains($0) }, of: items, counted: "Added") { row, index in
      "Added: \(row.text), \((index + 1).grouped) of \(items.count.grouped)"
    }
    let movedAndModified = changes.moves.filter(\.isModified).map(\.to)
    report(changes.modificationsInNew + movedAndModified, of: items, counted: "Changed") { row, _ in
      words(for: row)
    }
    let moved = changes.moves.filter { !$0.isModified }.map(\.to)
    report(moved, of: items, counted: "Moved") { row, index in
      "Moved: \(row.text), to \((index + 1).grouped) of \(items.count.grouped)"
    }
  }

  private func words<Element: TasksModel.Row>(for row: Element) -> String {
    guard let before = seen[row.id] else { return "Changed: \(row.text)" }
    if before.isCompleted != row.completed { return toggled(row) }
    if before.text != row.text { return "Changed: \(before.text), to: \(row.text)" }
    let subtasks = (row as? TaskItem).map { SubtaskSummary(of: $0.subtasks) }
    return "Changed: \(row.text)" + (subtasks.map { $0.count > 0 ? ", \($0.spokenWords)" : "" } ?? "")
  }

  private func toggled(_ row: any TasksModel.Row) -> String {
    "\(row.completed ? "Completed" : "Opened again"): \(row.text)"
  }

  /// A row that is gone; it may have been completed among rows that are all open.
  private func words(forGone id: Identifier, seenAs seen: Seen) -> String {
    guard let row = row(id) else { return "Deleted: \(seen.text)" }
    return row.completed == seen.isCompleted ? "Gone from here: \(seen.text)" : toggled(row)
  }

  private func report<Element: TasksModel.Row>(
    _ indices: some Collection<Int>, of items: AnyLiveCollection<Element>, counted verb: String,
    _ words: (Element, Int) -> String
  ) {
    guard indices.count <= Self.mostNamed else {
      return lines.append("\(verb) \(indices.count.grouped) rows")
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
    guard count <= Self.mostNamed else { return lines.append("\(count.grouped) rows are gone") }
    lines += gone.map(words(forGone:seenAs:)).sorted()
    let rest = count - gone.count
    if rest > 0 { lines.append(rest == 1 ? "A row is gone" : "\(rest) rows are gone") }
  }
}
