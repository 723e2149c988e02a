import LiveStore

/// The changes that people have made in a round, and which of them were said to be in their files; and the
/// check that each of these is there, was replaced by one that did not come before it, or was told as lost.
struct ChaosLedger {
  enum Change: Hashable {
    case made
    case set(cell: String, SQLiteValue)
    /// Deleted, with all that was in it or below it.
    case deleted

    /// The cell that was set.
    var cell: String? { if case .set(let cell, _) = self { cell } else { nil } }
  }

  struct Deed {
    var machine: Int
    var object: String
    var change: Change
    /// Whether it was said to be done.
    var isSaid: Bool
    /// When it was begun, and done at the latest.
    var begin: ContinuousClock.Instant
    var end: ContinuousClock.Instant
  }

  private(set) var deeds: [Deed] = []
  /// Objects of which it is not known what they are: undoing, for one, may do anything to them.
  var unknown: Set<String> = []
  /// Whether a clock was set, so that times cannot be compared.
  var hasSetClock = false
  /// The machines that had no network in all of the round: no one knew of what was done there.
  var apart: Set<Int> = []
  /// The state in which all machines were.
  let base: ChaosContent
  /// The owners that objects come into as soon as these are there again.
  let heldOwners: [String: SQLiteValue]

  init(_ base: ChaosContent, heldOwners: [String: SQLiteValue] = [:]) {
    self.base = base
    self.heldOwners = heldOwners
  }

  mutating func note(
    _ change: Change, of object: String, by machine: Int, isSaid: Bool, since begin: ContinuousClock.Instant
  ) {
    deeds.append(
      Deed(machine: machine, object: object, change: change, isSaid: isSaid, begin: begin, end: .now))
  }

  /// The number of changes that were said to be done.
  var said: Int { deeds.lazy.filter(\.isSaid).count }

  // MARK: Check

  /// - Parameters:
  ///   - final: The state in which all machines are now.
  ///   - told: The objects of which each machine has been told in this round that it has lost something.
  /// - Returns: What was lost, in sentences.
  func losses(in final: ChaosContent, told: [Set<String>]) -> [String] {
    var losses: [String] = []
    let byObject = Dictionary(grouping: deeds.indices, by: { deeds[$0].object })
    for (object, indices) in byObject.sorted(by: { $0.key < $1.key }) where !unknown.contains(object) {
      let own = indices.map { (index: $0, deed: deeds[$0]) }
      if let values = final.objects[object] {
        if own.contains(where: { $0.deed.change == .deleted && $0.deed.isSaid }) {
          losses.append("\(object) was deleted and is there")
        }
        losses += valueLosses(of: object, own.map(\.deed), values, told, final)
        if final.places[object] != 1, base.places[object] ?? 1 == 1 {
          losses += placeLosses(of: object, own, told)
        }
      } else {
        losses += deletionLosses(of: object, own, told)
      }
    }
    losses += nestedTasks(in: final)
    for (object, count) in final.places where count > 1 { losses.append("\(object) is in \(count) places") }
    for object in base.objects.keys where final.objects[object] == nil && byObject[object] == nil {
      if !isPerhapsUndone(object), deletions(of: object).isEmpty {
        losses.append("\(object) is gone, and nobody has deleted it or any of \(owners(of: object))")
      }
    }
    return losses
  }

  /// The values of a task that is made, apart from its text: a change that was not said to be done need not
  /// have replaced them.
  private static let initialValues: [String: SQLiteValue] = [
    "completed": .integer(0), "notes": .text(""), "priority": .text(""),
  ]

  /// A value that is there must be the last of a machine, or one that was perhaps written after that.
  private func valueLosses(
    of object: String, _ deeds: [Deed], _ values: [String: SQLiteValue], _ told: [Set<String>],
    _ final: ChaosContent
  ) -> [String] {
    var losses: [String] = []
    var written: [String: [(deed: Deed, value: SQLiteValue)]] = [:]
    for deed in deeds {
      if case .set(let cell, let value) = deed.change { written[cell, default: []].append((deed, value)) }
    }
    for (cell, all) in written {
      guard let present = values[cell] else { continue }
      var possible: [(deed: Deed, value: SQLiteValue)] = []
      for machine in Set(all.map(\.deed.machine)) {
        let own = all.filter { $0.deed.machine == machine }
        possible += own[(own.lastIndex { $0.deed.isSaid } ?? 0)...]
      }
      let isSaid = all.contains { $0.deed.isSaid }
      let winners = possible.filter { $0.value == present }
      let former = base.objects[object].map { $0[cell] } ?? Self.initialValues[cell]
      let wanted = possible.map(\.value)
      if cell == "@place", winners.isEmpty,
        isRaised(to: present, from: wanted) || isSaved(in: present, from: wanted, final),
        possible.contains(where: { !$0.deed.isSaid || told[$0.deed.machine].contains(object) })
      {
        continue
      }
      if winners.isEmpty, isSaid || present != former {
        let gone = wanted.filter { if case .text(let id) = $0 { final.objects[id] == nil } else { false } }
        losses.append(
          "\(object) has \(present) as \(cell), not one of \(wanted), of which \(gone) are gone; "
            + "told: \(told.indices.filter { told[$0].contains(object) }), changed: \(deeds)")
      } else if !hasSetClock, isSaid, let latest = winners.map(\.deed.end).max(),
        let later = all.first(where: { later in
          // To write the value that is in the machine's file already is no change.
          let isNew = later.value != former && all.count { $0.value == later.value } == 1
          return isNew && later.deed.isSaid && later.deed.begin > latest + Self.tolerance
        })
      {
        losses.append(
          "\(object) has \(present) as \(cell), although machine \(later.deed.machine) has made it "
            + "\(later.value) \(later.deed.begin - latest) later")
      }
    }
    return losses
  }

