import Foundation
import LiveStore
import TestSupport
import Testing

@testable import LiveStoreSync

/// A machine with a file that is joined to a space, and programs that write the file.
final class Machine {
  let name: String
  let path: String
  var file: JoinedFile!
  /// Another program, which knows nothing of joining.
  let program: Connection

  /// A machine whose file is not joined yet.
  init(unjoined name: String, in folder: String) throws {
    self.name = name
    path = "\(folder)/\(name).db"
    _ = try Self.store(at: path)
    program = try Connection(path: path, create: false)
    program.setBusyTimeout(milliseconds: 5000)
  }

  /// A machine with a copy of another's file.
  init(copying other: Machine, as name: String, in folder: String) throws {
    self.name = name
    path = "\(folder)/\(name).db"
    try other.program.execute("VACUUM INTO \(literal(path))")
    program = try Connection(path: path, create: false)
    try program.execute("PRAGMA journal_mode = WAL")
    program.setBusyTimeout(milliseconds: 5000)
    try restart()
  }

  /// A machine with a file that is joined to a space in memory.
  ///
  /// - Parameters:
  ///   - properties: The properties that stay on this machine.
  ///   - flatPlaces: The lists whose elements own none in the same list.
  ///   - derivedProperties: The properties of which alone no loss is told.
  convenience init(
    _ name: String, in folder: String, keeping properties: Set<String> = [], flatPlaces: Set<String> = [],
    derivedProperties: Set<String> = [],
    prepare: (Connection) throws -> Void = { _ in }
  ) throws {
    try self.init(unjoined: name, in: folder)
    try prepare(program)
    file = try JoinedFile.join(
      path: path,
      .init(
        url: "", space: "s", spaceName: "Home", machine: name,
        replica: Int64(name.utf8.reduce(7) { $0 &* 31 &+ UInt32($1) }),
        classes: .init(
          excluded: ["Secret"], excludedProperties: properties,
          places: ["Root_folders", "Folder_notes", "Note_steps"], flatPlaces: flatPlaces,
          derivedProperties: derivedProperties)))
  }

  /// Machines, m0 and so on, that share a folder “f” of some notes.
  static func sharing(
    notes: [String], machines count: Int, in folder: String, space: SpaceModel,
    flatPlaces: Set<String> = []
  ) throws -> [Machine] {
    let machines = try (0..<count).map { number in
      try Machine("m\(number)", in: folder, flatPlaces: flatPlaces) { program in
        guard number == 0 else { return }
        try program.execute(
          "INSERT INTO Root VALUES (0); INSERT INTO Folder (id) VALUES ('f'); "
            + "INSERT INTO Root_folders (owner, target) VALUES (0, 'f')")
        for note in notes {
          try program.execute(
            "INSERT INTO Note (id) VALUES ('\(note)'); "
              + "INSERT INTO Folder_notes (owner, target) VALUES ('f', '\(note)')")
        }
      }
    }
    try settle(machines, in: space)
    return machines
  }

  /// A program with LiveStore, which knows nothing of joining either.
  func store() throws -> Store { try Self.store(at: path) }

  private static func store(at path: String) throws -> Store {
    try Store(
      Store.Configuration(
        path: path,
        objectTypes: [
          Root.self, Folder.self, Note.self, Secret.self, Member.self, Team.self, Badge.self, Playlist.self,
          Song.self, Contact.self, Address.self, HouseKey.self,
        ]),
      scheduler: .fileDescriptor(NotificationSource()))
  }

  /// The process that carries the file is killed and started again.
  func restart() throws {
    file = try JoinedFile(path: path)!
  }

  func rows(_ sql: String) throws -> [[SQLiteValue]] { try program.rows(sql) }

  func ids(_ table: String) throws -> [String] {
    try rows("SELECT id FROM \(table) ORDER BY id").compactMap {
      if case .text(let id) = $0[0] { id } else { nil }
    }
  }

  /// Exchanges until none of some machines has anything new.
  static func settle(_ machines: [Machine], in space: SpaceModel) throws {
    for _ in 0..<50 {
      var isQuiet = true
      for machine in machines {
        if try !machine.file.exchange(with: space).isEmpty { isQuiet = false }
      }
      if isQuiet { return }
    }
    Issue.record("The machines never come to rest.")
  }

  /// A generator for a random history, whose seed is printed before anything is done: a history that does not
  /// end can be repeated too.
  static func generator(round: Int) -> SeededGenerator {
    let generator = SeededGenerator()
    print("round \(round): \(generator.comment)")
    return generator
  }

  /// The number of random histories of a run; `LIVESTORE_HISTORIES` sets another one than the usual.
  static func histories(_ usual: Int) -> Int {
    ProcessInfo.processInfo.environment["LIVESTORE_HISTORIES"].flatMap { Int($0) }
      ?? cases(usual, sample: max(1, usual / 4))
  }

  /// Sets the clock on the wall, of which the agent does not know yet; dates changes by it; or has the server
  /// take the file for a copy.
  func setClock(_ random: inout SeededGenerator) throws {
    let ahead = Int64.random(in: -3_600_000...3_600_000, using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: try file.write { () throws(StoreError) in file.state[integer: .clockOffset] = ahead }
    case 1: _ = try file.write { () throws(StoreError) in try file.capture() }
    default: try file.write { () throws(StoreError) in file.state[integer: .replica] += 1_000_000 }
    }
  }

  /// Dates the changes that are made from now on after all that another machine has made.
  func setClock(after other: Machine) throws {
    let stamp = other.file.state[integer: .stamp] + 1 << HybridClock.counterBits
    try file.write { () throws(StoreError) in file.state[integer: .stamp] = stamp }
  }

