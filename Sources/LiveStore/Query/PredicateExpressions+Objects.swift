import FoundationEssentials

/// A kind of predicate expression whose result may be an object or a set of objects.
protocol ObjectTranslatable {
  /// The result; `nil` if it is a plain value.
  func reached(by translation: PredicateTranslation) throws -> ReachedProperty?
}

extension PredicateTranslation {
  /// The result of an expression, if it is an object that may be missing.
  func link(_ expression: any PredicateExpression) throws -> LinkedObject? {
    guard case .link(let link)? = try reached(expression) else { return nil }
    return link
  }

  /// The result of an expression, if it is a set of objects.
  func objects(_ expression: any PredicateExpression) throws -> ObjectSet? {
    guard case .objects(let objects)? = try reached(expression) else { return nil }
    return objects
  }

  private func reached(_ expression: any PredicateExpression) throws -> ReachedProperty? {
    try (expression as? any ObjectTranslatable)?.reached(by: self)
  }
}

extension PredicateExpressions.KeyPath: ObjectTranslatable {
  func reached(by translation: PredicateTranslation) throws -> ReachedProperty? {
    let isBool = Output.self == Bool.self || Output.self == Bool?.self
    if let variable = root as? PredicateExpressions.Variable<Root.Output>,
      case .row(let resolve, let key)? = translation.meaning(of: variable.key)
    {
      if let key, isReference(of: variable.key) { return .value(key) }
      let property: QueryProperty
      do {
        property = try resolve(keyPath)
      } catch let failure as QueryError {
        throw translation.error(at: self, failure.advice)
      }
      switch property {
      case .column(let column): return .value(SQLExpression(column: column, isBool: isBool))
      case .link(let link): return .link(link)
      case .objects(let objects): return .objects(objects)
      }
    }
    // After a forced unwrap.
    if let link = try translation.link(root) { return try link.property(keyPath, isBool: isBool) }
    guard let objects = try translation.objects(root),
      let member = (Root.Output.self as? any QueriedCollection.Type)?.members[keyPath]
    else { return nil }
    switch member {
    case .count: return .value(objects.count)
    case .isEmpty: return .value(objects.exists.negated)
    case .first: return .link(objects.end(isLast: false))
    case .last: return .link(objects.end(isLast: true))
    }
  }
}

/// A kind of predicate expression that may be the ``ObjectMembers/reference`` of a variable.
private protocol ReferenceExpression {
  func isReference(of variable: PredicateExpressions.VariableID) -> Bool
}

extension PredicateExpressions.KeyPath: ReferenceExpression {
  /// Whether the value is the reference of the variable itself, and not that of an object to which it leads.
  fileprivate func isReference(of variable: PredicateExpressions.VariableID) -> Bool {
    guard let root = root as? PredicateExpressions.Variable<Root.Output>, root.key == variable,
      let type = (Output.self as? any AnyObjectReference.Type)?.type, type == Root.Output.self,
      let schema = try? ObjectSchema.of(type)
    else { return false }
    return KeyPathTrace(keyPath, from: schema).properties.isEmpty
  }
}

extension PredicateExpressions.ForcedUnwrap: ObjectTranslatable {
  func reached(by translation: PredicateTranslation) throws -> ReachedProperty? {
    try (inner as? any ObjectTranslatable)?.reached(by: translation)
  }
}

extension PredicateExpressions.OptionalFlatMap: ObjectTranslatable {
  func reached(by translation: PredicateTranslation) throws -> ReachedProperty? {
    guard let link = try translation.link(wrapped) else { return nil }
    // The column itself, which has an index; whether the object exists makes no difference to its key.
    if let transform = transform as? any ReferenceExpression, transform.isReference(of: variable.key) {
      return .value(link.key)
    }
    var isLink = false
    _ = try link.select { row in
      isLink = try translation.binding(variable.key, to: row).link(transform) != nil
      return row.key
    }
    if isLink {
      return .link(
        try link.linked { row in
          try translation.binding(variable.key, to: row).link(transform) ?? link
        })
    }
    return .value(
      try link.select { row in try translation.binding(variable.key, to: row).expression(transform).asValue })
  }
}

extension PredicateExpressions.Filter: ObjectTranslatable, SQLTranslatable {
  func reached(by translation: PredicateTranslation) throws -> ReachedProperty? {
    guard let objects = try translation.objects(sequence) else { return nil }
    return .objects(objects.filtered(try translation.condition(filter, of: objects, variable.key)))
  }

  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    throw error(translation, "a list can only be counted, asked whether it is empty, and searched")
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(sequence)).filter { \(translation.text(filter)) }"
  }
}

/// `list.contains { … }`
extension PredicateExpressions.SequenceContainsWhere: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    guard let objects = try translation.objects(sequence) else {
      throw error(translation, "only lists of objects can be searched with a condition")
    }
    return objects.filtered(try translation.condition(test, of: objects, variable.key)).exists
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(sequence)).contains { \(translation.text(test)) }"
  }
}

/// `list.allSatisfy { … }`
extension PredicateExpressions.SequenceAllSatisfy: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    guard let objects = try translation.objects(sequence) else {
      throw error(translation, "only lists of objects can be tested as a whole")
    }
    let condition = try translation.condition(test, of: objects, variable.key)
    return objects.filtered(condition.negated).exists.negated
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(sequence)).allSatisfy { \(translation.text(test)) }"
  }
}

extension PredicateTranslation {
  fileprivate func condition(
    _ test: any PredicateExpression, of objects: ObjectSet, _ variable: PredicateExpressions.VariableID
  ) throws -> SQLExpression {
    try binding(variable, to: objects.elements).condition(test)
  }
}
