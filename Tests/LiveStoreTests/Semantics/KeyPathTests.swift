import FoundationEssentials
import Testing

@testable import LiveStore

@Suite("H. Key-path filters")
struct KeyPathTests {
  private let fixture: KeeperFixture
  private let test: TestStore
  private let other: TestStore

  init() throws {
    fixture = try KeeperFixture()
    test = try fixture.open()
    other = try fixture.open()
    try other.write { _ in
      let keeper = try other.keeper(1)
      keeper.best = try other.hound(1)
      keeper.mentor = try other.keeper(2)
      keeper.hounds.append(contentsOf: [try other.hound(2), try other.hound(3)])
      try other.keeper(2).best = try other.hound(4)
      try other.hound(1).owner = try other.keeper(3)
    }
    try test.store.refresh()
  }

  /// The calls of a collection's callback, without the first.
  private final class Filtered {
    var changes: [ChangeSet] = []
    var isReady = false
    var token: NotificationToken?

    func receive<Collection>(_ change: CollectionChange<Collection>) {
      switch change {
      case .initial: isReady = true
      case .update(_, let changes): self.changes.append(changes)
      case .error(let error): Issue.record(error)
      }
    }

    /// The change sets since the last time.
    func take() -> [ChangeSet] {
      defer { changes = [] }
      return changes
    }
  }

  private func filtered<Element: Object>(_ results: Results<Element>, _ keyPaths: [String]?) throws
    -> Filtered
  {
    let filtered = Filtered()
    filtered.token = results.observe(keyPaths: keyPaths) { [unowned filtered] in filtered.receive($0) }
    try test.store.refresh()
    #expect(filtered.isReady)
    return filtered
  }

  private func filtered<Element: Object>(_ list: List<Element>, _ keyPaths: [String]?) throws -> Filtered {
    let filtered = Filtered()
    filtered.token = list.observe(keyPaths: keyPaths) { [unowned filtered] in filtered.receive($0) }
    try test.store.refresh()
    #expect(filtered.isReady)
    return filtered
  }

  @Test("R68: what several commits changed is united for each property, and shifts with the rows")
  func unitedByProperty() throws {
    let sorted = test.keepers.sorted(by: \.id)
    let names = try filtered(sorted, ["name"])
    let ages = try filtered(sorted, ["age"])
    let all = try filtered(sorted, nil)
    try other.write { _ in
      try other.keeper(3).age = 30
      try other.keeper(4).name = "x"
    }
    try other.write { other in
      // In front of all of them.
      other.add(Keeper(0))
      try self.other.keeper(3).name = "y"
      try self.other.keeper(2).age = 20
    }
    try other.write { other in other.delete(try self.other.keeper(1)) }
    try test.store.refresh()
    #expect(names.take() == [ChangeSet(del: [0], ins: [0], mod: [2, 3])])
    #expect(ages.take() == [ChangeSet(del: [0], ins: [0], mod: [1, 2])])
    #expect(all.take() == [ChangeSet(del: [0], ins: [0], mod: [1, 2, 3])])
  }

  private func change(_ body: () throws -> Void) throws {
    try other.write { _ in try body() }
    try test.store.refresh()
  }

  @Test(
    "R91, R92: no filter means any property, an empty one none; insertions, deletions and moves are always told"
  )
  func noneAndEmpty() throws {
    let all = try filtered(test.keepers, nil)
    let none = try filtered(test.keepers, [])
    let sorted = try filtered(test.keepers.sorted(by: \.age), [])
    try change { try other.keeper(3).name = "x" }
    // The first keeper leads to the third over two links.
    #expect(all.take() == [ChangeSet(mod: [0, 2])])
    #expect(none.take() == [] && sorted.take() == [])
    try change {
      other.store.add(Keeper(5))
      other.store.delete(try other.keeper(4))
      try other.keeper(3).name = "y"
    }
    #expect(none.take() == [ChangeSet(del: [3], ins: [3])])
    #expect(sorted.take() == [ChangeSet(del: [3], ins: [3])])
    try change { try other.keeper(1).age = 9 }
    #expect(none.take() == [])
    #expect(sorted.take() == [ChangeSet(del: [0], ins: [3], moves: [.init(from: 0, to: 3)])])
  }

