/// A property whose objects are parts of its owner, as a column of the file that leads to them; see
/// ``ObjectRule/embeds(_:)``.
struct PartPlace: Sendable {
  /// The number of the owners' table.
  let owner: Int
  let property: TableRules.Owner.OwningProperty
  /// The property for people, such as `Person.home`.
  let name: String
  /// The number of the table with the column: that of the owners, or of the list's entries.
  let holder: Int
  let column: Int
  /// The number of the parts' table.
  let target: Int

  /// All such properties of some classes, with the tables of entries of each by the slots of the lists.
  static func all(in tables: [Table], lists: [[Int]]) -> [PartPlace] {
    tables.flatMap { table -> [PartPlace] in
      guard case .objects(let objects) = table.role else { return [] }
      return table.rules.owners.filter(\.isEmbedding).compactMap { owner in
        switch owner.property {
        case .column(let column):
          guard let reference = table.references.first(where: { $0.column == column }) else { return nil }
          return PartPlace(
            owner: table.index, property: owner.property, name: "\(table.name).\(table.columns[column].name)",
            holder: table.index, column: column, target: reference.target)
        case .list(let slot):
          let entries = tables[lists[table.index][slot]]
          guard case .entries(_, let target) = entries.role else { return nil }
          return PartPlace(
            owner: table.index, property: owner.property, name: "\(table.name).\(objects.lists[slot].name)",
            holder: entries.index, column: Table.EntryColumn.target, target: target)
        }
      }
    }
  }
}
