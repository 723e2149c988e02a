import LiveStore

/// Merging: the one rule by which all machines and the server agree on what an object is.
///
/// The states of an object are a semilattice and merging is their least upper bound, so that it is
/// commutative, associative and idempotent: whichever messages arrive, how often and in which order, all who
/// have seen the same changes have the same state.
extension SyncedObject {
  /// Takes in what another machine knows of the same object.
  ///
  /// - A later life wins as a whole: the object was brought back with knowledge of its deletion.
  /// - Within a life a deletion wins over all cells, also over those that were written later: their writer
  ///   did not know of it.
  /// - Of each cell the value with the later clock is kept.
  ///
  /// - Complexity: O(cells of `other`).
  public mutating func merge(_ other: SyncedObject) {
    precondition(identity == other.identity, "Only states of the same object can be merged.")
    if other.life != life {
      if other.life > life { self = other }
      return
    }
    if deletion != nil || other.deletion != nil {
      if deletion == other.deletion {
        known.merge(other.known, uniquingKeysWith: max)
      } else if let theirs = other.deletion, deletion.map({ $0 < theirs }) ?? true {
        (deletion, known) = (theirs, other.known)
      }
      cells = [:]
      return
    }
    for (name, cell) in other.cells {
      if let own = cells[name], !cell.wins(over: own) { continue }
      cells[name] = cell
    }
  }

  /// The state that has taken in both.
  public func merged(with other: SyncedObject) -> SyncedObject {
    var merged = self
    merged.merge(other)
    return merged
  }
}

extension SyncedObject.Cell {
  /// Whether it replaces another value of the same cell.
  ///
  /// Two changes have one clock only if a machine was copied, or if two machines settled what could not stay:
  /// then the values decide, alike everywhere.
  func wins(over other: SyncedObject.Cell) -> Bool {
    clock == other.clock ? other.value.precedes(value) : other.clock < clock
  }
}

extension SQLiteValue {
  /// Whether a value comes before another in an order that is the same on every machine.
  func precedes(_ other: SQLiteValue) -> Bool {
    switch (self, other) {
    case (.integer(let own), .integer(let other)): own < other
    case (.real(let own), .real(let other)): own.bitPattern < other.bitPattern
    case (.text(let own), .text(let other)): own.utf8.lexicographicallyPrecedes(other.utf8)
    case (.malformedText(let own), .malformedText(let other)), (.blob(let own), .blob(let other)):
      own.lexicographicallyPrecedes(other)
    default: kind < other.kind
    }
  }

  private var kind: Int {
    switch self {
    case .null: 0
    case .integer: 1
    case .real: 2
    case .text: 3
    case .malformedText: 4
    case .blob: 5
    }
  }
}
