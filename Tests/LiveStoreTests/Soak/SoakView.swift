import LiveStoreFixtures
import Testing

@testable import LiveStore

/// One callback, and what it knows: how its collection was when it was last called.
class SoakFollower {
  let name: String
  let copy: () -> SoakCopy
  var token: NotificationToken?
  private(set) var calls = 0
  /// Called at the end of each call.
  var onCall: () -> Void = {}

  init(_ name: String, copy: @escaping () -> SoakCopy) {
    self.name = name
    self.copy = copy
  }

  deinit { token?.invalidate() }

  /// Takes over what is there, after a write that the view made itself.
  func show() {}

  /// Whether it knows what is there.
  func check(_ when: String) {}

  final func didCall() {
    calls += 1
    onCall()
  }
}

/// The callback of a collection: in sections, or all in one.
final class SoakView: SoakFollower {
  private let rows: (SoakCopy) -> [[SoakRow]]
  private(set) var known: [[SoakRow]] = []

  init(_ name: String, copy: @escaping () -> SoakCopy, rows: @escaping (SoakCopy) -> [[SoakRow]]) {
    self.rows = rows
    super.init(name, copy: copy)
  }

  override func show() {
    known = rows(copy())
  }

  override func check(_ when: String) {
    let expected = rows(copy())
    expectInLoop(calls == 0 || known == expected, "\(name) knows \(known) and not \(expected), \(when)")
  }

  func receive<Collection>(_ change: CollectionChange<Collection>) {
    switch change {
    case .initial: show()
    case .update(_, let changes):
      let new = rows(copy())
      compare(changes, known[0], new[0])
      known = new
    case .error(let error): Issue.record(error)
    }
    didCall()
  }

  func receive<Collection>(_ change: SectionedResultsChange<Collection>) {
    switch change {
    case .initial: show()
    case .update(_, let changes):
      let new = rows(copy())
      compare(changes, known, new)
      known = new
    case .error(let error): Issue.record(error)
    }
    didCall()
  }

  /// L1 to L6: the change set is the difference of the two states.
  private func compare(_ changes: ChangeSet, _ old: [SoakRow], _ new: [SoakRow]) {
    let difference = "\(name): \(changes) from \(old) to \(new)"
    expectInLoop(!changes.isEmpty, difference)
    expectInLoop(changes.apply(to: old, from: new) == new, difference)
    let newContents = Dictionary(uniqueKeysWithValues: new.map { ($0.key, $0.content) })
    let oldKeys = Set(old.map(\.key))
    let (movedFrom, movedTo) = (Set(changes.moves.map(\.from)), Set(changes.moves.map(\.to)))
    for move in changes.moves {
      expectInLoop(old[move.from].key == new[move.to].key, difference)
      expectInLoop(move.isModified == (old[move.from].content != new[move.to].content), difference)
    }
    expectInLoop(
      movedFrom.isSubset(of: changes.deletions) && movedTo.isSubset(of: changes.insertions), difference)
    let gone = old.indices.filter { newContents[old[$0].key] == nil }
    expectInLoop(changes.deletions.filter { !movedFrom.contains($0) } == gone, difference)
    let come = new.indices.filter { !oldKeys.contains(new[$0].key) }
    expectInLoop(changes.insertions.filter { !movedTo.contains($0) } == come, difference)
    let modified = old.indices.filter { index in
      !movedFrom.contains(index) && newContents[old[index].key].map { $0 != old[index].content } ?? false
    }
    expectInLoop(changes.modifications == modified, difference)
    expectInLoop(changes.modificationsInNew.map { new[$0].key } == modified.map { old[$0].key }, difference)
  }

  private func compare(_ changes: SectionedChangeSet, _ old: [[SoakRow]], _ new: [[SoakRow]]) {
    let difference = "\(name): \(changes) from \(old) to \(new)"
    expectInLoop(!changes.isEmpty, difference)
    expectInLoop(changes.apply(to: old, from: new) == new, difference)
    let newContents = Dictionary(uniqueKeysWithValues: new.joined().map { ($0.key, $0.content) })
    let left = Set(changes.deletions).union(changes.moves.map(\.from))
    var modified: [SectionedChangeSet.IndexPath] = []
    for (section, rows) in old.enumerated() where !changes.sectionsToDelete.contains(section) {
      for (row, known) in rows.enumerated() {
        let path = SectionedChangeSet.IndexPath(section: section, row: row)
        guard !left.contains(path), let content = newContents[known.key] else { continue }
        if content != known.content { modified.append(path) }
      }
    }
    expectInLoop(changes.modifications == modified, difference)
    for (path, newPath) in zip(changes.modifications, changes.modificationsInNew) {
      expectInLoop(old[path.section][path.row].key == new[newPath.section][newPath.row].key, difference)
    }
  }
}

/// The callback of one member.
final class SoakObjectView: SoakFollower {
  private let store: Store
  private let id: Int
  private var known: [String: String]?

  init(_ store: Store, _ id: Int, copy: @escaping () -> SoakCopy) {
    self.store = store
    self.id = id
    super.init("member \(id)", copy: copy)
  }

  private var current: [String: String]? {
    let copy = copy()
    return copy.members[id].map { member in
      [
        "name": member.name, "rank": "\(member.rank)", "leader": member.leader.map { "\($0)" } ?? "none",
        "pieces": "\((copy.lists[id] ?? []).map { "\($0.entry) \($0.target)" })",
      ]
    }
  }

  /// Observes the member if it is there and is not observed.
  func observe() {
    guard token.map({ !$0.subscription.isLive }) ?? true, !store.isInWriteTransaction,
      let member = store.object(ofType: Member.self, forPrimaryKey: id)
    else { return }
    known = current
    token = member.observe { [unowned self] change in receive(change) }
  }

  override func show() {
    known = current
  }

  override func check(_ when: String) {
    guard let token, token.subscription.isLive else { return }
    expectInLoop(known == current, "\(name) knows \(known ?? [:]), \(when)")
  }

  private func receive(_ change: ObjectChange<Member>) {
    let now = current
    switch change {
    case .deleted: expectInLoop(known != nil && now == nil, "\(name) was deleted")
    case .change(_, let properties):
      guard let known, let now else {
        Issue.record("\(name) changed, and was not there")
        return
      }
      let differing = Set(known.keys.filter { known[$0] != now[$0] })
      expectInLoop(Set(properties.map(\.name)) == differing, "\(name): \(properties) from \(known) to \(now)")
      for property in properties where ["name", "rank"].contains(property.name) {
        expectInLoop(property.oldValue.map { "\($0)" } == known[property.name], "\(name): old \(property)")
        expectInLoop(property.newValue.map { "\($0)" } == now[property.name], "\(name): new \(property)")
      }
    case .error(let error): Issue.record(error)
    }
    known = now
    didCall()
  }
}
