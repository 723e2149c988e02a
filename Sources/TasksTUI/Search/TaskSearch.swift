import LiveStore
import TasksModel

/// A live search through a collection of tasks.
final class TaskSearch {
  /// What is looked through: the order, read in the background before the search begins.
  enum Source {
    case list(List<TaskItem>)
    case all(Results<TaskItem>)

    var count: Int {
      switch self {
      case .list(let items): items.count
      case .all(let items): items.count
      }
    }

    subscript(index: Int) -> TaskItem {
      switch self {
      case .list(let items): items[index]
      case .all(let items): items[index]
      }
    }
  }

  private let source: Source
  private var token: NotificationToken?
  private(set) var pattern = SearchPattern("")
  private(set) var matches = SearchMatches()
  /// The order is there, and changes are being reported; how many rows there were when they were last.
  private var count: Int?
  /// Called with what happened to the matches, when something did; `isForeign` when the rows changed.
  var onChange: ((_ changes: RowChanges, _ isForeign: Bool) -> Void)?
  var onError: ((StoreError) -> Void)?

  init(_ source: Source) {
    self.source = source
    switch source {
    case .list(let items):
      token = items.observe { [weak self] in
        switch $0 {
        case .initial(let items): self?.begin(items.count)
        case .update(let items, let changes): self?.follow(RowChanges(changes), items.count)
        case .error(let error): self?.onError?(error)
        }
      }
    case .all(let items):
      token = items.observe { [weak self] in
        switch $0 {
        case .initial(let items): self?.begin(items.count)
        case .update(let items, let changes): self?.follow(RowChanges(changes), items.count)
        case .error(let error): self?.onError?(error)
        }
      }
    }
  }

  deinit { token?.invalidate() }

  /// The matching rows, in the order of the collection.
  subscript(place: Int) -> TaskItem { source[matches.indices[place]] }

  /// There are rows that have not been looked at.
  var isSearching: Bool { !pattern.isEmpty && matches.scanned < (count ?? 1) }
  /// Something is left to do at once; while the order is being read there is not.
  var hasWork: Bool { count != nil && isSearching }
  /// How much of the rows has been looked at, 0 … 1.
  var progress: Double { count.map { $0 == 0 ? 1 : Double(matches.scanned) / Double($0) } ?? 0 }

  private func begin(_ count: Int) {
    self.count = count
    report(RowChanges(), isForeign: true)
  }

  private func follow(_ changes: RowChanges, _ newCount: Int) {
    guard let count else { return }
    self.count = newCount
    guard !pattern.isEmpty else { return }
    report(matches.apply(changes, count: count) { pattern.matches(source[$0].text) }, isForeign: true)
  }

  /// Searches for something else. What was found stays where the new pattern is a narrower one.
  ///
  /// Complexity: O(matches) then, else O(1).
  func search(for pattern: SearchPattern) {
    guard pattern != self.pattern else { return }
    let old = matches.indices.count
    let isNarrower = pattern.narrows(self.pattern) && !isSearching
    self.pattern = pattern
    if isNarrower { matches.narrow { pattern.matches(source[$0].text) } } else { matches = SearchMatches() }
    report(
      RowChanges(deletions: Array(0..<old), insertions: Array(matches.indices.indices)), isForeign: false)
  }

  /// Goes on searching until `isOver` says so, which is asked every few rows.
  func work(until isOver: () -> Bool) {
    guard let count, !pattern.isEmpty else { return }
    let first = matches.indices.count
    while matches.scanned < count {
      _ = matches.scanNext { pattern.matches(source[$0].text) }
      if matches.scanned % 64 == 0, isOver() { break }
    }
    report(RowChanges(insertions: Array(first..<matches.indices.count)), isForeign: false)
  }

  private func report(_ changes: RowChanges, isForeign: Bool) { onChange?(changes, isForeign) }
}
