/// The description of tables, indexes and triggers in a damaged file.
struct RescuedSchema {
  struct Part {
    let kind: String
    let name: String
    let root: Int
    let sql: String
  }

  private(set) var parts: [Part] = []
  /// Whether a part of it could not be read.
  let isDamaged: Bool
  /// The root pages of indexes, including those that SQLite creates by itself.
  private(set) var indexRoots: [String: Int] = [:]

  init(_ pages: DatabasePages) {
    let assignment = PageAssignment(pages, tables: [.schema])
    isDamaged = assignment.damaged[0] + assignment.damagedCells[0] > 0
    for number in assignment.pages[0] {
      for row in pages.page(number)?.rows ?? [] where row.values.count == 5 {
        guard case .text(let kind) = row.values[0], case .text(let name) = row.values[1],
          ["table", "index", "trigger", "view"].contains(kind)
        else { continue }
        let root = row.values[3].integerReading.map { Int($0) } ?? 0
        if kind == "index" { indexRoots[name] = root }
        guard case .text(let sql) = row.values[4], sql.hasPrefix("CREATE "),
          !parts.contains(where: { $0.kind == kind && $0.name == name })
        else { continue }
        parts.append(Part(kind: kind, name: name, root: root, sql: sql))
      }
    }
  }

  func parts(_ kind: String) -> [Part] { parts.filter { $0.kind == kind } }
}
