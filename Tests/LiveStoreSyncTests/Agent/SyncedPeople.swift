import Foundation
import LiveStore
import TestSupport
import Testing

@testable import LiveStoreSync

/// People with machines whose files are joined to spaces on a server.
struct SyncedPeople {
  private let temporary = TemporaryFolder()
  let database: TestDatabase

  static let classes = SyncedFile.Classes(
    excluded: ["Secret"], places: ["Root_folders", "Folder_notes", "Note_steps"],
    beginnings: ["Root": [0], "Folder": ["first"]])

  init() throws {
    database = try TestDatabase()
  }

  /// The folder of the machines' files.
  var folder: String { temporary.path }

  /// A file of one of the people, joined to the space.
  func machine(
    _ name: String, as role: String, space: String = "Home", confirm: Bool = true,
    keeping properties: Set<String> = [], _ sql: String = ""
  ) throws -> Machine {
    let machine = try Machine(unjoined: name, in: folder)
    try machine.program.execute(sql)
    let url = try database.url(as: role)
    var classes = Self.classes
    classes.excludedProperties = properties
    guard
      try machine.synced.join(url, space: space, classes: classes, confirm: { _ in confirm })
        != .declined
    else {
      return machine
    }
    try machine.restart()
    return machine
  }

  /// Has the server lose all it has of the space, as one that is restored from an empty backup.
  func loseEverything() throws {
    let output = try database.psql(
      """
      DELETE FROM livestore.object; DELETE FROM livestore.line;
      UPDATE livestore.space SET version = 0, mark = 1
      """)
    #expect(!output.contains("ERROR"), "\(output)")
  }

  func carry(_ machines: Machine...) throws {
    for _ in 0..<2 {
      for machine in machines { try SyncAgent(path: machine.path).runOnce() }
    }
  }

  /// Has all deletions, and all machines' last visits, be of 100 days ago, as if nobody had been there since.
  func letDaysPass() throws {
    let output = try database.psql(
      """
      UPDATE livestore.object SET deletion_stamp = deletion_stamp - (100 * 86400000::bigint << 16)
      WHERE deletion_stamp IS NOT NULL;
      UPDATE livestore.machine SET seen = seen - interval '100 days';
      UPDATE livestore.space SET last_pruning = last_pruning - interval '100 days', basis = NULL
      """)
    precondition(!output.contains("ERROR"), output)
    for file in try FileManager.default.contentsOfDirectory(atPath: folder) where file.hasSuffix(".db") {
      let connection = try Connection(path: "\(folder)/\(file)", create: false)
      guard try SyncState(connection.instance) != nil else { continue }
      try connection.execute("DELETE FROM _livesync_state WHERE name = 'pruned'")
    }
  }

  /// Two machines of anna's and ben's in a space of anna's.
  func pair(_ right: SpaceRight = .write) throws -> (Machine, Machine) {
    let anna = try machine("anna", as: "anna", "INSERT INTO Note (id, text) VALUES ('n', 'Milk')")
    try anna.synced.share(with: "ben", right)
    return (anna, try machine("ben", as: "ben"))
  }
}

extension Machine {
  /// Leaves the machine without a network: nothing listens at the server's address.
  func cutOff() throws { try setAddress("postgresql://anna@127.0.0.1:1/tasks") }

  func setAddress(_ address: String) throws {
    try program.execute("UPDATE _livesync_state SET value = \(literal(address)) WHERE name = 'url'")
  }
}
