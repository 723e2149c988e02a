/// A difference of the table of a class, or of one of its lists, from the schema.
struct SchemaDifference {
  enum Kind {
    case added
    case removed
    /// A column that the class had when the file was last prepared, and has still: another program has
    /// removed or renamed it.
    case missing
    /// A column that may be NULL from now on: no value is lost.
    case madeOptional
    /// A column that may no longer be NULL: rows without a value need one.
    case madeRequired
    /// A rule of the class that is part of its table.
    case ruleChanged
    /// A difference that a person has to resolve; the instruction is the rest of a sentence.
    case changed(String)
  }

  /// Class and property, as `Person.age`.
  let property: String
  let kind: Kind

  var description: String {
    switch kind {
    case .added: "\(property) has been added"
    case .removed: "\(property) has been removed"
    case .missing: "\(property) is missing"
    case .madeOptional: "\(property) has been made optional"
    case .madeRequired: "\(property) is no longer optional"
    case .ruleChanged: "\(property) have changed"
    case .changed(let how): "\(property) \(how)"
    }
  }

  /// Whether the file has the values of the class, and only other rules for them.
  var isOfRules: Bool { if case .ruleChanged = kind { true } else { false } }

  var isMissing: Bool { if case .missing = kind { true } else { false } }

  var needsBlock: Bool {
    switch kind {
    case .madeRequired, .changed: true
    case .added, .removed, .missing, .madeOptional, .ruleChanged: false
    }
  }
}

extension Schema {
  /// The differences of an existing class in the file; throws if its primary key is another property, since
  /// all references to its rows use that key.
  func differences(
    of table: Table, _ objects: ObjectSchema, in file: FileSchema
  ) throws(StoreError) -> [SchemaDifference] {
    guard let existing = file.tables[table.name] else { return [] }
    let key = table.columns[table.primaryKey]
    /// Whether another program has removed or renamed a column.
    func isMissing(_ name: String) -> Bool {
      existing.properties?.contains(name) == true && file.entries(of: name, in: existing) == nil
        && !existing.columns.contains { $0.name == name }
    }
    if isMissing(key.name) {
      return [SchemaDifference(property: "\(table.name).\(key.name)", kind: .missing)]
    }
    guard let oldKey = existing.primaryKey, oldKey.name == key.name, oldKey.type == key.type.rawValue else {
      throw StoreError(
        .schema,
        "The primary key of \(table.name) is \(existing.primaryKey?.name ?? "missing") "
          + "(\(existing.primaryKey?.type ?? "")) in the file "
          + "and \(key.name) (\(key.type.rawValue)) in the class; "
          + "a primary key cannot be changed, so declare a new class and copy the objects in a migration.")
    }
    var differences: [SchemaDifference] = []
    func add(_ name: String, _ kind: SchemaDifference.Kind) {
      differences.append(SchemaDifference(property: "\(table.name).\(name)", kind: kind))
    }
    for (index, column) in table.columns.enumerated() {
      guard let old = existing.columns.first(where: { $0.name == column.name }),
        existing.properties?.contains(column.name) ?? true
      else {
        let wasList = existing.lists.contains(column.name)
        add(
          column.name, isMissing(column.name) ? .missing : wasList ? .changed("is no list any more") : .added)
        continue
      }
      let target = table.references.first { $0.column == index }.map { tables[$0.target].name }
      if old.target != target {
        add(column.name, .changed("leads to \(target ?? "nothing") and led to \(old.target ?? "nothing")"))
      } else if old.type != column.type.rawValue {
        add(column.name, .changed("is stored as \(column.type.rawValue) and was stored as \(old.type)"))
      } else if old.isOptional, !column.isOptional {
        add(column.name, .madeRequired)
      } else if !old.isOptional, column.isOptional {
        add(column.name, .madeOptional)
      }
    }
    let links = table.references.filter { reference in
      let column = table.columns[reference.column].name
      guard let old = existing.columns.first(where: { $0.name == column }), old.target != nil else {
        return false
      }
      return old.onDelete != (table.rules.deletions[reference.column] ?? .nullify)
    }
    for link in links {
      add("\(table.columns[link.column].name)'s consequences of a deletion", .ruleChanged)
    }
    if existing.checks != table.checksNote { add("rules' checks", .ruleChanged) }
    let lists = Set(objects.lists.map(\.name))
    for old in existing.ownColumns where !table.columns.contains(where: { $0.name == old.name }) {
      add(old.name, lists.contains(old.name) ? .changed("is a list now and was none") : .removed)
    }
    for (slot, property) in objects.lists.enumerated() {
      guard let entries = file.tables[Schema.entriesName(class: table.name, list: property.name)] else {
        let isNew = existing.properties.map { !$0.contains(property.name) } ?? false
        if isNew, !existing.ownColumns.contains(where: { $0.name == property.name }) {
          add(property.name, .added)
        }
        continue
      }
      guard case .entries(_, let target) = tables[self.lists[table.index][slot]].role else { continue }
      let old = entries.columns.first { $0.name == "target" }?.target
      if old != tables[target].name {
        add(property.name, .changed("is a list of \(tables[target].name) and was one of \(old ?? "nothing")"))
      }
    }
    for old in existing.lists
    where !lists.contains(old) && !table.columns.contains(where: { $0.name == old }) && !isMissing(old) {
      add(old, .removed)
    }
    return differences
  }
}
