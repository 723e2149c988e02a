import FoundationEssentials

extension PredicateExpressions.Arithmetic: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    try translation.calculation(self, lhs, op.text, rhs)
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(lhs)) \(op.text) \(translation.operandText(rhs))"
  }
}

extension PredicateExpressions.ArithmeticOperator {
  /// The symbol, the same in Swift and SQL.
  fileprivate var text: String {
    switch self {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    @unknown default: preconditionFailure("Foundation has an arithmetic operator that is not known here")
    }
  }
}

extension PredicateExpressions.UnaryMinus: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    // Exact in every type, so a negative Float literal can be used.
    let value = try translation.value(wrapped)
    return .strict("-\(value.operand)", .value, .comparison, value)
  }

  func swiftText(_ translation: PredicateTranslation) -> String { "-\(translation.operandText(wrapped))" }
}

extension PredicateExpressions.IntDivision: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    try translation.calculation(self, lhs, "/", rhs)
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(lhs)) / \(translation.operandText(rhs))"
  }
}

extension PredicateExpressions.IntRemainder: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    try translation.calculation(self, lhs, "%", rhs)
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(lhs)) % \(translation.operandText(rhs))"
  }
}

extension PredicateExpressions.FloatDivision: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    let divisor = try translation.value(rhs)
    // A division by zero is NULL in SQL and infinite in Swift.
    guard case .real(let value)? = divisor.constant, value != 0 else {
      throw error(translation, "divide by a constant other than 0, or multiply the other side")
    }
    return try translation.calculation(self, lhs, "/", rhs)
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(lhs)) / \(translation.operandText(rhs))"
  }
}

extension PredicateTranslation {
  fileprivate func calculation<L: PredicateExpression>(
    _ whole: any PredicateExpression, _ lhs: L, _ symbol: String, _ rhs: any PredicateExpression
  ) throws -> SQLExpression {
    try requireExactArithmetic(L.Output.self, at: whole)
    let (left, right) = (try value(lhs), try value(rhs))
    // Results that are NaN in Swift, such as the difference of two infinities, are NULL in SQLite; so is the
    // quotient of an integer and zero, which stops a program in Swift.
    let mayBeZero = if case .integer(let divisor)? = right.constant { divisor == 0 } else { true }
    let mayDivideByZero = ["/", "%"].contains(symbol) && mayBeZero
    return SQLExpression(
      "\(left.operand) \(symbol) \(right.operand)", .value, .comparison, of: left, right,
      canBeNull: left.canBeNull || right.canBeNull || L.Output.self == Double.self || mayDivideByZero,
      nilSources: left.nilSources.union(right.nilSources))
  }

  fileprivate func requireExactArithmetic(_ type: Any.Type, at expression: any PredicateExpression) throws {
    guard type == Double.self || type is any (BinaryInteger & SQLiteValueConvertible).Type else {
      throw error(
        at: expression, "SQLite calculates in Int64 and Double only, and would round \(type) differently")
    }
  }
}
