import Glibc
import LiveStoreFixtures
import Testing

@testable import LiveStore

/// Everything in the file, at one version.
private struct Copy {
  let keepers: [Int: [String: SQLiteValue]]
  let hounds: [Int: [String: SQLiteValue]]
  /// For each keeper the entries of the list, in order.
  let lists: [Int: [(entry: SQLiteValue, hound: Int)]]

  init(_ store: Store) {
    func rows(_ columns: [String], _ rest: String) -> [[String: SQLiteValue]] {
      store.rows("SELECT \(columns.joined(separator: ", ")) FROM \(rest)").map { row in
        Dictionary(uniqueKeysWithValues: zip(columns, row))
      }
    }
    func table(_ rows: [[String: SQLiteValue]]) -> [Int: [String: SQLiteValue]] {
      Dictionary(uniqueKeysWithValues: rows.map { (Copy.key($0["id"]) ?? 0, $0) })
    }
    keepers = table(rows(["id", "name", "age", "nickname", "best", "mentor"], "Keeper"))
    hounds = table(rows(["id", "name", "age", "owner"], "Hound"))
    var lists: [Int: [(entry: SQLiteValue, hound: Int)]] = [:]
    for row in rows(
      ["entry", "owner", "target"], "Keeper_hounds ORDER BY owner, position, target, entry")
    {
      lists[Copy.key(row["owner"]) ?? 0, default: []].append((row["entry"]!, Copy.key(row["target"]) ?? 0))
    }
    self.lists = lists
  }

  private static func key(_ value: SQLiteValue?) -> Int? {
    if case .integer(let key)? = value { Int(key) } else { nil }
  }

  enum Kind { case keeper, hound }

  func row(_ kind: Kind, _ key: Int) -> [String: SQLiteValue]? {
    kind == .keeper ? keepers[key] : hounds[key]
  }

  /// The values that a path shows from an object, forwards: the simplest reading of what a path means.
  func content(_ kind: Kind, _ key: Int, _ path: ArraySlice<String>) -> String {
    guard let name = path.first else { return "" }
    guard let row = row(kind, key) else { return "gone" }
    let rest = path.dropFirst()
    func follow(_ kind: Kind, _ key: Int?) -> String {
      key.map { "\($0)(\(content(kind, $0, rest)))" } ?? "none"
    }
    switch (kind, name) {
    case (.keeper, "hounds"):
      return (lists[key] ?? []).map { "\($0.entry):" + follow(.hound, $0.hound) }.joined(separator: ",")
    case (.keeper, "best"): return follow(.hound, Copy.key(row["best"]))
    case (.keeper, "mentor"): return follow(.keeper, Copy.key(row["mentor"]))
    case (.hound, "owner"): return follow(.keeper, Copy.key(row["owner"]))
    case (.hound, "Keeper"):
      let property = path.dropFirst().first
      let origins = keepers.keys.sorted().flatMap { keeper -> [Int] in
        property == "best"
          ? (Copy.key(keepers[keeper]?["best"]) == key ? [keeper] : [])
          : (lists[keeper] ?? []).filter { $0.hound == key }.map { _ in keeper }
      }
      return origins.map { "\($0)(\(content(.keeper, $0, path.dropFirst(2))))" }.joined(separator: ",")
    default: return "\(row[name] ?? .null)"
    }
  }

  private static let properties: [Kind: [String]] = [
    .keeper: ["id", "name", "age", "nickname", "best", "mentor", "hounds"],
    .hound: ["id", "name", "age", "owner"],
  ]

  /// The paths of a filter; without one all over three links, for an object all of its own.
  static func paths(_ kind: Kind, _ keyPaths: [String]?, links: Int = 3) -> [[String]] {
    if let keyPaths { return keyPaths.map { $0.split(separator: ".").map(String.init) } }
    let targets: [String: Kind] = ["best": .hound, "mentor": .keeper, "hounds": .hound, "owner": .keeper]
    return (properties[kind] ?? []).flatMap { name -> [[String]] in
      guard links > 0, let target = targets[name] else { return [[name]] }
      return paths(target, nil, links: links - 1).map { [name] + $0 }
    }
  }

  func content(_ kind: Kind, _ key: Int, _ paths: [[String]]) -> String {
    paths.map { content(kind, key, $0[...]) }.joined(separator: "; ")
  }
}

/// One callback, and the copy of the file that it knows.
private class Follower {
  let store: Store
  let name: String
  var known: Copy?
  var token: NotificationToken?
  var isReady = true
  var calls = 0

  init(_ store: Store, _ name: String) {
    self.store = store
    self.name = name
  }

  func check(_ when: String) {}

  func setReady(_ isReady: Bool) {
    guard let token,
      let subscription = store.coordinator.liveSubscriptions().first(where: {
        $0.state === token.subscription
      })
    else { return }
    store.coordinator.setReady(isReady, of: subscription)
    self.isReady = isReady
  }
}

