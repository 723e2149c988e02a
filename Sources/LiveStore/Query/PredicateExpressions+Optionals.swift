import FoundationEssentials

extension PredicateExpressions.ForcedUnwrap: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    try translation.expression(inner)
  }

  func swiftText(_ translation: PredicateTranslation) -> String { "\(translation.operandText(inner))!" }
}

extension PredicateExpressions.NilCoalesce: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    let (left, right) = (try translation.value(lhs), try translation.expression(rhs))
    if Output.self == Bool.self, right.constant == .integer(0) {
      // NULL counts as false already, and the operand alone can use an index.
      return left.asCondition
    }
    let other = right.asValue
    return SQLExpression(
      "coalesce(\(left.sql), \(other.sql))", .value, .primary, of: left, other, canBeNull: other.canBeNull,
      nilSources: left.nilSources.intersection(other.nilSources))
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(lhs)) ?? \(translation.operandText(rhs))"
  }
}

/// `optional.map { … }`, `optional?.member` and `if let`.
extension PredicateExpressions.OptionalFlatMap: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    switch try reached(by: translation) {
    case .value(let value): return value
    case .link(let link): return link.value
    case .objects, nil: break
    }
    let optional = try translation.value(wrapped)
    let result = try translation.binding(variable.key, to: optional).value(transform)
    if result.nilSources.contains(variable.key) {
      return SQLExpression(
        result.sql, parameters: result.parameters, columns: result.columns.union(optional.columns), .value,
        result.binding, canBeNull: optional.canBeNull || result.canBeNull,
        nilSources: result.nilSources.subtracting([variable.key]))
    }
    return SQLExpression(
      "CASE WHEN \(optional.operand) IS NOT NULL THEN \(result.sql) END", .value, .primary, of: optional,
      result,
      canBeNull: optional.canBeNull || result.canBeNull, nilSources: optional.nilSources)
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    let inner = translation.binding(variable.key, to: SQLExpression(constant: .null))
    return "\(translation.operandText(wrapped)).flatMap { unwrapped in \(inner.text(transform)) }"
  }
}
