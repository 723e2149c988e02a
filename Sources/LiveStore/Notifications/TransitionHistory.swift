/// A step of the instance from one version to the next, kept while an observer has yet to be notified of it.
struct Transition {
  /// The version that it led to.
  var version: Int64
  private var rows: Rows
  /// Whether `rows` contains all the rows that changed. A step without a snapshot of the former version knows
  /// only some.
  private(set) var isWhole = true

  private enum Rows {
    /// The differences as calculated, which are rarely examined again.
    case changes(VersionDifference)
    case images([RowIdentity: RowImage?])
  }

  init(version: Int64, before: [RowIdentity: RowImage?], isWhole: Bool = true) {
    self.version = version
    self.isWhole = isWhole
    rows = .images(before)
  }

  init(version: Int64, _ changes: VersionDifference) {
    self.version = version
    rows = .changes(changes)
  }

  /// The number of changed rows.
  var count: Int {
    switch rows {
    case .changes(let changes): changes.count
    case .images(let images): images.count
    }
  }

  /// The former images of the rows that changed; `nil` for those that did not exist.
  var before: [RowIdentity: RowImage?] {
    switch rows {
    case .changes(let changes): changes.before
    case .images(let images): images
    }
  }

  /// Merges the step after it into this one.
  mutating func append(_ later: Transition) {
    // Moved out of the enumeration meanwhile: otherwise adding the first image would copy all of them.
    var images = before
    rows = .images([:])
    // The first step has the image from before both.
    images.merge(later.before) { first, _ in first }
    rows = .images(images)
    version = later.version
    isWhole = isWhole && later.isWhole
  }

  /// Removes the former images of rows.
  mutating func remove(_ forgotten: [RowIdentity]) {
    var images = before
    rows = .images([:])
    for row in forgotten { images[row] = nil }
    rows = .images(images)
  }
}

extension VersionDifference {
  /// The images of the rows in the old version; `nil` for those that did not exist.
  fileprivate var before: [RowIdentity: RowImage?] {
    var before: [RowIdentity: RowImage?] = [:]
    before.reserveCapacity(count)
    forEachTable { table, changes in
      for (key, change) in changes {
        before[RowIdentity(table: table, key: key)] = .some(change.old?.image)
      }
    }
    return before
  }
}

/// The steps by which an instance got to the version that it shows, as far back as its observers need them.
///
/// Steps between which no observer has its base are merged. So there are never more steps than different
/// bases, and each holds at most one image of a row. An observer that does not ask for a long time costs at
/// most the images of the rows that its base had and that have changed since, and the keys of those that were
/// added.
struct TransitionHistory {
  private(set) var transitions: [Transition] = []
  /// The number of images that the last step may have before it is purged.
  private var purgeLimit = TransitionHistory.leastPurgeLimit

  private static let leastPurgeLimit = 16_384

  var isEmpty: Bool { transitions.isEmpty }

  /// The version that the last step led to.
  var newest: Int64? { transitions.last?.version }

  mutating func append(_ transition: Transition) {
    transitions.append(transition)
  }

  /// Removes the steps that no base needs, and merges those between two bases.
  ///
  /// - Complexity: O(b log b + k) for b bases and k rows of the steps since the last call.
  mutating func trim(bases: some Sequence<Int64>) {
    guard !transitions.isEmpty else { return }
    let bases = Set(bases).sorted()
    guard let oldest = bases.first else {
      transitions = []
      return
    }
    transitions.removeAll { $0.version <= oldest }
    guard transitions.count > 1 else { return }
    var next = bases[...]
    var last = 0
    for index in 1..<transitions.count {
      let version = transitions[index].version
      while let base = next.first, base < transitions[last].version { next.removeFirst() }
      if let base = next.first, base < version {
        last += 1
        transitions.swapAt(last, index)
      } else {
        let later = transitions[index]
        transitions[last].append(later)
      }
    }
    transitions.removeSubrange((last + 1)...)
  }

  /// The images that the rows changed after a version had then.
  func before(since base: Int64) -> [RowIdentity: RowImage?] {
    var before: [RowIdentity: RowImage?] = [:]
    for transition in transitions where transition.version > base {
      if before.isEmpty {
        before = transition.before
      } else {
        before.merge(transition.before) { first, _ in first }
      }
    }
    return before
  }

  /// Whether ``before(since:)`` contains all the rows that changed.
  func isWhole(since base: Int64) -> Bool {
    transitions.allSatisfy { $0.version <= base || $0.isWhole }
  }

  func hasSteps(after base: Int64) -> Bool {
    newest.map { $0 > base } ?? false
  }

  /// Removes images that equal the present rows, once there are many: above all those of rows that were added
  /// and deleted again, which would accumulate without end.
  ///
  /// - Parameter current: Returns the row at the version that the last step led to.
  /// - Complexity: O(1) amortised, in lookups, for a row of a step.
  mutating func purge(current: (RowIdentity) throws(StoreError) -> RowImage?) throws(StoreError) {
    guard let last = transitions.indices.last, transitions[last].count > purgeLimit else { return }
    var same: [RowIdentity] = []
    for (row, before) in transitions[last].before where try current(row) == before { same.append(row) }
    transitions[last].remove(same)
    purgeLimit = max(TransitionHistory.leastPurgeLimit, transitions[last].count * 2)
  }
}