private final class CollectionFollower: Follower {
  private let kind: Copy.Kind
  private let paths: [[String]]
  private let order: (Copy) -> [(row: String, key: Int)]

  init(
    _ store: Store, _ name: String, _ kind: Copy.Kind, _ keyPaths: [String]?,
    order: @escaping (Copy) -> [(row: String, key: Int)]
  ) {
    self.kind = kind
    paths = Copy.paths(kind, keyPaths)
    self.order = order
    super.init(store, "\(name) \(keyPaths ?? ["any"])")
  }

  func receive<Collection>(_ change: CollectionChange<Collection>) {
    calls += 1
    #expect(isReady, "\(name) was called before it was ready")
    let current = Copy(store)
    switch change {
    case .initial: #expect(known == nil)
    case .update(_, let changes): compare(changes, current)
    case .error(let error): Issue.record(error)
    }
    known = current
  }

  private func compare(_ changes: ChangeSet, _ current: Copy) {
    guard let known else { return }
    let old = order(known)
    let new = order(current)
    let oldContent = Dictionary(
      uniqueKeysWithValues: old.map { ($0.row, known.content(kind, $0.key, paths) + " \($0.key)") })
    let newContent = Dictionary(
      uniqueKeysWithValues: new.map { ($0.row, current.content(kind, $0.key, paths) + " \($0.key)") })
    func isModified(_ row: String) -> Bool { oldContent[row] != newContent[row] }
    #expect(!changes.isEmpty, "\(name): a call without a change")
    #expect(
      changes.apply(to: old.map(\.row), from: new.map(\.row)) == new.map(\.row), "\(name): \(changes)")
    let kept = Set(old.map(\.row)).intersection(new.map(\.row))
    let moved = Set(changes.moves.map { old[$0.from].row })
    for move in changes.moves {
      expectInLoop(old[move.from].row == new[move.to].row, "\(name): \(move)")
      expectInLoop(move.isModified == isModified(old[move.from].row), "\(name): \(move) of \(changes)")
    }
    for index in changes.deletions where !moved.contains(old[index].row) {
      expectInLoop(!kept.contains(old[index].row), "\(name): \(old[index]) is not gone")
    }
    let expected = old.indices.filter {
      kept.contains(old[$0].row) && !moved.contains(old[$0].row) && isModified(old[$0].row)
    }
    #expect(changes.modifications == expected, "\(name): \(changes)")
    #expect(
      changes.modificationsInNew.map { new[$0].row } == expected.map { old[$0].row }, "\(name): \(changes)")
  }

  override func check(_ when: String) {
    guard let known, isReady else { return }
    let current = Copy(store)
    func all(_ copy: Copy) -> [String] {
      order(copy).map { "\($0) " + copy.content(kind, $0.key, paths) }
    }
    #expect(all(known) == all(current), "\(name) was not told, \(when)")
  }
}

private final class ObjectFollower: Follower {
  private let key: Int
  private let keyPaths: [String]?
  private let paths: [String: [[String]]]

  init(_ store: Store, _ key: Int, _ keyPaths: [String]?) {
    self.key = key
    self.keyPaths = keyPaths
    paths = Dictionary(grouping: Copy.paths(.keeper, keyPaths, links: 0)) { $0[0] }
    super.init(store, "keeper \(key) \(keyPaths ?? ["own"])")
  }

  func observeAgain() {
    guard token.map({ !$0.subscription.isLive }) ?? true, !store.isInWriteTransaction,
      let keeper = store.object(ofType: Keeper.self, forPrimaryKey: key)
    else { return }
    known = Copy(store)
    isReady = true
    token = keeper.observe(keyPaths: keyPaths) { [unowned self] in receive($0) }
  }

  private func expected(_ known: Copy, _ current: Copy) -> Set<String> {
    Set(
      paths.filter { known.content(.keeper, key, $0.value) != current.content(.keeper, key, $0.value) }.keys)
  }

  private func receive(_ change: ObjectChange<Keeper>) {
    calls += 1
    #expect(isReady, "\(name) was called before it was ready")
    let current = Copy(store)
    guard let known else {
      Issue.record("\(name) was called after its end")
      return
    }
    switch change {
    case .deleted:
      #expect(known.keepers[key] != nil && current.keepers[key] == nil, "\(name)")
      self.known = nil
      return
    case .change(_, let changes):
      #expect(Set(changes.map(\.name)) == expected(known, current), "\(name)")
      for change in changes {
        expectInLoop(
          text(change.oldValue) == value(change.name, known, current),
          "\(name): old \(change) \(value(change.name, known, current))")
        expectInLoop(
          text(change.newValue) == value(change.name, current, current), "\(name): new \(change)")
      }
    case .error(let error): Issue.record(error)
    }
    self.known = current
  }

