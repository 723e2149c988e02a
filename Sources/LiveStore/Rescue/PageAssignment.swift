/// The assignment of the pages of a damaged file to its tables.
///
/// A page belongs to the table whose tree leads to it. A page to which no tree leads, because a page above it
/// is damaged, belongs to the table whose columns its values fit. If they fit several tables and indexes, or
/// if a tree leads to a page of another table, the page goes to the table in which most of the rows exist
/// that its rows refer to.
struct PageAssignment {
  /// The columns that refer to rows of other tables, and the column that identifies the rows of each table.
  struct Relations {
    var references: [[(column: Int, target: Int)]]
    var keys: [Int?]
  }

  /// The pages of each table, first those that its tree leads to.
  private(set) var pages: [[Int]]
  /// The number of pages of each table that its tree leads to and that are unreadable, or another table's.
  private(set) var damaged: [Int]
  /// The number of unreadable cells of each table on readable pages.
  private(set) var damagedCells: [Int]
  /// The number of pages with rows to which no tree leads.
  private(set) var strays = 0
  /// Whether free pages may be among those, and with them deleted rows.
  private(set) var mayHoldDeleted = false

  private let source: DatabasePages
  private let tables: [RescuedTable]
  private let relations: Relations?
  /// The keys of the rows of each table.
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
    // First the pages that fit only one table: their content helps to decide the others.
    let undecided = others.filter { !assign($0, isDecided: false) }
    known = knownKeys()
    for number in undecided { assign(number, isDecided: true) }
  }

  /// Follows the trees of all tables. Returns the pages to which none leads, or that do not fit their table.
  private mutating func walkTrees(without free: Set<Int>) -> [Int] {
    var isKnown = [Bool](repeating: false, count: source.count + 1)
    var others: [Int] = []
    for (index, table) in tables.enumerated() {
      guard let root = table.root else { continue }
      var next = [root]
      // Each page once, even if damaged pages lead in a cycle.
      while let number = next.popLast() {
        guard number > 0, number < isKnown.count else {
          damaged[index] += 1
          continue
        }
        if isKnown[number] { continue }
        isKnown[number] = true
        guard let page = source.page(number), page.kind.isTable == table.hasRowNumbers else {
          damaged[index] += 1
          // The content may belong to another table.
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

  /// Removes the pages from the tables whose trees lead to them, but which are more likely another's.
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
          // By more than one column: the key of a row may look like a reference to another. Rows that lack
          // columns, or have other types in them, more likely belong to a table that has lost a page and
          // fits.
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

  /// The number of existing rows that the rows of a page refer to, if they belong to a table.
  private func found(_ page: DatabasePages.Page, as table: Int) -> Int {
    (relations?.references[table] ?? []).reduce(0) { sum, reference in
      sum
        + page.rows.count { known[reference.target].contains(tables[table].value(reference.column, of: $0)) }
    }
  }

  /// Assigns a page to the table that it most likely belongs to.
  ///
  /// - Parameter isDecided: Whether to assign it even if several tables are possible.
  /// - Returns: Whether nothing more can be decided about it.
  @discardableResult
  private mutating func assign(_ number: Int, isDecided: Bool) -> Bool {
    guard let page = source.page(number), !page.rows.isEmpty else { return true }
    let likely = tables.indices.filter { tables[$0].isLikely(page) }
    guard isDecided || likely.count == 1 else { return likely.isEmpty }
    let chances = likely.map { (table: $0, found: self.found(page, as: $0)) }
    guard let most = chances.map(\.found).max() else { return true }
    // A table is preferred to an index, whose rows add nothing.
    let best = chances.filter { $0.found == most && !tables[$0.table].isIndex }
    guard best.count == 1 else { return true }
    pages[best[0].table].append(number)
    strays += 1
    return true
  }
}
