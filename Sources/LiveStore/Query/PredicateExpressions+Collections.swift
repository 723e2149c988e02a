import FoundationEssentials

/// `text.contains(otherText)`
extension PredicateExpressions.CollectionContainsCollection: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    guard Base.Output.self == String.self, Other.Output.self == String.self else {
      throw error(translation, "only a text can be searched for a text")
    }
    let (text, other) = (try translation.value(base), try translation.value(self.other))
    return .strict("instr(\(text.sql), \(other.sql)) > 0", .condition, .comparison, text, other)
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(base)).contains(\(translation.text(other)))"
  }
}

/// `text.starts(with: otherText)`
extension PredicateExpressions.SequenceStartsWith: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    guard Base.Output.self == String.self, Prefix.Output.self == String.self else {
      throw error(translation, "only a text can be asked for its beginning, with a text")
    }
    let (text, other) = (try translation.value(base), try translation.value(prefix))
    // `substr` and `length` would stop at a NUL.
    return .strict("instr(\(text.sql), \(other.sql)) = 1", .condition, .comparison, text, other)
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(base)).starts(with: \(translation.text(prefix)))"
  }
}

/// `list.contains(element)`, and the same of an array or a set
extension PredicateExpressions.SequenceContains: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    if let objects = try translation.objects(sequence) {
      let (key, element) = (objects.elements.key, try translation.value(self.element))
      return objects.filtered(
        .strict("\(key.sql) = \(element.operand)", .condition, .comparison, key, element)
      )
      .exists
    }
    guard let constant = sequence as? PredicateExpressions.Value<LHS.Output>, LHS.Output.self != String.self
    else {
      // Dictionaries would be searched for pairs.
      if let type = LHS.Output.self as? any ValueCollection.Type,
        RHS.Output.self is any SQLiteValueConvertible.Type
      {
        return try translation.contains(element, in: sequence, of: type)
      }
      throw error(
        translation,
        "only a list, an array or a set, from outside the predicate or of a property, "
          + "can be searched for an element")
    }
    var values: [SQLiteValue] = []
    for member in constant.value {
      guard let value = try translation.constant(member, at: self) else {
        throw error(translation, "a value of type \(LHS.Output.Element.self) is kept in no column")
      }
      values.append(value)
    }
    var element = try translation.value(self.element)
    if RHS.Output.self == Decimal.self || RHS.Output.self == Decimal?.self {
      element = element.decimalKey
      values = values.map { DecimalKey.key(of: $0) }
    }
    let listed = values.filter { $0 != .null }
    guard listed.count <= Self.maximumCount else {
      throw error(
        translation,
        "SQLite takes \(Self.maximumCount.grouped) values at most, and these are \(listed.count.grouped); "
          + "use a range or ask in parts"
      )
    }
    let isListed =
      listed.isEmpty
      ? SQLExpression(always: false)
      : SQLExpression(
        "\(element.operand) IN (\(Array(repeating: "?", count: listed.count).joined(separator: ", ")))",
        parameters: element.parameters + listed, columns: element.columns, .condition, .comparison,
        canBeNull: element.canBeNull, nilSources: element.nilSources)
    guard listed.count < values.count, element.canBeNull else { return isListed }
    return SQLExpression(
      "\(element.operand) IS NULL OR \(isListed.sql)", .condition, .or, of: element, isListed, canBeNull: true
    )
  }

  /// A little less than SQLITE_MAX_VARIABLE_NUMBER, to leave some for the rest of the query.
  private static var maximumCount: Int { 32_000 }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(sequence)).contains(\(translation.text(element)))"
  }
}

/// `(lower...upper).contains(element)`
extension PredicateExpressions.RangeExpressionContains: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    let isDecimal = Element.Output.self == Decimal.self
    guard isDecimal || PredicateTranslation.sortsAsStored(Element.Output.self) else {
      throw error(translation, "values of type \(Element.Output.self) may sort differently in the file")
    }
    var bounds: RangeBounds
    if let range = range as? any RangeOfExpressions {
      bounds = try range.bounds(translation)
    } else if let range = range as? PredicateExpressions.Value<RangeExpression.Output>,
      let constant = range.value as? any RangeOfConstants
    {
      let (lower, upper, isClosed) = constant.boundValues
      func expression(_ bound: Any?) throws -> SQLExpression? {
        try bound.flatMap { try translation.constant($0, at: self) }.map { SQLExpression(constant: $0) }
      }
      bounds = RangeBounds(lower: try expression(lower), upper: try expression(upper), isClosed: isClosed)
    } else {
      throw error(translation, "write the range with ... or ..<")
    }
    var element = try translation.value(self.element)
    if isDecimal {
      element = element.decimalKey
      bounds = RangeBounds(
        lower: bounds.lower?.decimalKey, upper: bounds.upper?.decimalKey, isClosed: bounds.isClosed)
    }
    let tests = [
      bounds.lower.map {
        SQLExpression.strict("\(element.operand) >= \($0.operand)", .condition, .comparison, element, $0)
      },
      bounds.upper.map {
        SQLExpression.strict(
          "\(element.operand) \(bounds.isClosed ? "<=" : "<") \($0.operand)", .condition, .comparison,
          element, $0)
      },
    ].compactMap { $0 }
    guard let first = tests.first, let last = tests.last, tests.count == 2 else {
      return tests.first ?? SQLExpression(always: true)
    }
    return SQLExpression(
      "\(first.sql) AND \(last.sql)", .condition, .and, of: first, last,
      canBeNull: first.canBeNull || last.canBeNull,
      nilSources: first.nilSources.intersection(last.nilSources))
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "(\(translation.text(range))).contains(\(translation.text(element)))"
  }
}

private struct RangeBounds {
  let lower: SQLExpression?
  let upper: SQLExpression?
  let isClosed: Bool
}

private protocol RangeOfExpressions: PredicateExpression, SQLTranslatable {
  func bounds(_ translation: PredicateTranslation) throws -> RangeBounds
}

extension RangeOfExpressions {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    throw error(translation, "a range can only be asked what it contains")
  }
}

extension PredicateExpressions.ClosedRange: RangeOfExpressions {
  fileprivate func bounds(_ translation: PredicateTranslation) throws -> RangeBounds {
    RangeBounds(lower: try translation.value(lower), upper: try translation.value(upper), isClosed: true)
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(lower))...\(translation.operandText(upper))"
  }
}

extension PredicateExpressions.Range: RangeOfExpressions {
  fileprivate func bounds(_ translation: PredicateTranslation) throws -> RangeBounds {
    RangeBounds(lower: try translation.value(lower), upper: try translation.value(upper), isClosed: false)
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(lower))..<\(translation.operandText(upper))"
  }
}

private protocol RangeOfConstants {
  var boundValues: (lower: Any?, upper: Any?, isClosed: Bool) { get }
}

extension ClosedRange: RangeOfConstants {
  fileprivate var boundValues: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, true) }
}

extension Range: RangeOfConstants {
  fileprivate var boundValues: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, false) }
}

extension PartialRangeFrom: RangeOfConstants {
  fileprivate var boundValues: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, nil, false) }
}

extension PartialRangeThrough: RangeOfConstants {
  fileprivate var boundValues: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, true) }
}

extension PartialRangeUpTo: RangeOfConstants {
  fileprivate var boundValues: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, false) }
}
