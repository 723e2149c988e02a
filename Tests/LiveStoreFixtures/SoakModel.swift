import LiveStore
import TestSupport

/// A member of a team, who may follow another and has pieces in an order.
public final class Member: Object {
  @Persisted(primaryKey: true) public var id = 0
  @Persisted public var name = ""
  @Persisted(indexed: true) public var rank = 0
  @Persisted public var leader: Member?
  @Persisted public var pieces: List<Piece>
}

public final class Piece: Object {
  @Persisted(primaryKey: true) public var id = 0
  @Persisted public var label = ""
  @Persisted(originProperty: "pieces") public var owners: LinkingObjects<Member>
}

/// Changes members and pieces at random.
public struct SoakWriter {
  public static let types: [Object.Type] = [Member.self, Piece.self]

  private var random: SeededGenerator
  private let members = 24
  private let pieces = 16

  public init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  public mutating func int(_ range: Range<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  /// Makes a few changes; to be called in a write transaction.
  public mutating func change(_ store: Store) {
    for _ in 0..<int(1..<6) { step(store) }
  }

  private mutating func member(_ store: Store) -> Member? {
    store.object(ofType: Member.self, forPrimaryKey: int(0..<members))
  }

  private mutating func piece(_ store: Store) -> Piece? {
    store.object(ofType: Piece.self, forPrimaryKey: int(0..<pieces))
  }

  private mutating func step(_ store: Store) {
    switch int(0..<16) {
    case 0..<3: addMember(store)
    case 3:
      let id = int(0..<pieces)
      guard store.object(ofType: Piece.self, forPrimaryKey: id) == nil else { return }
      let piece = Piece()
      (piece.id, piece.label) = (id, "p\(int(0..<5))")
      store.add(piece)
    case 4: if int(0..<2) == 0, let member = member(store) { store.delete(member) }
    case 5: if int(0..<2) == 0, let piece = piece(store) { store.delete(piece) }
    case 6..<8: member(store)?.rank = int(0..<6)
    case 8: member(store)?.name = "m\(int(0..<6))"
    case 9: piece(store)?.label = "p\(int(0..<5))"
    case 10: member(store)?.leader = int(0..<3) == 0 ? nil : member(store)
    case 11:
      // Changed and changed back.
      if let member = member(store) {
        let rank = member.rank
        member.rank = rank + 1
        member.rank = rank
      }
    default: changeList(store)
    }
  }

  private mutating func addMember(_ store: Store) {
    let id = int(0..<members)
    guard store.object(ofType: Member.self, forPrimaryKey: id) == nil else { return }
    let member = Member()
    (member.id, member.name, member.rank) = (id, "m\(int(0..<6))", int(0..<6))
    store.add(member)
  }

  /// The list that the observers look at most of the time.
  private mutating func changeList(_ store: Store) {
    let watched = store.object(ofType: Member.self, forPrimaryKey: 1)
    guard let list = (int(0..<3) > 0 ? watched : member(store))?.pieces, let piece = piece(store) else {
      return
    }
    let count = list.count
    switch int(0..<6) {
    case 0 where count > 1: list.move(from: int(0..<count), to: int(0..<count))
    case 1 where count > 1: list.swapAt(int(0..<count), int(0..<count))
    case 2 where count > 4: list.remove(at: int(0..<count))
    case 3 where count > 0: list[int(0..<count)] = piece
    case 4 where int(0..<10) == 0: list.removeAll()
    default: if count < 10 { list.insert(piece, at: int(0..<count + 1)) }
    }
  }

  /// A change as a program makes it that knows nothing of LiveStore.
  public mutating func sql() -> String {
    let id = int(0..<members)
    return switch int(0..<12) {
    case 0: "UPDATE Member SET rank = (rank + 1) % 6 WHERE id % 3 = \(int(0..<3));"
    case 1: "UPDATE Member SET rank = rank, name = 'm' || (id % 6);"
    case 2: "INSERT OR REPLACE INTO Member (id, name, rank) VALUES (\(id), 'r', \(int(0..<6)));"
    case 3: "INSERT OR REPLACE INTO Piece SELECT * FROM Piece;"
    case 4: "DELETE FROM Member WHERE id = \(id);"
    case 5: "UPDATE OR IGNORE Member SET id = \(int(0..<members)) WHERE id = \(id);"
    case 6: "DELETE FROM Piece WHERE label = 'p\(int(0..<5))';"
    case 7 where int(0..<8) == 0: "DELETE FROM \(["Member", "Piece", "Member_pieces"][int(0..<3)]);"
    case 8:
      "INSERT INTO Member_pieces (owner, target) SELECT 1, id FROM Piece "
        + "WHERE EXISTS (SELECT 1 FROM Member WHERE id = 1) ORDER BY random() LIMIT 2;"
    case 9:
      "BEGIN; UPDATE Member SET name = 'kept' WHERE id = \(id); SAVEPOINT s; DELETE FROM Member; "
        + "DELETE FROM Piece; ROLLBACK TO s; RELEASE s; COMMIT;"
    case 10:
      "UPDATE Member_pieces SET position = '' || abs(random() % 1000) || 'V' WHERE abs(random()) % 5 = 0;"
    default:
      "INSERT OR IGNORE INTO Member (id, name, rank) VALUES (1, 'one', 3), (\(id), 'x', 2); "
        + "INSERT OR IGNORE INTO Piece (id, label) VALUES (1, 'p1'), (\(id % pieces), 'p2');"
    }
  }
}
