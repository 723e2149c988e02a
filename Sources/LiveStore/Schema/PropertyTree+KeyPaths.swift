extension PropertyTree {
  /// Creates the tree of the properties that key paths name.
  ///
  /// A key path is a sequence of names separated by dots. Each names a property of the class that the one
  /// before it leads to; `*` names all of them, `*.*` also those of the objects that they lead to;
  /// `Class.property` names the objects of a class whose property leads to the object.
  ///
  /// A key path that leads nowhere is a programmer's error, which stops the program.
  init(_ keyPaths: [String], of table: Table, schema: Schema) {
    self.init(table: table.index)
    for keyPath in keyPaths {
      if let failure = watch(keyPath, schema: schema) {
        fatalError("The key path “\(keyPath)” of \(table.name) cannot be observed: \(failure)")
      }
    }
  }

  /// Creates the tree of all properties of a class, without those of the objects that they lead to.
  init(allOf table: Table, schema: Schema) {
    self.init(table: table.index)
    for (_, step) in PropertyTree.steps(of: table, schema: schema) where !step.property.isBacklink {
      watch(step)
    }
  }

  /// Adds a key path. Returns the reason if it leads nowhere.
  mutating func watch(_ keyPath: String, schema: Schema) -> String? {
    watch(keyPath.split(separator: ".", omittingEmptySubsequences: false)[...], schema: schema)
  }

  private mutating func watch(_ names: ArraySlice<Substring>, schema: Schema) -> String? {
    guard let name = names.first else { return nil }
    let table = schema.tables[table]
    let rest = names.dropFirst()
    let own = PropertyTree.steps(of: table, schema: schema)
    if name == "*" {
      // Classes without such a property are not meant.
      var failure: String? =
        "none of the properties of \(table.name) leads on to “\(rest.joined(separator: "."))”."
      for (_, step) in own
      where !step.property.isBacklink && (step.target != nil || rest.allSatisfy({ $0 == "*" })) {
        if let target = step.target {
          var below = branches[step.property] ?? PropertyTree(table: target)
          guard below.watch(rest, schema: schema) == nil else { continue }
          watch(step) { $0 = below }
        } else {
          watch(step)
        }
        failure = nil
      }
      return failure
    }
    if let (_, step) = own.first(where: { $0.name == name }) {
      guard rest.isEmpty || step.target != nil else {
        return "\(table.name).\(name) is a value and leads to no other property."
      }
      var failure: String?
      watch(step) { failure = $0.watch(rest, schema: schema) }
      return failure
    }
    if let origin = schema.table(named: String(name)), !origin.isEntries, let link = rest.first,
      let step = PropertyTree.backlink(from: origin, named: link, to: table, schema: schema)
    {
      var failure: String?
      watch(step) { failure = $0.watch(rest.dropFirst(), schema: schema) }
      return failure
    }
    return "\(table.name) has no property “\(name)”, it has \(own.map(\.name).joined(separator: ", "))."
  }

  /// The properties of a class that a key path may name.
  static func steps(of table: Table, schema: Schema) -> [(name: String, step: Step)] {
    guard case .objects(let objectSchema) = table.role else { return [] }
    return objectSchema.properties.map { property in
      switch property.kind {
      case .value: (property.name, Step(property: .column(property.slot), target: nil))
      case .link(let type):
        (property.name, Step(property: .column(property.slot), target: schema.table(of: type).index))
      case .list(let type):
        (
          property.name,
          Step(
            property: .list(entries: schema.lists[table.index][property.slot]),
            target: schema.table(of: type).index)
        )
      case .linkingObjects:
        (property.name, schema.backlinks[table.index][property.slot].backward)
      }
    }
  }

  /// The property of another class, seen from the objects that it leads to.
  static func backlink(from origin: Table, named name: Substring, to table: Table, schema: Schema) -> Step? {
    guard let (_, step) = steps(of: origin, schema: schema).first(where: { $0.name == name }),
      step.target == table.index
    else { return nil }
    switch step.property {
    case .column(let column):
      return Step(property: .linking(table: origin.index, column: column), target: origin.index)
    case .list(let entries): return Step(property: .listing(entries: entries), target: origin.index)
    case .linking, .listing: return nil
    }
  }

  /// The name of a backlink in a key path.
  static func name(ofBacklink property: Edge, schema: Schema) -> String? {
    for table in schema.tables where !table.isEntries {
      for (name, step) in steps(of: table, schema: schema) {
        switch step.property {
        case .column(let column):
          if property == .linking(table: table.index, column: column) { return "\(table.name).\(name)" }
        case .list(let entries):
          if property == .listing(entries: entries) { return "\(table.name).\(name)" }
        case .linking, .listing: continue
        }
      }
    }
    return nil
  }
}