  @Test("R92: a moved row stays a move; whether it is modified, the filter says")
  func moved() throws {
    let named = try filtered(test.keepers.sorted(by: \.age), ["name"])
    let aged = try filtered(test.keepers.sorted(by: \.age), ["age"])
    try change { try other.keeper(1).age = 9 }
    #expect(named.take() == [ChangeSet(del: [0], ins: [3], moves: [.init(from: 0, to: 3)])])
    #expect(
      aged.take() == [ChangeSet(del: [0], ins: [3], moves: [.init(from: 0, to: 3, isModified: true)])])
  }

  @Test("R93, R94: a change at any element of the path is told, one off it is not")
  func onAndOffThePath() throws {
    let link = try filtered(test.keepers, ["best.name"])
    let list = try filtered(test.keepers, ["hounds.name"])
    try change { try other.hound(1).name = "x" }
    #expect(link.take() == [ChangeSet(mod: [0])] && list.take() == [])
    try change { try other.keeper(1).best = try other.hound(5) }
    #expect(link.take() == [ChangeSet(mod: [0])] && list.take() == [])
    try change { try other.hound(1).name = "no longer linked" }
    #expect(link.take() == [] && list.take() == [])
    try change { try other.hound(3).name = "x" }
    #expect(link.take() == [] && list.take() == [ChangeSet(mod: [0])])
    try change { try other.keeper(1).hounds.move(from: 0, to: 1) }
    #expect(link.take() == [] && list.take() == [ChangeSet(mod: [0])])
    try change {
      try other.hound(3).age = 7
      try other.hound(5).age = 7
      try other.keeper(1).age = 7
      try other.keeper(1).mentor = nil
    }
    #expect(link.take() == [] && list.take() == [])
  }

  @Test("L9, R95, R96 (differ): a filter on one callback changes nothing for another on the same collection")
  func perCallback() throws {
    let keepers = test.keepers
    let name = try filtered(keepers, ["name"])
    let age = try filtered(keepers, ["age"])
    let any = try filtered(keepers, nil)
    try change { try other.keeper(1).name = "x" }
    #expect(name.take() == [ChangeSet(mod: [0])])
    #expect(age.take() == [])
    #expect(any.take() == [ChangeSet(mod: [0])])
    try change {
      try other.keeper(1).name = "y"
      try other.keeper(2).age = 3
    }
    #expect(name.take() == [ChangeSet(mod: [0])])
    #expect(age.take() == [ChangeSet(mod: [1])])
    // The first keeper leads to the second.
    #expect(any.take() == [ChangeSet(mod: [0, 1])])
  }

  @Test("R97: separate collections with equal queries filter independently")
  func separateCollections() throws {
    let name = try filtered(test.keepers, ["name"])
    let age = try filtered(test.keepers, ["age"])
    try change { try other.keeper(1).name = "x" }
    #expect(name.take().count == 1 && age.take() == [])
  }

  @Test("R103 (the defect is not copied): a filter added after commits were seen counts at once")
  func addedLater() throws {
    let keepers = test.keepers
    let name = try filtered(keepers, ["name"])
    try change { try other.keeper(1).name = "x" }
    let age = try filtered(keepers, ["age"])
    try change { try other.keeper(1).age = 5 }
    #expect(name.take().count == 1)
    #expect(age.take() == [ChangeSet(mod: [0])])
  }

  @Test("R33, R34: without a filter three links are followed; with one, as many as it has")
  func depth() throws {
    try other.write { _ in
      for id in 10..<20 { other.store.add(Keeper(id)) }
      for id in 10..<19 { try other.keeper(id).mentor = try other.keeper(id + 1) }
    }
    let chain = try test.keepers.filter(#Predicate { $0.id >= 10 })
    let any = try filtered(chain, nil)
    let far = try filtered(chain, ["mentor.mentor.mentor.mentor.mentor.name"])
    try change { try other.keeper(19).name = "x" }
    #expect(any.take() == [ChangeSet(mod: [6, 7, 8, 9])])
    #expect(far.take() == [ChangeSet(mod: [4])])
    try change { try other.keeper(12).name = "x" }
    #expect(any.take() == [ChangeSet(mod: [0, 1, 2])])
    #expect(far.take() == [])
    try change { try other.keeper(15).mentor = nil }
    #expect(far.take() == [ChangeSet(mod: [1, 2, 3, 4, 5])], "R93: each of them leads through it")
  }

  @Test("R34: cycles end")
  func cycle() throws {
    try other.write { _ in try other.keeper(2).mentor = try other.keeper(1) }
    let path = try filtered(test.keepers, ["mentor.mentor.mentor.name"])
    let all = try filtered(test.keepers, ["*.*.*.*.*.*"])
    try change { try other.keeper(1).name = "x" }
    #expect(path.take() == [ChangeSet(mod: [1])])
    #expect(all.take() == [ChangeSet(mod: [0, 1])])
  }

  @Test(
    "R35: backlinks are followed only where a path names one; R100: starting and stopping to link is told")
  func backlinks() throws {
    let hounds = test.store.objects(Hound.self)
    let any = try filtered(hounds, nil)
    let byLink = try filtered(hounds, ["Keeper.best"])
    let byList = try filtered(hounds, ["Keeper.hounds"])
    let names = try filtered(hounds, ["Keeper.hounds.name"])
    try change { try other.keeper(1).best = try other.hound(6) }
    #expect(any.take() == [] && byList.take() == [])
    #expect(byLink.take() == [ChangeSet(mod: [0, 5])])
    try change {
      try other.keeper(1).hounds.remove(at: 0)
      try other.keeper(4).hounds.append(try other.hound(3))
    }
    #expect(byLink.take() == [])
    #expect(byList.take() == [ChangeSet(mod: [1, 2])])
    #expect(names.take() == [ChangeSet(mod: [1, 2])])
    try change { try other.keeper(4).name = "x" }
    #expect(names.take() == [ChangeSet(mod: [2])])
    #expect(byList.take() == [])
    try change { other.store.delete(try other.keeper(1)) }
    #expect(byLink.take() == [ChangeSet(mod: [5])])
    #expect(byList.take() == [ChangeSet(mod: [2])])
  }

  @Test("R100, R98: the callback of an object hears of what starts and stops linking to it")
  func objectBacklinks() throws {
    let hound = ObjectObservation(try test.hound(6), keyPaths: ["Keeper.best"])
    try change { try other.keeper(3).best = try other.hound(6) }
    #expect(hound.events == ["Keeper.best: - > -"])
    try change { try other.keeper(3).name = "x" }
    #expect(hound.events.count == 1)
  }

  @Test("R101: a wildcard stands for one level; several of them for that many levels and no more")
  func wildcards() throws {
    let one = try filtered(test.keepers, ["*"])
    let two = try filtered(test.keepers, ["*.*"])
    let names = try filtered(test.keepers, ["*.name"])
    try change { try other.keeper(3).age = 2 }
    #expect(one.take() == [ChangeSet(mod: [2])])
    #expect(two.take() == [ChangeSet(mod: [2])])
    #expect(names.take() == [])
    try change { try other.hound(4).age = 2 }
    #expect(one.take() == [])
    #expect(two.take() == [ChangeSet(mod: [1])])
    #expect(names.take() == [])
    try change { try other.hound(4).name = "x" }
    #expect(names.take() == [ChangeSet(mod: [1])])
    try change { try other.keeper(3).name = "x" }
    #expect(one.take() == [ChangeSet(mod: [2])])
    // Hound 1 is the best of keeper 1 and owned by keeper 3: two links, a level too far.
    #expect(two.take() == [ChangeSet(mod: [1]), ChangeSet(mod: [2])])
  }

  @Test("Typed key paths lead through optional links and to lists")
  func typed() throws {
    let best = Filtered()
    let hounds = Filtered()
    let list = Filtered()
    best.token = test.keepers.observe(keyPaths: [\.best?.owner?.name]) { best.receive($0) }
    hounds.token = test.keepers.observe(keyPaths: [\.hounds, \.age]) { hounds.receive($0) }
    list.token = try test.keeper(1).hounds.observe(keyPaths: [\.age]) { list.receive($0) }
    try test.store.refresh()
    try change { try other.keeper(3).name = "x" }
    #expect(best.take() == [ChangeSet(mod: [0])] && hounds.take() == [])
    try change { try other.keeper(1).hounds.remove(at: 0) }
    #expect(hounds.take() == [ChangeSet(mod: [0])] && best.take() == [])
    #expect(list.take() == [ChangeSet(del: [0])])
    try change { try other.keeper(4).age = 8 }
    #expect(hounds.take() == [ChangeSet(mod: [3])] && best.take() == [])
    try change {
      try other.hound(3).age = 8
      try other.hound(3).name = "x"
    }
    #expect(list.take() == [ChangeSet(mod: [0])])
  }

  @Test("R91, R93 on a list: its elements, what they lead to, and another object in the place of one")
  func list() throws {
    let hounds = try test.keeper(1).hounds
    let any = try filtered(hounds, nil)
    let name = try filtered(hounds, ["name"])
    let owner = try filtered(hounds, ["owner.age"])
    let none = try filtered(hounds, [])
    try change { try other.hound(2).name = "x" }
    #expect(any.take() == [ChangeSet(mod: [0])] && name.take() == [ChangeSet(mod: [0])])
    #expect(owner.take() == [] && none.take() == [])
    try change { try other.hound(3).owner = try other.keeper(3) }
    #expect(owner.take() == [ChangeSet(mod: [1])] && name.take() == [])
    try change { try other.keeper(3).age = 5 }
    #expect(owner.take() == [ChangeSet(mod: [1])] && none.take() == [])
    _ = any.take()
    // A view that is told nothing would go on showing the object that was there.
    try change { try other.keeper(1).hounds[0] = try other.hound(5) }
    #expect(any.take() == [ChangeSet(mod: [0])])
    #expect(name.take() == [ChangeSet(mod: [0])] && owner.take() == [ChangeSet(mod: [0])])
    #expect(none.take() == [ChangeSet(del: [0], ins: [0])])
  }

  @Test("R93: deleting the target of a link on the path modifies the object; off the path it does not")
  func deletedTarget() throws {
    let best = try filtered(test.keepers, ["best"])
    let mentor = try filtered(test.keepers, ["mentor"])
    try change { other.store.delete(try other.hound(1)) }
    #expect(best.take() == [ChangeSet(mod: [0])])
    #expect(mentor.take() == [])
  }

  @Test("Several paths are all watched")
  func severalPaths() throws {
    let both = try filtered(test.keepers, ["best.age", "best.name", "mentor.best.name", "name"])
    try change { try other.hound(1).age = 1 }
    try change { try other.hound(4).name = "x" }
    try change { try other.keeper(4).name = "x" }
    // Hound 4 is the best of keeper 2 itself and of keeper 1's mentor.
    #expect(both.take() == [ChangeSet(mod: [0]), ChangeSet(mod: [0, 1]), ChangeSet(mod: [3])])
    try change {
      try other.hound(4).age = 1
      try other.keeper(1).age = 1
    }
    #expect(both.take() == [ChangeSet(mod: [1])])
  }

  @Test("R102: an unknown key path stops the program, with its name and the properties that there are")
  func unknown() async throws {
    for keyPaths in [
      ["nam"], ["best.nam"], ["name.length"], [""], ["best."], ["Hound.nam"], ["Hound.owner.x"],
    ] {
      let failure = PropertyTree.failure(keyPaths[0], fixture)
      #expect(failure != nil, "\(keyPaths)")
    }
    #expect(
      PropertyTree.failure("best.nam", fixture)
        == "Hound has no property “nam”, it has id, name, age, owner.")
    for known in ["name", "*", "best.*", "Hound.owner", "Hound.owner.name", "hounds", "*.mentor"] {
      #expect(PropertyTree.failure(known, fixture) == nil, "\(known)")
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let test = try KeeperFixture().open()
      _ = test.keepers.observe(keyPaths: ["hounds.nam"]) { _ in }
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("hounds.nam") && message.contains("id, name, age, owner"), "\(message)")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let test = try KeeperFixture().open()
        _ = test.keepers.observe(keyPaths: [\.nothing]) { _ in }
      }, says: "it is not made of persisted properties alone; Keeper has id, name, age")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let test = try KeeperFixture().open()
        _ = try test.keeper(1).observe(keyPaths: ["nam"]) { _ in }
      }, says: "Keeper has no property “nam”")
  }
}

extension Keeper {
  /// Leads to no persisted property.
  fileprivate var nothing: Int { 1 }
}

extension PropertyTree {
  /// Why a key path of keepers leads nowhere.
  fileprivate static func failure(_ keyPath: String, _ fixture: KeeperFixture) -> String? {
    guard let schema = try? Schema([Keeper.self, Hound.self]) else { return "no schema" }
    var tree = PropertyTree(table: schema.table(of: Keeper.self).index)
    return tree.watch(keyPath, schema: schema)
  }
}
