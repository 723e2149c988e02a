import FoundationEssentials
import TestSupport

@testable import LiveStore

/// A reader of bytes that another program may have written, or code that has an algebra of its own; see
/// `TasksFuzzTarget`.
enum LiveStoreFuzzTarget: String, CaseIterable, Sendable {
  case log, values, positions, changes, predicates, pages

  /// Ends with an error, or ends the process, when something is wrong.
  func run(_ bytes: [UInt8]) throws {
    var input = FuzzInput(bytes)
    switch self {
    case .log: readLog(bytes)
    case .values: readValues(&input)
    case .positions: try place(&input)
    case .changes: try change(&input)
    case .predicates: try filter(&input)
    case .pages: readPages(bytes)
    }
  }

  private func readLog(_ bytes: [UInt8]) {
    _ = ChangeLog.isReadable(bytes, schema: Self.schema)
  }

  final class Item: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var text = ""
    @Persisted var items: List<Item>
  }

  // The class is one that can be stored.
  // swift-format-ignore: NeverForceUnwrap
  private static let schema = try! Schema([Item.self])

  /// A value in a column is read as each type that a property may have, or as nothing.
  private func readValues(_ input: inout FuzzInput) {
    let kind = input.number(below: 4)
    let number = Int64(bitPattern: input.next())
    let bytes = input.rest
    let value: SQLiteValue =
      switch kind {
      case 0: .integer(number)
      case 1: .real(Double(bitPattern: UInt64(bitPattern: number)))
      case 2: SQLiteValue(utf8: bytes)
      default: .blob(bytes)
      }
    _ = Date(sqliteValue: value)
    _ = UUID(sqliteValue: value)
    _ = Int(sqliteValue: value)
    _ = Int8(sqliteValue: value)
    _ = Double(sqliteValue: value)
    _ = Bool(sqliteValue: value)
    _ = String(sqliteValue: value)
    _ = Data(sqliteValue: value)
    if let date = Date(sqliteValue: value) { _ = Date(sqliteValue: date.sqliteValue) }
  }

  /// A key between two others lies between them, whatever they are.
  private func place(_ input: inout FuzzInput) throws {
    let length = input.number(below: 32)
    let bytes = input.rest
    let texts = [bytes.prefix(length), bytes.dropFirst(length)]
      .map { String(decoding: $0.filter { $0 != 0 && $0 < 0x80 }, as: UTF8.self) }
    guard let lower = texts.min(by: before), let upper = texts.max(by: before) else { return }
    let key = PositionKey.between(lower, upper)
    try require(
      !before(key, lower) && !before(upper, key), "“\(key)” is not between “\(lower)” and “\(upper)”")
    try require(before(lower, PositionKey.between(lower, nil)), "there is no key behind “\(lower)”")
    if lower == upper { return }
    for key in PositionKey.keys(5, between: lower, and: upper) {
      try require(
        !before(key, lower) && !before(upper, key), "“\(key)” is not between “\(lower)” and “\(upper)”")
    }
  }

  private func before(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }

  /// L4, L5 and L6: the change set between two states leads from one to the other, and leaves alone what was
  /// not touched.
  private func change(_ input: inout FuzzInput) throws {
    var rows = Array(0..<input.number(below: 24))
    let old = rows
    var touched: Set<Int> = []
    var modified: Set<Int> = []
    var next = rows.count
    while !input.isAtEnd {
      let place = input.number(below: max(rows.count, 1))
      switch input.number(below: 4) {
      case 0:
        rows.insert(next, at: place)
        touched.insert(next)
        next += 1
      case 1 where !rows.isEmpty: touched.insert(rows.remove(at: place))
      case 2 where !rows.isEmpty:
        let row = rows.remove(at: place)
        touched.insert(row)
        rows.insert(row, at: input.number(below: rows.count + 1))
      case 3 where !rows.isEmpty:
        touched.insert(rows[place])
        modified.insert(rows[place])
      default: continue
      }
    }
    var builder = ChangeSetBuilder()
    for row in touched.sorted() {
      builder.append(
        TouchedRow(
          oldRank: old.firstIndex(of: row), newRank: rows.firstIndex(of: row), keyChanged: false,
          isModified: modified.contains(row)))
    }
    let changes = builder.build()
    try require(changes.apply(to: old, from: rows) == rows, "\(changes) does not lead from \(old) to \(rows)")
    for move in changes.moves {
      try require(old[move.from] == rows[move.to], "\(move) moves another row")
      try require(touched.contains(old[move.from]), "\(move) moves a row that was not touched")
    }
    let kept = Set(old).intersection(rows)
    for index in changes.modifications {
      try require(
        kept.contains(old[index]) && modified.contains(old[index]), "row \(old[index]) is not modified")
    }
  }

  /// SQLite finds the rows that Swift finds.
  private func filter(_ input: inout FuzzInput) throws {
    let depth = 1 + input.number(below: 4)
    let random = input
    let predicate = Predicate<QueryItem> { item in
      var generator = PredicateGenerator(item: item, random: random)
      return generator.bool(depth)
    }
    let sql = try SQLPredicate(predicate)
    let expected = Set(try Self.items.filter { try predicate.evaluate($0) }.map(\.id))
    let found = Self.database.ids(where: sql)
    try require(found == expected, "\(sql.sql) \(sql.parameters) finds \(found), Swift \(expected)")
  }

  nonisolated(unsafe) private static let items: [QueryItem] = {
    // Only read after this.
    var random = SeededGenerator(seed: 1)
    return (0..<60).map { QueryItem.random(id: $0, using: &random) }
  }()
  nonisolated(unsafe) private static let database = QueryItem.database(of: items)
  // Used by one thread: fuzz targets run one after the other.

  /// Pages of a damaged file, whatever they hold.
  private func readPages(_ bytes: [UInt8]) {
    let pages = DatabasePages(DamagedFile(bytes: bytes))
    _ = RescuedSchema(pages)
  }
}
