import FoundationEssentials

/// A kind of predicate expression that has a form in SQL, or at least a text for an error message.
protocol SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression

  /// The expression as it would be written in Swift.
  func swiftText(_ translation: PredicateTranslation) -> String
}

/// The translation of one predicate, with the meanings of its variables.
struct PredicateTranslation {
  enum Meaning {
    /// A row, through its properties, and its primary key if it can be compared with others.
    case row((AnyKeyPath) throws -> QueryProperty, key: SQLExpression?)
    case unwrapped(SQLExpression)
  }

  private var meanings: [PredicateExpressions.VariableID: Meaning]

  init(_ variable: PredicateExpressions.VariableID, _ meaning: Meaning) {
    meanings = [variable: meaning]
  }

  func meaning(of variable: PredicateExpressions.VariableID) -> Meaning? { meanings[variable] }

  func binding(_ variable: PredicateExpressions.VariableID, to expression: SQLExpression)
    -> PredicateTranslation
  {
    var copy = self
    copy.meanings[variable] = .unwrapped(expression.bound(to: variable))
    return copy
  }

  func binding(_ variable: PredicateExpressions.VariableID, to row: ObjectRow) -> PredicateTranslation {
    var copy = self
    copy.meanings[variable] = .row(row.resolve, key: row.key)
    return copy
  }

  func expression(_ expression: any PredicateExpression) throws -> SQLExpression {
    guard let translatable = expression as? any SQLTranslatable else {
      throw error(
        at: expression, "SQL has no equivalent that gives the same results; test it in Swift, on the results")
    }
    return try translatable.translated(by: self)
  }

  func value(_ expression: any PredicateExpression) throws -> SQLExpression {
    try self.expression(expression).asValue
  }

  func condition(_ expression: any PredicateExpression) throws -> SQLExpression {
    try self.expression(expression).asCondition
  }

  func error(at expression: any PredicateExpression, _ advice: String) -> QueryError {
    QueryError(expression: text(expression), advice: advice)
  }

  func text(_ expression: any PredicateExpression) -> String {
    if let translatable = expression as? any SQLTranslatable { return translatable.swiftText(self) }
    // Another library's expression: its type's name, with a lowercase first letter, is close to the
    // function's name.
    let type = String(describing: type(of: expression)).prefix { $0 != "<" }
    let receiverKind = ["String", "Sequence", "Collection"].first(where: type.hasPrefix) ?? ""
    let name = type.dropFirst(receiverKind.count)
    var parts = Mirror(reflecting: expression).children.compactMap {
      ($0.value as? any PredicateExpression).map(text)
    }
    let function = name.prefix(1).lowercased() + name.dropFirst()
    let receiver = parts.isEmpty ? "" : parts.removeFirst() + "."
    return "\(receiver)\(function)(\(parts.joined(separator: ", ")))"
  }

  /// The text of an operand, in parentheses where it needs them.
  func operandText(_ expression: any PredicateExpression) -> String {
    let text = text(expression)
    return text.contains(" ") && !text.hasSuffix(")") && !text.hasSuffix("\"") ? "(\(text))" : text
  }
}

extension SQLTranslatable where Self: PredicateExpression {
  func error(_ translation: PredicateTranslation, _ advice: String) -> QueryError {
    translation.error(at: self, advice)
  }
}
