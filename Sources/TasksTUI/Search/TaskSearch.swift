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
  /// The order is there, and changes are being reported; how many rows there were when they were last.
  private var count: Int?
  /// Called with what happened to the matches, when something did; `isForeign` when the rows changed.
  var onChange: ((_ changes: RowChanges, _ isForeign: Bool) -> Void)?
  var onError: ((StoreError) -> Void)?

  /// Where threads leave what they find; nil to do without.
  private let inbox: SearchInbox?
  /// The search that goes on on other threads.
  private var scan: TextScan.Run?
  private var scanNumber = 0

  /// From so many rows on, other threads look through the file.
  private static let fewestScanned = 4096
  /// Matches that are looked for here meanwhile: past any screen.
  private static let mostMeanwhile = 100
  /// Matches that are looked at again for a narrower pattern, while a key waits.
  private static let mostNarrowed = 1000

  init(_ source: Source, inbox: SearchInbox? = nil) {
    self.source = source
    self.inbox = inbox
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

  deinit {
    scan?.cancel()
    token?.invalidate()
  }

  /// The matching rows, in the order of the collection.
  subscript(place: Int) -> TaskItem { source[matches.indices[place]] }

  /// There are rows that have not been looked at.
  var isSearching: Bool { !pattern.isEmpty && matches.scanned < (count ?? 1) }
  /// Something is left to do at once; while the order is being read there is not.
  var hasWork: Bool {
    count != nil && isSearching && (scan == nil || matches.indices.count < Self.mostMeanwhile)
  }
  /// How much of the rows has been looked at, 0 … 1.
  var progress: Double { count.map { $0 == 0 ? 1 : Double(matches.scanned) / Double($0) } ?? 0 }

  private func begin(_ count: Int) {
    self.count = count
    startScan()
    report(RowChanges(), isForeign: true)
  }

  private func follow(_ changes: RowChanges, _ newCount: Int) {
    guard let count else { return }
    self.count = newCount
    guard !pattern.isEmpty else { return }
    // Its indices would be those of rows that have moved since.
    if scan != nil { startScan() }
    report(matches.apply(changes, count: count) { pattern.matches(source[$0].text) }, isForeign: true)
  }

  /// Searches for something else. What was found stays where the new pattern is a narrower one.
  ///
  /// Complexity: O(matches) then, else O(1).
  func search(for pattern: SearchPattern) {
    guard pattern != self.pattern else { return }
    let old = matches.indices.count
    let isNarrower =
      pattern.narrows(self.pattern) && !isSearching && (inbox == nil || old <= Self.mostNarrowed)
    self.pattern = pattern
    if isNarrower {
      matches.narrow { pattern.matches(source[$0].text) }
    } else {
      matches = SearchMatches()
      startScan()
    }
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

  /// Has other threads look through all rows, in place of those that may be at it.
  private func startScan() {
    scan?.cancel()
    scan = nil
    guard let inbox, let count, count >= Self.fewestScanned, !pattern.isEmpty else { return }
    scanNumber = inbox.makeNumber()
    scan = source.textScan.start(
      matching: { [pattern] in pattern.matches($0) },
      completion: { [scanNumber] in inbox.post(SearchInbox.Finding(number: scanNumber, indices: $0)) })
  }

  /// Takes over what other threads have found.
  func take(_ finding: SearchInbox.Finding) {
    guard scan != nil, finding.number == scanNumber, let count else { return }
    scan = nil
    switch finding.indices {
    case .failure(let error): onError?(error)
    case .success(let indices):
      let known = matches.indices
      matches = SearchMatches(indices: indices, of: count)
      // As a rule it is the beginning.
      let kept = indices.starts(with: known) ? known.count : 0
      report(
        RowChanges(deletions: Array(kept..<known.count), insertions: Array(kept..<indices.count)),
        isForeign: false)
    }
  }

  private func report(_ changes: RowChanges, isForeign: Bool) { onChange?(changes, isForeign) }
}
