import Foundation
import LiveStore
import LiveStoreSync
import PostgreSQLCluster
import Testing

/// The pushes of a member with bad intentions, who uses `psql`: the server refuses them, and the machines of
/// others go on; also past rows that an older server has taken.
@Suite("Pushes that no program makes", .enabled(if: TestCluster.isInstalled), .serialized)
struct BadPushTests {
  private let people: SyncedPeople

  init() throws { people = try SyncedPeople() }

  /// A push of one object, in the words of SQL.
  struct Push: CustomTestStringConvertible, Sendable {
    var type = "'{Note}'"
    var key = #"'"x"'"#
    var life = "0"
    var deletion = "NULL"
    var deletionReplica = "NULL"
    var stamp = "5"
    var replica = "1"
    var clocks = "NULL"
    var data = #"'{"text": "Mine", "count": 1}'"#
    var testDescription: String { "\(type) \(key) \(life) \(deletion) \(stamp) \(clocks) \(data)" }

    /// The columns of a row that an older server has taken; `nil` if none could.
    var row: String? {
      guard type.hasPrefix("'{"), life != "NULL" else { return nil }
      let name = type.dropFirst(2).dropLast(2)
      let values = [key, life, deletion, deletionReplica, stamp, replica, clocks, data]
      return (["'\(name)'"] + values).joined(separator: ", ")
    }
  }

