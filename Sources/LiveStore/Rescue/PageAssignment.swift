/// Which table's rows stand on which page of a damaged file.
///
/// A page belongs to the table whose tree leads to it. One to which no tree leads, because a page above it is
/// damaged, belongs to the table whose columns its values fit. Where they fit several tables and indexes, and
/// where a tree leads to a page that is another's, that one has it in which most of the rows are there that
/// it names.
struct PageAssignment {
  /// Which columns name rows of other tables, and by which column the rows of each are named.
  struct Relations {
    var references: [[(column: Int, target: Int)]]
    var keys: [Int?]
  }

  /// For each table, the pages that hold rows of it, first those that its tree leads to.
  private(set) var pages: [[Int]]
  /// For each table, how many pages its tree leads to that cannot be read, or are another's.
  private(set) var damaged: [Int]
  /// For each table, how many cells make no sense on pages that can be read.
  private(set) var damagedCells: [Int]
  /// How many pages with rows were found to which no tree leads.
  private(set) var strays = 0
  /// Whether pages that were free may be among those, and with them rows that were deleted.
  private(set) var mayHoldDeleted = false

  private let source: DatabasePages
  private let tables: [RescuedTable]
  private let relations: Relations?
  /// For each table, what its rows are named by.
  private var known: [Set<SQLiteValue>] = []

  init(_ source: DatabasePages, tables: [RescuedTable], relations: Relations? = nil) {
    self.source = source
    self.tables = tables
    self.relations = relations
    pages = tables.map { _ in [] }
    damaged = tables.map { _ in 0 }
    damagedCells = damaged
    let free = source.freePages()
    mayHoldDeleted = free == nil
    var others = walkTrees(without: free ?? [])
    known = knownKeys()
    if relations != nil { others += takeOutForeign() }
    // First those that can be of one table only: what they hold tells of the others.
    let undecided = others.filter { !assign($0, isDecided: false) }
    known = knownKeys()
    for number in undecided { assign(number, isDecided: true) }
  }

  /// Follows the trees of all tables. The pages to which none leads, or that its table cannot have.
  private mutating func walkTrees(without free: Set<Int>) -> [Int] {
    var isKnown = [Bool](repeating: false, count: source.count + 1)
    var others: [Int] = []
    for (index, table) in tables.enumerated() {
      guard let root = table.root else { continue }
      var next = [root]
      // Each page once, whatever the pages say of one another.
      while let number = next.popLast() {
        guard number > 0, number < isKnown.count else {
          damaged[index] += 1
          continue
        }
        if isKnown[number] { continue }
        isKnown[number] = true
        guard let page = source.page(number), page.kind.isTable == table.hasRowNumbers else {
          damaged[index] += 1
          // What stands there may be another's.
          others.append(number)
          continue
        }
        next += page.children.reversed()
        damagedCells[index] += page.damagedCells
        if table.canHave(page) {
          if !page.rows.isEmpty { pages[index].append(number) }
        } else {
          damaged[index] += 1
          others.append(number)
        }
      }
    }
    return others + isKnown.indices.dropFirst().filter { !isKnown[$0] && !free.contains($0) }
  }

  private func knownKeys() -> [Set<SQLiteValue>] {
    tables.indices.map { table in
      guard let key = relations?.keys[table] else { return [] }
      var values: Set<SQLiteValue> = []
      for number in pages[table] {
        for row in source.page(number)?.rows ?? [] { values.insert(tables[table].value(key, of: row)) }
      }
      return values
    }
  }

  /// Takes away from the tables the pages to which their trees lead, but that are more likely another's.
  private mutating func takeOutForeign() -> [Int] {
    var others: [Int] = []
    for (index, table) in tables.enumerated() where !table.isIndex {
      for number in pages[index] {
        guard let page = source.page(number) else { continue }
        let own = found(page, as: index)
        let isLikely = table.isLikely(page)
        if tables.indices.contains(where: {
          guard $0 != index, tables[$0].isLikely(page) else { return false }
          let found = found(page, as: $0)
          // By more than one column: the key of a row may look like the name of another. Rows that lack
          // columns, or have other values in them, are rather those of a table that has lost a page and fits.
          return found > own + page.rows.count
            || !isLikely && found >= own && damaged[$0] > 0 && !tables[$0].isIndex
        }) {
          others.append(number)
        }
      }
      let taken = Set(others)
      damaged[index] += pages[index].count { taken.contains($0) }
      pages[index].removeAll { taken.contains($0) }
    }
    return others
  }

  /// How many of the rows are there that the rows of a page name, if they are a table's.
  private func found(_ page: DatabasePages.Page, as table: Int) -> Int {
    (relations?.references[table] ?? []).reduce(0) { sum, reference in
      sum
        + page.rows.count { known[reference.target].contains(tables[table].value(reference.column, of: $0)) }
    }
  }

  /// Gives a page to the table that is likely to have it.
  ///
  /// - Parameter isDecided: Whether also where it may be of several.
  /// - Returns: Whether nothing more can be said of it.
  @discardableResult
  private mutating func assign(_ number: Int, isDecided: Bool) -> Bool {
    guard let page = source.page(number), !page.rows.isEmpty else { return true }
    let likely = tables.indices.filter { tables[$0].isLikely(page) }
    guard isDecided || likely.count == 1 else { return likely.isEmpty }
    let chances = likely.map { (table: $0, found: self.found(page, as: $0)) }
    guard let most = chances.map(\.found).max() else { return true }
    // Of a table rather than of an index, whose rows are nothing new.
    let best = chances.filter { $0.found == most && !tables[$0.table].isIndex }
    guard best.count == 1 else { return true }
    pages[best[0].table].append(number)
    strays += 1
    return true
  }
}
