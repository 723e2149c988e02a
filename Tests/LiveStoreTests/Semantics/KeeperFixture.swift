import Glibc
import Testing

@testable import LiveStore

/// A class with links, a list and optional values.
final class Keeper: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var nickname: String?
  @Persisted var best: Hound?
  @Persisted var mentor: Keeper?
  @Persisted var hounds: List<Hound>

  convenience init(_ id: Int, name: String = "") {
    self.init()
    self.id = id
    self.name = name
  }

  /// No persisted property, but read from one.
  var upperName: String { name.uppercased() }
}

final class Hound: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var owner: Keeper?

  convenience init(_ id: Int, name: String = "") {
    self.init()
    self.id = id
    self.name = name
  }
}

/// A file with keepers and hounds.
struct KeeperFixture {
  let file = TestFile()

  init() throws {
    let store = try open().store
    try store.write {
      for id in 1...4 { store.add(Keeper(id, name: "k\(id)")) }
      for id in 1...6 { store.add(Hound(id, name: "h\(id)")) }
    }
    store.close()
  }

  func open() throws -> TestStore {
    try TestStore(file.path, types: [Keeper.self, Hound.self], keeping: file)
  }
}

extension TestStore {
  var keepers: Results<Keeper> { store.objects(Keeper.self) }

  func keeper(_ id: Int) throws -> Keeper {
    try #require(store.object(ofType: Keeper.self, forPrimaryKey: id))
  }

  func hound(_ id: Int) throws -> Hound {
    try #require(store.object(ofType: Hound.self, forPrimaryKey: id))
  }
}

/// One callback of one object: what it was told, as text.
final class ObjectObservation {
  /// `age: 1 > 2` for a change, several of them joined by a comma; objects by their primary key.
  private(set) var events: [String] = []
  var token: NotificationToken?
  var onEvent: () -> Void = {}

  init() {}

  convenience init<Observed: Object>(_ object: Observed) {
    self.init()
    token = object.observe { [unowned self] in receive($0) }
  }

  convenience init<Observed: Object>(_ object: Observed, keyPaths: [String]?) {
    self.init()
    token = object.observe(keyPaths: keyPaths) { [unowned self] in receive($0) }
  }

  func receive<Observed: Object>(_ change: ObjectChange<Observed>) {
    switch change {
    case .change(_, let properties):
      events.append(properties.map(ObjectObservation.text).joined(separator: ", "))
    case .deleted: events.append("deleted")
    case .error(let error): events.append("error: \(error)")
    }
    onEvent()
  }

  func clear() { events = [] }

  private static func text(_ change: PropertyChange) -> String {
    "\(change.name): \(text(change.oldValue)) > \(text(change.newValue))"
  }

  private static func text(_ value: Any?) -> String {
    guard let value else { return "-" }
    guard let object = value as? Object else { return "\(value)" }
    return Observation.keys([object])[0]
  }
}
