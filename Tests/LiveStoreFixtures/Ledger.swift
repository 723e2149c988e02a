import LiveStore
import TestSupport

/// A list that one writer keeps, among others: what it holds after so many transactions is known.
public final class Ledger: Object {
  @Persisted(primaryKey: true) public var id = 0
  @Persisted public var transactions = 0
  @Persisted public var lines: List<Line>

  /// The classes of a file that several writers change, each with a ledger of its own.
  public static let types: [Object.Type] = SoakWriter.types + [Ledger.self, Line.self]
}

public final class Line: Object {
  @Persisted(primaryKey: true) public var id = ""
  @Persisted public var text = ""
}

/// The contents of a ledger, worked out without a store.
public struct LedgerModel: Sendable {
  public struct Line: Equatable, Sendable {
    public let id: String
    public var text: String

    public init(id: String, text: String) {
      self.id = id
      self.text = text
    }
  }

  public enum Change: Sendable {
    case insert(Line, at: Int)
    case move(from: Int, to: Int)
    case remove(at: Int)
    case edit(at: Int, text: String)
  }

  public let id: Int
  /// Whether the writer is a program that knows nothing of LiveStore, and appends only.
  public let isForeign: Bool
  public private(set) var transactions = 0
  public private(set) var lines: [Line] = []

  public init(id: Int, isForeign: Bool = false) {
    self.id = id
    self.isForeign = isForeign
  }

  /// The ledger as it was found.
  public init(id: Int, isForeign: Bool = false, transactions: Int, lines: [Line]) {
    self.init(id: id, isForeign: isForeign)
    (self.transactions, self.lines) = (transactions, lines)
  }

  /// The effect of the next transaction; the same for every model of this number.
  public mutating func next() -> [Change] {
    transactions += 1
    var random = SeededGenerator(seed: UInt64(id) << 40 | UInt64(transactions))
    var changes: [Change] = []
    for number in 0..<Int.random(in: 1...4, using: &random) {
      let change = change(number, &random)
      apply(change)
      changes.append(change)
    }
    return changes
  }

  private func change(_ number: Int, _ random: inout SeededGenerator) -> Change {
    let count = lines.count
    let place = count == 0 ? 0 : Int.random(in: 0..<count, using: &random)
    let other = count == 0 ? 0 : Int.random(in: 0..<count, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0 where count > 0: return .edit(at: place, text: "edited \(transactions)")
    case 1..<3 where count > 1 && !isForeign: return .move(from: place, to: other)
    case 3..<5 where count > 0: return .remove(at: place)
    case _ where count >= 30: return .remove(at: place)
    default:
      let line = Line(id: "\(id)-\(transactions)-\(number)", text: "new \(transactions)")
      return .insert(line, at: isForeign ? count : Int.random(in: 0...count, using: &random))
    }
  }

  private mutating func apply(_ change: Change) {
    switch change {
    case .insert(let line, let place): lines.insert(line, at: place)
    case .move(let from, let to): lines.insert(lines.remove(at: from), at: to)
    case .remove(let place): lines.remove(at: place)
    case .edit(let place, let text): lines[place].text = text
    }
  }
}