  /// Tasks that no list shows: they are below a subtask.
  private func nestedTasks(in final: ChaosContent) -> [String] {
    /// The task that a task is below.
    func owner(of task: String) -> String? {
      guard case .text(let owner)? = final.objects[task]?["@place"], final.objects[owner]?["notes"] != nil
      else { return nil }
      return owner
    }
    return final.objects.keys.compactMap { task in
      owner(of: task).flatMap(owner).map { "\(task) is below a subtask of \($0)" }
    }
  }

  /// Whether a task that was put below another is below one that the other has been below: another
  /// machine has put the other there.
  private func isRaised(to owner: SQLiteValue, from wanted: [SQLiteValue]) -> Bool {
    guard case .text(let owner) = owner else { return false }
    return wanted.contains {
      if case .text(let wanted) = $0 { owners(of: wanted).contains(owner) } else { false }
    }
  }

  /// Whether a task is in a list that is there, and was put into one, or below a task, that is not, or that
  /// was deleted and is there again.
  private func isSaved(in owner: SQLiteValue, from wanted: [SQLiteValue], _ final: ChaosContent) -> Bool {
    guard case .text(let owner) = owner, let list = final.objects[owner], list["notes"] == nil else {
      return false
    }
    return wanted.contains {
      guard case .text(let wanted) = $0 else { return false }
      return final.objects[wanted] == nil || !deletions(of: wanted).isEmpty
    }
  }

  /// An object in no list was put into one that was deleted, and the person was told.
  private func placeLosses(
    of object: String, _ own: [(index: Int, deed: Deed)], _ told: [Set<String>]
  ) -> [String] {
    let placing = own.filter { if case .set("@place", _) = $0.deed.change { true } else { false } }
    var owners = placing.compactMap { deed in
      if case .set(_, .text(let owner)) = deed.deed.change { owner } else { nil }
    }
    if case .text(let owner)? = base.objects[object]?["@place"] { owners.append(owner) }
    // Undoing may delete a list or a task, too.
    guard owners.contains(where: { isPerhapsUndone($0) || !deletions(of: $0).isEmpty }) else {
      return ["\(object) is in no list, and none of \(owners) was deleted; \(own.map(\.deed))"]
    }
    let isTold = placing.contains { told[$0.deed.machine].contains(object) }
    return isTold || !placing.contains { $0.deed.isSaid }
      ? []
      : [
        "\(object) is in no list any more, and nobody was told; \(own.map(\.deed)); "
          + "its owners \(owners.map { ($0, deletions(of: $0).map(\.deed), isPerhapsUndone($0)) }), "
          + "it was in \(base.objects[object]?["@place"] ?? .null)"
      ]
  }

  private func deletionLosses(
    of object: String, _ own: [(index: Int, deed: Deed)], _ told: [Set<String>]
  ) -> [String] {
    let deletions = deletions(of: object)
    guard !deletions.isEmpty else {
      return own.contains { $0.deed.isSaid } && !isPerhapsUndone(object)
        ? ["\(object) is gone, and nobody has deleted it: \(own.map(\.deed)), in \(owners(of: object))"] : []
    }
    return own.filter { $0.deed.isSaid && isNew($0.deed.change) }.compactMap { deed in
      // Who has changed the same later is told instead.
      let isTold = own.contains {
        told[$0.deed.machine].contains(object) && $0.deed.change.cell == deed.deed.change.cell
      }
      return isTold || isKnown(deed, to: deletions)
        ? nil : "\(object) was deleted, and machine \(deed.deed.machine) was not told: \(deed.deed.change)"
    }
  }

  /// Whether something was certainly changed: other values may have been the same before.
  private func isNew(_ change: Change) -> Bool { ["text", "notes"].contains(change.cell) }

  /// Whether one of some deletions was made with knowledge of something, or after it.
  private func isKnown(
    _ deed: (index: Int, deed: Deed), to deletions: [(index: Int, deed: Deed)]
  ) -> Bool {
    deletions.contains {
      if $0.deed.machine == deed.deed.machine { return $0.index > deed.index }
      if apart.contains(deed.deed.machine) || apart.contains($0.deed.machine) { return false }
      return hasSetClock || $0.deed.end + Self.tolerance > deed.deed.begin
    }
  }

  /// The deletions of an object, or of one that it has been in.
  private func deletions(of object: String) -> [(index: Int, deed: Deed)] {
    let owners = owners(of: object)
    return deeds.indices.filter { deeds[$0].change == .deleted && owners.contains(deeds[$0].object) }
      .map { ($0, deeds[$0]) }
  }

  /// Whether undoing may have deleted an object, or one that it has been in.
  private func isPerhapsUndone(_ object: String) -> Bool { !owners(of: object).isDisjoint(with: unknown) }

  /// An object, and those that it has or may have been in.
  private func owners(of object: String) -> Set<String> {
    var owners: Set<String> = [object]
    var found: [String] = [object]
    while let next = found.popLast() {
      var places = [base.objects[next]?["@place"], heldOwners[next]]
      for deed in deeds where deed.object == next {
        if case .set("@place", let value) = deed.change { places.append(value) }
      }
      for case .text(let owner)? in places where owners.insert(owner).inserted { found.append(owner) }
    }
    return owners
  }

  /// The time by which the clocks of two machines may differ: the server's is measured over a slow network.
  private static let tolerance = Duration.milliseconds(500)
}
