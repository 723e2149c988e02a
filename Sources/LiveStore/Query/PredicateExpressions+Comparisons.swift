import FoundationEssentials

extension PredicateExpressions.Equal: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    try translation.equality(lhs, rhs)
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(lhs)) == \(translation.operandText(rhs))"
  }
}

extension PredicateExpressions.NotEqual: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    try translation.inequality(lhs, rhs)
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(lhs)) != \(translation.operandText(rhs))"
  }
}

extension PredicateExpressions.Comparison: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    var (left, right) = (try translation.value(lhs), try translation.value(rhs))
    if let type = LHS.Output.self as? any (PersistableEnum & Comparable).Type {
      let values = storedValuesInOrder(type)
      (left, right) = (left.place(in: values), right.place(in: values))
    } else if LHS.Output.self == Decimal.self {
      (left, right) = (left.decimalKey, right.decimalKey)
    } else if !PredicateTranslation.sortsAsStored(LHS.Output.self) {
      throw error(
        translation,
        "values of type \(LHS.Output.self) may sort differently in the file; "
          + "compare numbers, texts, dates, UUIDs or persistable enumerations"
      )
    }
    return .strict("\(left.operand) \(op.text) \(right.operand)", .condition, .comparison, left, right)
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(lhs)) \(op.text) \(translation.operandText(rhs))"
  }
}

/// The stored values of the cases of an enumeration, in their order in Swift.
private func storedValuesInOrder<Enumeration: PersistableEnum & Comparable>(_ type: Enumeration.Type)
  -> [SQLiteValue]
{
  Enumeration.allCases.sorted().map(\.sqliteValue)
}

extension SQLExpression {
  /// The index of this value among others; the value itself if they are in the order of SQL anyway. NULL for
  /// any other value.
  fileprivate func place(in values: [SQLiteValue]) -> SQLExpression {
    let keys = values.map { RankKeyWriter.key(of: $0) }
    if zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) { return self }
    let cases = values.indices.map { "WHEN ? THEN \($0)" }.joined(separator: " ")
    return SQLExpression(
      "CASE \(operand) \(cases) END", parameters: parameters + values, columns: columns, .value, .primary,
      canBeNull: true, nilSources: nilSources)
  }
}

extension PredicateExpressions.ComparisonOperator {
  /// The symbol, the same in Swift and SQL.
  fileprivate var text: String {
    switch self {
    case .lessThan: "<"
    case .lessThanOrEqual: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqual: ">="
    @unknown default: preconditionFailure("Foundation has a comparison operator that is not known here")
    }
  }
}

extension PredicateTranslation {
  /// Whether SQL's order of the stored values is Swift's order of the type, which may not be so for an
  /// enumeration.
  static func sortsAsStored(_ type: Any.Type) -> Bool {
    type is any (BinaryInteger & SQLiteValueConvertible).Type
      || type is any (BinaryFloatingPoint & SQLiteValueConvertible).Type
      || [String.self, Date.self, UUID.self].contains { $0 == type }
  }

  func equality<L: PredicateExpression, R: PredicateExpression>(
    _ lhs: L, _ rhs: R
  ) throws -> SQLExpression where L.Output == R.Output {
    let (left, right) = (try expression(lhs), try expression(rhs))
    for (constant, other) in [(left.constant, right), (right.constant, left)] {
      switch constant {
      case .null: return other.isNull
      case .integer(let truth) where isBool(L.Output.self): return other.isTruth(truth != 0)
      default: break
      }
    }
    let (l, r) = operands(left, right, L.Output.self)
    // Two optionals that are both nil are equal. Two values force-unwrapped from nil are not.
    guard L.Output.self is any ExpressibleByNilLiteral.Type, l.canBeNull, r.canBeNull else {
      return .strict("\(l.operand) = \(r.operand)", .condition, .comparison, l, r)
    }
    return SQLExpression("\(l.operand) IS \(r.operand)", .condition, .comparison, of: l, r, canBeNull: false)
  }

  func inequality<L: PredicateExpression, R: PredicateExpression>(
    _ lhs: L, _ rhs: R
  ) throws -> SQLExpression where L.Output == R.Output {
    let (left, right) = (try expression(lhs), try expression(rhs))
    guard left.constant != .null, right.constant != .null, !isBool(L.Output.self) else {
      return try equality(lhs, rhs).negated
    }
    let (l, r) = operands(left, right, L.Output.self)
    guard l.canBeNull || r.canBeNull else {
      return .strict("\(l.operand) <> \(r.operand)", .condition, .comparison, l, r)
    }
    guard L.Output.self is any ExpressibleByNilLiteral.Type else { return try equality(lhs, rhs).negated }
    return SQLExpression(
      "\(l.operand) IS NOT \(r.operand)", .condition, .comparison, of: l, r, canBeNull: false)
  }

  private func operands(
    _ left: SQLExpression, _ right: SQLExpression, _ type: Any.Type
  ) -> (SQLExpression, SQLExpression) {
    type == Decimal.self || type == Decimal?.self
      ? (left.decimalKey, right.decimalKey) : (left.asValue, right.asValue)
  }

  private func isBool(_ type: Any.Type) -> Bool { type == Bool.self || type == Bool?.self }
}

extension SQLExpression {
  /// The ``DecimalKey`` of this value; NULL if another program has written something else than a number.
  var decimalKey: SQLExpression {
    if let constant { return SQLExpression(constant: DecimalKey.key(of: constant)) }
    return with(
      "\(Connection.decimalKey)(\(asValue.sql))", .value, .primary, canBeNull: true, nilSources: nilSources)
  }

  fileprivate var isNull: SQLExpression {
    let value = asValue
    return value.with("\(value.operand) IS NULL", .condition, .comparison, canBeNull: false)
  }

  /// Whether this Bool, which may be nil, is the given one; written so that an index on the column can be
  /// used.
  fileprivate func isTruth(_ truth: Bool) -> SQLExpression {
    if truth { return asCondition }
    if shape == .condition { return negated }
    return with("NOT \(text(.comparison))", .condition, .not, canBeNull: canBeNull, nilSources: nilSources)
  }
}