  /// Whether what is known of a file that has come to rest is what is in it, so that no change is found that
  /// nobody has made.
  ///
  /// The position of an object means nothing where the object is in no list.
  func isAsKnown() throws -> Bool {
    let changed = try file.write { () throws(StoreError) in
      try file.capture(everythingAt: file.nextStamp())
      return try file.waitingObjects()
    }
    return changed.allSatisfy { $0.deletion == nil && $0.cells.mapValues(\.value) == ["@position": .null] }
  }

  /// Exchanges as an agent does, which sets changes back that are dated ahead.
  func exchange(with space: SpaceModel) throws {
    space.limit = HybridClock(milliseconds: WallClock.milliseconds + 300_000, replica: 0)
    do {
      _ = try file.exchange(with: space)
    } catch let error as SyncError where error.code == .clockAhead {
      try file.setBackClocks(to: WallClock.milliseconds, offset: 0, with: space)
      _ = try file.exchange(with: space)
    }
  }

  /// The elements of all playlists, with their order.
  func songs() throws -> [[SQLiteValue]] {
    try rows("SELECT owner, target, position FROM Playlist_songs ORDER BY owner, position, target")
  }

  /// Everything that has to be equal on all machines: rows, and lists with their order.
  func content() throws -> [[SQLiteValue]] {
    try rows("SELECT 'folder', * FROM Folder ORDER BY id") + rows("SELECT 'note', * FROM Note ORDER BY id")
      + rows("SELECT 'root', id FROM Root ORDER BY id")
      + rows("SELECT 'in root', target, position FROM Root_folders ORDER BY owner, position, entry")
      + rows("SELECT 'in folder', owner, target, position FROM Folder_notes ORDER BY owner, position, entry")
      + rows("SELECT 'playlist', id FROM Playlist ORDER BY id")
      + rows("SELECT 'song', * FROM Song ORDER BY id")
      + songs()
      + rows("SELECT 'in note', owner, target, position FROM Note_steps ORDER BY owner, position, entry")
  }
}

/// A space in memory, which merges as the server does.
final class SpaceModel: SpaceConnection {
  private var objects: [SyncedObject.Identity: (object: SyncedObject, version: Int64)] = [:]
  private(set) var version: Int64 = 0
  /// The objects that were pushed, by the versions that they made.
  private var changes: [Int64: [SyncedObject]] = [:]
  /// The order in which objects come is any.
  var random = SeededGenerator(seed: 1)
  /// Whether the answer to the next push is lost.
  var losesAnswer = false
  /// Whether the next question what has changed is lost.
  var losesQuestion = false

  /// The latest time of a change that is taken.
  var limit = HybridClock(stamp: .max, replica: 0)

  struct Lost: Error {}

  /// The elements of a list that are not deleted, with their positions.
  func elements(of list: String) -> [ListElement: SQLiteValue] {
    var elements: [ListElement: SQLiteValue] = [:]
    for (identity, (object, _)) in objects where identity.type == list && object.deletion == nil {
      if let element = ListElement(identity) {
        elements[element] = object.cells[SyncedObject.position]?.value
      }
    }
    return elements
  }

  /// Has all deletions be forgotten, as the server does with old ones.
  func forgetDeletions() {
    objects = objects.filter { $0.value.object.deletion == nil }
    changes = [:]
  }

  func push(_ new: [SyncedObject], known: SpaceVersion) throws -> SpaceVersion? {
    let stamps = new.flatMap {
      $0.cells.values.map(\.clock.stamp) + [$0.deletion?.stamp].compactMap(\.self) + $0.known.values
    }
    guard stamps.allSatisfy({ $0 <= limit.stamp }) else { throw SyncError(.clockAhead, "A change is ahead.") }
    var isChanged = false
    for object in new {
      let old = objects[object.identity]?.object
      let merged = old?.merged(with: object) ?? object
      guard merged != old else { continue }
      isChanged = true
      objects[object.identity] = (merged, version + 1)
    }
    if isChanged {
      version += 1
      if new.allSatisfy({ objects[$0.identity]?.object.hasTaken($0) ?? false }) { changes[version] = new }
    }
    if losesAnswer {
      losesAnswer = false
      throw Lost()
    }
    return nil
  }

  func refusal(of objects: [SyncedObject]) throws -> SyncError? { nil }

  /// Every other time what was pushed, where notices would carry it.
  func notifiedChanges(after known: SpaceVersion) -> (objects: [RemoteObject], head: SpaceVersion)? {
    guard !losesQuestion, known.number > 0, known.number < version, Bool.random(using: &random) else {
      return nil
    }
    var objects: [RemoteObject] = []
    for number in known.number + 1...version {
      guard let change = changes[number] else { return nil }
      objects += change.map {
        RemoteObject(object: $0, author: "someone", machine: "elsewhere", isChange: true)
      }
    }
    return (objects, SpaceVersion(number: version))
  }

  func pull(
    after known: Int64, and others: [SyncedObject.Identity], _ body: ([RemoteObject]) throws -> Void
  ) throws -> SpaceVersion {
    if losesQuestion {
      losesQuestion = false
      throw Lost()
    }
    let others = Set(others)
    let asked = objects.values.filter { $0.version > known || others.contains($0.object.identity) }
    let changed = asked.map(\.object).sorted {
      ($0.identity.type, "\($0.identity.key)") < ($1.identity.type, "\($1.identity.key)")
    }.shuffled(using: &random)
    try body(changed.map { RemoteObject(object: $0, author: "someone", machine: "elsewhere") })
    return SpaceVersion(number: version)
  }
}

extension SyncedObject {
  /// Whether everything of a state that was merged into it is in it.
  fileprivate func hasTaken(_ other: SyncedObject) -> Bool {
    life == other.life && deletion == other.deletion && other.cells.allSatisfy { cells[$0.key] == $0.value }
  }
}