  private func text(_ value: Any?) -> String {
    switch value {
    case nil: "-"
    case let keeper as Keeper: "\(keeper.id)"
    case let hound as Hound: "\(hound.id)"
    case let value?: "\(value)"
    }
  }

  /// A linked object that is there no more cannot be handed out.
  private func value(_ name: String, _ copy: Copy, _ current: Copy) -> String {
    switch copy.keepers[key]?[name] {
    case .integer(let key)? where name == "best": current.hounds[Int(key)] == nil ? "-" : "\(key)"
    case .integer(let key)? where name == "mentor": current.keepers[Int(key)] == nil ? "-" : "\(key)"
    case .integer(let value)?: "\(value)"
    case .text(let value)?: value
    default: "-"
    }
  }

  override func check(_ when: String) {
    guard let known, isReady else { return }
    let current = Copy(store)
    #expect(current.keepers[key] != nil && expected(known, current) == [], "\(name) was not told, \(when)")
  }
}

/// An instance and callbacks of many kinds.
private final class FilterObserver {
  let test: TestStore
  private(set) var followers: [Follower] = []

  init(_ fixture: KeeperFixture) throws {
    test = try fixture.open()
    let store = test.store
    func add<Element: Object>(
      _ name: String, _ results: Results<Element>, _ kind: Copy.Kind, _ keyPaths: [String]?,
      _ order: @escaping (Copy) -> [Int]
    ) {
      let follower = CollectionFollower(store, name, kind, keyPaths) { order($0).map { ("\($0)", $0) } }
      follower.token = results.observe(keyPaths: keyPaths) { [unowned follower] in follower.receive($0) }
      followers.append(follower)
    }
    let keepers = store.objects(Keeper.self)
    let byAge = keepers.sorted(by: \.age)
    let keeperFilters: [[String]?] = [
      nil, [], ["name"], ["best.name"], ["hounds.age", "nickname"],
      ["mentor.mentor.mentor.mentor.mentor.age"],
      ["hounds.owner.best"], ["best.Keeper.hounds.name"],
    ]
    for keyPaths in keeperFilters {
      add("keepers", keepers, .keeper, keyPaths) { $0.keepers.keys.sorted() }
    }
    for keyPaths in [["age"], ["best.owner.name"], []] {
      add("by age", byAge, .keeper, keyPaths) { copy in
        func age(_ key: Int) -> Int {
          if case .integer(let age)? = copy.keepers[key]?["age"] { Int(age) } else { 0 }
        }
        return copy.keepers.keys.sorted { (age($0), $0) < (age($1), $1) }
      }
    }
    let hounds = store.objects(Hound.self)
    for keyPaths in [nil, ["Keeper.best"], ["Keeper.hounds"], ["Keeper.hounds.name"], ["owner.mentor.name"]] {
      add("hounds", hounds, .hound, keyPaths) { $0.hounds.keys.sorted() }
    }
    let list = try test.keeper(1).hounds
    for keyPaths in [nil, ["name"], ["owner.age"]] {
      let follower = CollectionFollower(store, "list", .hound, keyPaths) { copy in
        (copy.lists[1] ?? []).map { ("\($0.entry)", $0.hound) }
      }
      follower.token = list.observe(keyPaths: keyPaths) { [unowned follower] in follower.receive($0) }
      followers.append(follower)
    }
    let objectFilters: [[String]?] = [
      nil, nil, [], ["age"], ["best.name"], ["hounds"], ["hounds.name", "mentor"],
      ["mentor.hounds.owner.name"],
    ]
    for (index, keyPaths) in objectFilters.enumerated() {
      let follower = ObjectFollower(store, 1 + index % 3, keyPaths)
      follower.observeAgain()
      followers.append(follower)
    }
  }

  func check(_ when: String) {
    for follower in followers { follower.check(when) }
  }
}

/// Changes keepers and hounds at random.
private struct KeeperWriter {
  var random: SeededGenerator

  mutating func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func change(_ store: Store) {
    for _ in 0..<int(1..<5) { step(store) }
  }

  private mutating func keeper(_ store: Store) -> Keeper? {
    store.object(ofType: Keeper.self, forPrimaryKey: int(1..<9))
  }

  private mutating func hound(_ store: Store) -> Hound? {
    store.object(ofType: Hound.self, forPrimaryKey: int(1..<13))
  }

