import FoundationEssentials

extension PredicateExpressions.Conjunction: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    .and(try translation.condition(lhs), try translation.condition(rhs))
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(lhs)) && \(translation.operandText(rhs))"
  }
}

extension PredicateExpressions.Disjunction: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    .or(try translation.condition(lhs), try translation.condition(rhs))
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(lhs)) || \(translation.operandText(rhs))"
  }
}

extension PredicateExpressions.Negation: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    try translation.condition(wrapped).negated
  }

  func swiftText(_ translation: PredicateTranslation) -> String { "!\(translation.operandText(wrapped))" }
}

extension PredicateExpressions.Conditional: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    let test = try translation.condition(self.test)
    let (yes, no) = (try translation.value(trueBranch), try translation.value(falseBranch))
    return SQLExpression(
      "CASE WHEN \(test.sql) THEN \(yes.sql) ELSE \(no.sql) END", .value, .primary, of: test, yes, no,
      canBeNull: yes.canBeNull || no.canBeNull)
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    let parts = [
      translation.operandText(test), translation.operandText(trueBranch),
      translation.operandText(falseBranch),
    ]
    return "\(parts[0]) ? \(parts[1]) : \(parts[2])"
  }
}