  static let refused: [(push: Push, reason: String)] =
    [
      "'null'", "'1.5'", "'true'", "'[1]'", "'n'", "'x'", "''", #"'{"b": "AAAA"}'"#, #"'{"r": "1"}'"#,
      "'007'",
      "'9223372036854775808'", #"'"a'"#, #"'"a" '"#, #"'"\u0061"'"#, #"E'"a\n"'"#, "NULL",
    ].map { (Push(key: $0), "a key that is neither a text nor a whole number") }
    + [
      (Push(life: "-1"), "an object that was brought back too often"),
      (Push(life: "9223372036854775807"), "an object that was brought back too often"),
      (Push(life: "NULL"), "an object that was brought back too often"),
      (Push(type: "ARRAY['']"), "an object of no class"),
      (Push(type: "ARRAY[NULL]::text[]"), "an object of no class"),
      (Push(type: #"ARRAY[E'No\nte']"#), "an object of no class"),
      (Push(type: "ARRAY['Note', 'Note']"), "lists of different lengths"),
      (Push(deletion: "5"), "an object that is neither there nor deleted"),
      (Push(deletion: "5", deletionReplica: "1"), "an object that is neither there nor deleted"),
      (Push(data: "NULL"), "an object that is neither there nor deleted"),
      (Push(stamp: "NULL", replica: "NULL"), "a value without a time"),
      (Push(replica: "NULL"), "a value without a time"),
      (Push(data: "'[]'"), "cells without names"),
      (Push(data: "'5'"), "cells without names"),
      (Push(clocks: "'[]'"), "cells without names"),
      (Push(clocks: "'5'"), "cells without names"),
      (Push(data: #"'{"": 1}'"#), "a cell without a name"),
      (Push(data: #"'{"te\nxt": 1}'"#), "a cell without a name"),
    ]
    + [
      "true", "[1]", "1.5", "1e30", "9223372036854775808", "{}", #"{"q": "1"}"#, #"{"r": "one"}"#,
      #"{"r": 1}"#,
      #"{"r": "1", "b": ""}"#, #"{"b": "?"}"#, #"{"b": "AAA"}"#, #"{"t": null}"#, #"{"m": {}}"#,
    ].map { (Push(data: #"'{"text": \#($0)}'"#), "a cell that is no value") }
    + [
      "5", "[]", "[5]", "[5, 1, 1]", #"["5", 1]"#, "[5.5, 1]", "[5, null]", #"{"0": 5, "1": 1}"#,
      "[9223372036854775808, 1]",
    ].map { (Push(clocks: #"'{"text": \#($0)}'"#), "a value without a time") }

  /// Pushes of one cell of an object that is there.
  static let refusedOfOneCell: [(push: Push, reason: String)] =
    ["5", "[5]", #"["5", 1]"#, "[5.5, 1]", "[9223372036854775808, 1]"].map {
      (Push(clocks: #"'{"<text": \#($0)}'"#), "a value without a time")
    }
    + [
      (Push(clocks: #"'{"<text": [5, 1], "": [5, 1]}'"#), "a cell without a name"),
      (Push(deletionReplica: "1"), "an object that is neither there nor deleted"),
      (Push(data: #"'{"te\u0007xt": 1}'"#), "a cell without a name"),
    ]
    + ["5", "[]", #"["text"]"#, #""text""#].map {
      (Push(clocks: #"'{"<text": [5, 1]}'"#, data: "'\($0)'"), "cells without names")
    }

  /// Pushes of one cell that comes from the future, or is based on what does.
  static let early: [Push] = [
    Push(key: #"'"n"'"#, stamp: "extract(epoch FROM now() + interval '6 minutes')::bigint * 1000 << 16"),
    Push(
      key: #"'"n"'"#,
      clocks: """
        jsonb_build_object('<text', jsonb_build_array(
          extract(epoch FROM now() + interval '6 minutes')::bigint * 1000 << 16, 1))
        """, data: #"'{"text": "Mine"}'"#),
  ]

  /// Two people with machines, and Cleo, who may write.
  private func share() throws -> (anna: Machine, ben: Machine, cleo: ServerConnection, Entrance) {
    let (anna, ben) = try people.pair()
    try anna.synced.share(with: "cleo", .write)
    let space = try #require(try Int64(people.database.psql("SELECT space FROM livestore.space")))
    let (cleo, entrance) = try people.database.machine("tablet", as: "cleo", in: space)
    return (anna, ben, cleo, entrance)
  }

  private func statement(_ push: Push, _ entrance: Entrance) -> String {
    """
    SELECT livestore.push(\(entrance.space), \(entrance.replica!), '\(entrance.token!)', 0, \(push.type),
      ARRAY[\(push.key)]::text[], ARRAY[\(push.life)]::bigint[], ARRAY[\(push.deletion)]::bigint[],
      ARRAY[\(push.deletionReplica)]::bigint[], ARRAY[\(push.stamp)]::bigint[],
      ARRAY[\(push.replica)]::bigint[], ARRAY[\(push.clocks)]::jsonb[], ARRAY[\(push.data)]::jsonb[])
    """
  }

  /// Changes something at each of two machines, and looks whether the other gets it.
  private func requireExchange(_ anna: Machine, _ ben: Machine) throws {
    try anna.program.execute("UPDATE Note SET text = text || '!' WHERE id = 'n'")
    try ben.program.execute("UPDATE Note SET count = count + 1 WHERE id = 'n'")
    try people.carry(anna, ben)
    let rows = try anna.rows("SELECT text, count FROM Note WHERE id = 'n'")
    #expect(try ben.rows("SELECT text, count FROM Note WHERE id = 'n'") == rows)
  }

  @Test("The server refuses with a sentence what no machine could read, and others go on")
  func refused() throws {
    let (anna, ben, _, entrance) = try share()
    for (push, reason) in Self.refused {
      let output = try people.database.psql(statement(push, entrance), as: "cleo")
      #expect(
        output == "ERROR:  A change contains \(reason), which no machine could read.",
        "\(push.testDescription)")
    }
    // Also of an object that is there, and of one cell.
    for (push, reason) in Self.refused + Self.refusedOfOneCell {
      var push = push
      if push.key == Push().key { push.key = #"'"n"'"# }
      if push.data == Push().data { push.data = #"'{"text": "Mine"}'"# }
      if push.stamp == "5" { push.stamp = "extract(epoch FROM now())::bigint * 1000 << 16" }
      let output = try people.database.psql(statement(push, entrance), as: "cleo")
      #expect(
        output == "ERROR:  A change contains \(reason), which no machine could read.",
        "\(push.testDescription)")
    }
    for push in Self.early {
      let output = try people.database.psql(statement(push, entrance), as: "cleo")
      #expect(output == "ERROR:  A change is dated more than 5 minutes ahead of the server's clock.")
    }
    try requireExchange(anna, ben)
    #expect(try anna.rows("SELECT text, count FROM Note") == [["Milk!", 1]])
  }

  @Test("What an older server has taken is left out, and told; everything else goes on")
  func alreadyThere() throws {
    let (anna, ben, _, entrance) = try share()
    let strange =
      Self.refused.map(\.push)
      // Of the right form, but of none that these classes have.
      + [
        Push(key: "'5'"), Push(type: "'{Song}'", key: #"'"five"'"#, data: #"'{"title": "x"}'"#),
        Push(type: "'{Song}'", key: "'6'", data: #"'{"title": null}'"#),
        Push(key: #"'"t1"'"#, data: #"'{"text": 5}'"#),
        Push(key: #"'"t2"'"#, data: #"'{"count": "many", "text": "Good"}'"#),
        Push(key: #"'"t3"'"#, data: #"'{"count": {"r": "1"}, "@place": 7, "@position": {"b": "AAAA"}}'"#),
        Push(key: #"'"t4"'"#, data: #"'{"@place": "Folder_notes/x", "@position": ""}'"#),
        Push(key: #"'"t5"'"#, stamp: "9223372036854775807"),
        Push(type: "'{Playlist_songs}'", key: #"'"x"'"#, data: #"'{"@position": "a"}'"#),
        Push(type: "'{Playlist_songs}'", key: #"'"00/2/tpi1"'"#, data: #"'{"@position": "a"}'"#),
        Push(type: "'{Playlist_songs}'", key: #"'"0/2/tptx"'"#, data: #"'{"@position": "a"}'"#),
        Push(type: "'{Playlist_songs}'", key: #"'"0/2/tpi1"'"#, data: #"'{"@position": 5}'"#),
      ]
    try anna.program.execute("INSERT INTO Playlist VALUES ('p'); INSERT INTO Song (id) VALUES (1)")
    try people.carry(anna, ben)
    for push in strange {
      guard let row = push.row else { continue }
      // As an owner of the table: an object that breaks its checks is none that any server had.
      _ = try people.database.psql(
        """
        WITH next AS (UPDATE livestore.space SET version = version + 1 RETURNING version)
        INSERT INTO livestore.object (type, key, life, deletion_stamp, deletion_replica, stamp, replica,
          clocks, data, space, version, machine, is_merged, author)
        SELECT \(row), \(entrance.space), version, \(entrance.replica!), false, 'cleo' FROM next
        ON CONFLICT (space, type, key) DO UPDATE SET version = excluded.version, life = excluded.life,
          stamp = excluded.stamp, replica = excluded.replica, clocks = excluded.clocks, data = excluded.data
        """)
      try people.carry(anna, ben)
    }
    try requireExchange(anna, ben)
    for machine in [anna, ben] {
      #expect(try machine.synced.report()!.status.leftOut > 10)
      #expect(try machine.rows("SELECT text, count FROM Note WHERE id = 't2'") == [["Good", 0]])
      #expect(try machine.rows("SELECT id, title FROM Song") == [[1, ""], [6, ""]])
      #expect(try machine.rows("SELECT * FROM Playlist_songs").isEmpty)
    }
    #expect(try anna.content() == ben.content())
    // A new machine gets what can be read.
    let new = try people.machine("new", as: "anna")
    #expect(try new.rows("SELECT text, count FROM Note WHERE id = 'n'") == [["Milk!", 1]])
    // An object that becomes readable is left out no more.
    let before = try anna.synced.report()!.status.leftOut
    _ = try people.database.psql(
      """
      WITH next AS (UPDATE livestore.space SET version = version + 1 RETURNING version)
      UPDATE livestore.object o SET version = next.version, data = '{"text": "Five"}'
      FROM next WHERE key = '"t1"'
      """)
    try people.carry(anna)
    #expect(try anna.rows("SELECT text FROM Note WHERE id = 't1'") == [["Five"]])
    #expect(try anna.synced.report()!.status.leftOut == before - 1)
  }

  @Test("A value of no form does not make the pushes of others fail that meet it")
  func badValueMeets() throws {
    let (_, _, _, entrance) = try share()
    let (machine, _) = try people.database.machine("desk", as: "anna", in: entrance.space)
    for (number, value) in [
      #"{"r": "one"}"#, #"{"r": "1e999"}"#, #"{"b": "?"}"#, "true", "[1]", "{}", #"{"t": 5}"#,
    ].enumerated() {
      _ = try machine.push([task("a\(number)", ["text": 1], at: 5)], known: SpaceVersion())
      _ = try people.database.psql(
        #"UPDATE livestore.object SET data = '{"text": \#(value)}' WHERE key = '"a\#(number)"'"#)
      for new in [1, "two", .real(2), .blob([1]), .null] as [SQLiteValue] {
        _ = try machine.push([task("a\(number)", ["text": new], at: 5)], known: SpaceVersion())
      }
    }
  }

  @Test("What another program has written in no form that the server takes stays here, and is told")
  func ownObjects() throws {
    let (anna, ben, _, _) = try share()
    try anna.program.execute(
      "INSERT INTO Note (id, text) "
        + "VALUES (x'00FF', 'Bytes'), ('good', 'Bread'), (CAST(x'FF' AS TEXT), 'Half')")
    try requireExchange(anna, ben)
    #expect(try ben.ids("Note") == ["good", "n"])
    let report = try #require(try anna.synced.report())
    #expect(report.status.leftOut == 2 && report.status.waiting == 0)
    #expect(try anna.rows("SELECT count(*) FROM Note") == [[4]])
    try anna.program.execute("UPDATE Note SET text = 'Butter' WHERE id = 'good'")
    try people.carry(anna, ben)
    #expect(try ben.rows("SELECT text FROM Note WHERE id = 'good'") == [["Butter"]])
  }

  @Test("A machine that says strange things of itself is refused, and one that has said them harms nobody")
  func machines() throws {
    let (anna, ben, _, entrance) = try share()
    let strange = [
      "seen = 'infinity'", "seen = '-infinity'", "seen = '290000-01-01'", "version = -1",
      "version = 9223372036854775807", "version = -9223372036854775808", "name = repeat('x', 100000)",
      "name = E'a\\nphase refused'",
    ]
    for change in strange {
      let output = try people.database.psql(
        "UPDATE livestore.machine SET \(change) WHERE replica = \(entrance.replica!)", as: "cleo")
      #expect(output.hasPrefix("ERROR:  ") && !output.contains("violates"), "\(change): \(output)")
    }
    let output = try people.database.psql(
      """
      INSERT INTO livestore.machine (space, replica, name, token)
      SELECT \(entrance.space), -number, 'x', gen_random_uuid() FROM generate_series(1, 1001) AS number
      """, as: "cleo")
    #expect(output == "ERROR:  You have 1000 machines in this space: let some of them leave it first.")
    _ = try people.database.psql("ALTER TABLE livestore.machine DISABLE TRIGGER check_machine")
    for change in strange {
      _ = try people.database.psql(
        "UPDATE livestore.machine SET \(change) WHERE replica = \(entrance.replica!)", as: "cleo")
      let agent = try RunningAgent(anna.path)
      try anna.waitForStatus { $0.phase == .inStep && $0.machines.count == 2 }
      agent.stop()
      try requireExchange(anna, ben)
      #expect(try anna.synced.machines().count == 3)
    }
  }
}
