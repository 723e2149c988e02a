import FoundationEssentials
import LiveStore
import TasksModel

/// A live search through a collection of tasks.
final class TaskSearch {
  /// The collection that is searched: its order is read in the background before the search begins.
  enum Source {
    case list(List<TaskItem>)
    case all(Results<TaskItem>)

    var textScan: TextScan {
      switch self {
      case .list(let items): items.textScan(of: \.text)
      case .all(let items): items.textScan(of: \.text)
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
  /// The number of rows at the last change; nil until the order was read and changes are reported.
  private var count: Int? { didSet { owners = findOwners() } }
  /// The tasks of a list with subtasks at the last change, and perhaps some of other lists; nil if each task
  /// has to be asked.
  private var owners: Set<Identifier>?
  /// A closure that is called with the changes of the matches; `isForeign` if the rows changed.
  var onChange: ((_ changes: ChangeSet, _ isForeign: Bool) -> Void)?
  var onError: ((StoreError) -> Void)?

  /// The inbox of search threads; nil to do without.
  private let inbox: SearchInbox?
  /// The search on other threads, while it is in progress.
  private var scan: TextScan.Run?
  private var scanNumber = 0

  /// The number of rows from which on other threads search the file.
  private static let fewestScanned = 4096
  /// The number of matches to find here meanwhile: more than any screen shows.
  private static let mostMeanwhile = 100
  /// The number of tasks with subtasks that are found at each change, while a key waits.
  private static let mostOwners = 1000
  /// The number of matches that are examined again for a narrower pattern, while a key waits.
  private static let mostNarrowed = 1000

  init(_ source: Source, inbox: SearchInbox? = nil) {
    self.source = source
    self.inbox = inbox
    token =
      switch source {
      case .list(let items): items.observe { [weak self] in self?.receive($0) }
      case .all(let items): items.observe { [weak self] in self?.receive($0) }
      }
  }

  deinit {
    scan?.cancel()
    token?.invalidate()
  }

  /// The matching rows, in the order of the collection.
  subscript(place: Int) -> TaskItem { source[matches.indices[place]] }

  /// Whether there are rows that have not been examined.
  var isSearching: Bool { !pattern.isEmpty && matches.scanned < (count ?? 1) }
  /// Whether there is work to do at once; not while the order is being read.
  var hasWork: Bool {
    count != nil && isSearching && (scan == nil || matches.indices.count < Self.mostMeanwhile)
  }
  /// The part of the rows that has been examined, 0 … 1.
  var progress: Double { count.map { $0 == 0 ? 1 : Double(matches.scanned) / Double($0) } ?? 0 }

  /// Whether a task matches by its text; in a list also by that of a subtask, which is no row of its own.
  private func isMatch(_ task: TaskItem) -> Bool {
    pattern.matches(task.text) || matchingSubtask(of: task) != nil
  }

  /// The subtask that makes a task of a list match; nil if its own text does.
  func matchingSubtask(of task: TaskItem) -> TaskItem? {
    guard case .list = source, !pattern.isEmpty, owners?.contains(task.id) != false,
      !pattern.matches(task.text)
    else { return nil }
    return task.subtasks.first { pattern.matches($0.text) }
  }

  private func findOwners() -> Set<Identifier>? {
    guard case .list(let items) = source else { return nil }
    return items.idsOfTasksWithSubtasks(atMost: Self.mostOwners)
  }

  /// Adds the tasks of a list that match by a subtask to those that match by their text.
  ///
  /// Complexity: O(k log n) for k tasks with subtasks; O(n) for more than ``mostOwners``.
  private func withSubtasks(_ indices: [Int]) -> [Int] {
    guard case .list(let items) = source else { return indices }
    let candidates =
      owners?.compactMap { items.store?.object(ofType: TaskItem.self, forPrimaryKey: $0) }
      ?? (try? items.filter(#Predicate { !$0.subtasks.isEmpty })).map(Array.init) ?? []
    let more = candidates.filter { matchingSubtask(of: $0) != nil }.compactMap { items.index(of: $0) }
    return more.isEmpty ? indices : (indices + more).sorted()
  }

  private func receive(_ change: CollectionChange<some RandomAccessCollection>) {
    switch change {
    case .initial(let items):
      count = items.count
      startScan()
      report(ChangeSet(), isForeign: true)
    case .update(let items, let changes): follow(changes, items.count)
    case .error(let error): onError?(error)
    }
  }

  private func follow(_ changes: ChangeSet, _ newCount: Int) {
    guard let count else { return }
    self.count = newCount
    guard !pattern.isEmpty else { return }
    // Its indices would be those of rows that have moved since.
    if scan != nil { startScan() }
    report(matches.apply(changes, count: count) { isMatch(source[$0]) }, isForeign: true)
  }

  /// Searches for another pattern. Matches are kept if the new pattern is a narrower one.
  ///
  /// Complexity: O(matches) then, otherwise O(1).
  func search(for pattern: SearchPattern) {
    guard pattern != self.pattern else { return }
    let old = matches.indices.count
    let isNarrower =
      pattern.narrows(self.pattern) && !isSearching && (inbox == nil || old <= Self.mostNarrowed)
    self.pattern = pattern
    if isNarrower {
      matches.narrow { isMatch(source[$0]) }
    } else {
      matches = SearchMatches()
      startScan()
    }
    report(
      ChangeSet(deletions: Array(0..<old), insertions: Array(matches.indices.indices)), isForeign: false)
  }

  /// Continues the search until `isOver` returns true, which is called every few rows.
  func work(until isOver: () -> Bool) {
    guard let count, !pattern.isEmpty else { return }
    let first = matches.indices.count
    while matches.scanned < count {
      _ = matches.scanNext { isMatch(source[$0]) }
      if matches.scanned % 64 == 0, isOver() { break }
    }
    report(ChangeSet(insertions: Array(first..<matches.indices.count)), isForeign: false)
  }

  /// Starts a search of all rows on other threads, which replaces the present one.
  private func startScan() {
    scan?.cancel()
    scan = nil
    guard let inbox, let count, count >= Self.fewestScanned, !pattern.isEmpty else { return }
    scanNumber = inbox.makeNumber()
    scan = source.textScan.start(
      matching: { [pattern] in pattern.matches($0) },
      completion: { [scanNumber] in inbox.post(SearchFinding(number: scanNumber, indices: $0)) })
  }

  /// Takes over the results of other threads.
  func take(_ finding: SearchFinding) {
    guard scan != nil, finding.number == scanNumber, let count else { return }
    scan = nil
    switch finding.indices {
    case .failure(let error): onError?(error)
    case .success(let found):
      let indices = withSubtasks(found)
      let known = matches.indices
      matches = SearchMatches(indices: indices, of: count)
      // The known matches are usually the first ones.
      let kept = indices.starts(with: known) ? known.count : 0
      report(
        ChangeSet(deletions: Array(kept..<known.count), insertions: Array(kept..<indices.count)),
        isForeign: false)
    }
  }

  private func report(_ changes: ChangeSet, isForeign: Bool) { onChange?(changes, isForeign) }
}