  private mutating func step(_ store: Store) {
    switch int(0..<16) {
    case 0:
      let id = int(1..<9)
      if store.object(ofType: Keeper.self, forPrimaryKey: id) == nil { store.add(Keeper(id, name: "n")) }
    case 1, 2:
      let id = int(1..<13)
      if store.object(ofType: Hound.self, forPrimaryKey: id) == nil { store.add(Hound(id, name: "n")) }
    case 3: if int(0..<3) == 0, let keeper = keeper(store) { store.delete(keeper) }
    case 4: if let hound = hound(store) { store.delete(hound) }
    case 5: keeper(store)?.age = int(0..<4)
    case 6: keeper(store)?.name = "n\(int(0..<3))"
    case 7: keeper(store)?.nickname = int(0..<2) == 0 ? nil : "nick"
    case 8: hound(store)?.name = "n\(int(0..<3))"
    case 9: hound(store)?.age = int(0..<4)
    case 10: keeper(store)?.best = hound(store)
    case 11: keeper(store)?.mentor = keeper(store)
    case 12: hound(store)?.owner = keeper(store)
    default:
      guard
        let list = (int(0..<2) == 0 ? store.object(ofType: Keeper.self, forPrimaryKey: 1) : keeper(store))?
          .hounds
      else { return }
      let count = list.count
      switch int(0..<5) {
      case 0 where count > 1: list.move(from: int(0..<count), to: int(0..<count))
      case 1 where count > 3: list.remove(at: int(0..<count))
      case 2 where count > 0: if let hound = hound(store) { list[int(0..<count)] = hound }
      default: if count < 8, let hound = hound(store) { list.insert(hound, at: int(0..<count + 1)) }
      }
    }
  }

  mutating func sql() -> String {
    switch int(0..<9) {
    case 0: "UPDATE Keeper SET age = age + 1 WHERE id % 3 = \(int(0..<3))"
    case 1: "INSERT OR REPLACE INTO Keeper (id, name, best) VALUES (\(int(1..<9)), 'r', NULL)"
    case 2: "INSERT OR REPLACE INTO Hound (id, name) VALUES (\(int(1..<13)), 'r\(int(0..<3))')"
    case 3: "DELETE FROM Hound WHERE id = \(int(1..<13))"
    case 4: "UPDATE OR IGNORE Keeper SET id = \(int(1..<9)) WHERE id = \(int(1..<9))"
    case 5: "UPDATE Keeper_hounds SET position = '' || abs(random() % 90) || 'V' WHERE abs(random()) % 3 = 0"
    case 6:
      "UPDATE Keeper SET best = (SELECT id FROM Hound ORDER BY random() LIMIT 1) WHERE id = \(int(1..<9))"
    case 7: "UPDATE Hound SET name = 'u\(int(0..<3))' WHERE id % 4 = \(int(0..<4))"
    default: "DELETE FROM Keeper_hounds WHERE abs(random()) % 8 = 0"
    }
  }
}

@Suite("Whatever is written, each callback is told exactly what it watches")
struct RandomFilterTests {
  private static var steps: Int { randomSteps(usually: 300) }

  @Test(
    "L1, L3, L9, L11, R33–R35, R91–R101, R104–R111: two copies of the file say the same as every callback")
  func random() throws {
    var random = SeededGenerator()
    let seed = random.seed
    print(random.comment)
    let fixture = try KeeperFixture()
    let a = try FilterObserver(fixture)
    let b = try FilterObserver(fixture)
    var writer = KeeperWriter(random: SeededGenerator(seed: seed &+ 1))
    for step in 0..<Self.steps {
      switch Int.random(in: 0..<14, using: &random) {
      case 0..<4: try a.test.store.write { writer.change(a.test.store) }
      case 4..<6:
        try a.test.store.beginWrite()
        let own = a.followers.filter { $0.isReady && $0.known != nil && Bool.random(using: &random) }
        writer.change(a.test.store)
        try a.test.store.commitWrite(withoutNotifying: own.compactMap(\.token))
        let copy = Copy(a.test.store)
        for follower in own where follower.token?.subscription.isLive == true { follower.known = copy }
        for follower in own where follower.token?.subscription.isLive != true { follower.known = nil }
      case 6..<8: try b.test.store.write { writer.change(b.test.store) }
      case 8..<10:
        let connection = try Connection(path: fixture.file.path, create: false)
        connection.setBusyTimeout(milliseconds: 5_000)
        try connection.execute(writer.sql())
      case 10:
        let follower = a.followers[Int.random(in: 0..<a.followers.count, using: &random)]
        if follower.known != nil { follower.setReady(!follower.isReady) }
      case 11:
        for case let follower as ObjectFollower in a.followers + b.followers { follower.observeAgain() }
      case 12:
        a.test.turn(milliseconds: 1)
        b.test.turn(milliseconds: 0)
      default:
        try a.test.store.refresh()
        a.check("step \(step), seed \(seed)")
      }
    }
    for follower in a.followers { follower.setReady(true) }
    for observer in [a, b] {
      try observer.test.store.refresh()
      observer.check("at the end, seed \(seed)")
      #expect(observer.followers.reduce(0) { $0 + $1.calls } > Self.steps, "hardly anybody was called")
    }
  }
}
