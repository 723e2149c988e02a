import LiveStore

/// An object as machines exchange it: cells with their clocks, or the fact that it was deleted.
///
/// Where an object is placed in a list that owns its elements, its place is two cells more: see ``place`` and
/// ``position``. An element of any other list is an object of its own, whose class is the list's table.
public struct SyncedObject: Hashable, Sendable {
  /// A class, by the name of its table, and a primary key.
  public struct Identity: Hashable, Sendable {
    /// The name of the table of the class.
    public var type: String
    /// The primary key.
    public var key: SQLiteValue

    /// Names the object of a class with a key.
    public init(type: String, key: SQLiteValue) {
      self.type = type
      self.key = key
    }
  }

  /// The value of one property, and the time of the change that gave it.
  public struct Cell: Hashable, Sendable {
    /// The value of the property.
    public var value: SQLiteValue
    /// The time of the change that gave the value.
    public var clock: HybridClock
    /// The clock of the last value of another machine that was known where this one was given, or of the
    /// first value of all: by it people learn that a change of theirs was replaced without having been seen.
    ///
    /// It belongs to the change, and not every machine keeps it: it counts for nothing in a comparison.
    public var basis: HybridClock?

    /// Creates a cell.
    public init(value: SQLiteValue, clock: HybridClock, basis: HybridClock? = nil) {
      self.value = value
      self.clock = clock
      self.basis = basis
    }

    /// Whether two cells have one value of one change.
    public static func == (left: Cell, right: Cell) -> Bool {
      left.value == right.value && left.clock == right.clock
    }

    /// Hashes the value and its clock.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(value)
      hasher.combine(clock)
    }
  }

  /// The name of the cell that holds the list in which the object is placed, and its owner.
  public static let place = "@place"
  /// The name of the cell that holds the object's position in that list.
  public static let position = "@position"

  /// The class and the key of the object.
  public var identity: Identity
  /// The number of times that the object was brought back after a deletion.
  public var life: Int64
  /// The time of the deletion that ended this life, if it has ended; there are no cells then.
  public var deletion: HybridClock?
  /// The stamps of the latest changes of each machine, by its number, that were known where the object was
  /// deleted; none if the program there did not say. By them people learn that a change of theirs was lost.
  public var known: [Int64: Int64] = [:]
  /// The cells by the names of their properties; in a message, those that changed.
  public var cells: [String: Cell]

  /// Creates a state of an object; by default of its first life, without cells.
  public init(
    _ identity: Identity, life: Int64 = 0, deletion: HybridClock? = nil, known: [Int64: Int64] = [:],
    cells: [String: Cell] = [:]
  ) {
    self.identity = identity
    self.life = life
    self.deletion = deletion
    self.known = known
    self.cells = cells
  }

  /// The latest of all clocks in it.
  public var latest: HybridClock? {
    [deletion, cells.values.lazy.map(\.clock).max()].compactMap(\.self).max()
  }
}

extension Int64 {
  /// The life of an object after this one, or the same where another program has given it the last of all.
  var next: Int64 { self == .max ? self : self + 1 }
}

/// The size of an object, which a server may have too little memory for.
extension SyncedObject {
  /// The bytes from which on a value counts as large.
  private static let largeSize = 100_000

  /// The bytes of its texts and blobs.
  var size: Int { cells.values.reduce(0) { $0 + $1.value.size } }

  var hasLargeValues: Bool { cells.values.contains { $0.value.size >= Self.largeSize } }

  var withoutLargeValues: SyncedObject {
    var object = self
    object.cells = cells.filter { $0.value.value.size < Self.largeSize }
    return object
  }
}

extension SQLiteValue {
  /// The bytes of a text or blob.
  fileprivate var size: Int {
    switch self {
    case .null, .integer, .real: 0
    case .text(let text): text.utf8.count
    case .malformedText(let bytes), .blob(let bytes): bytes.count
    }
  }
}
