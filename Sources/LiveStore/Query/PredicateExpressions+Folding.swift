import FoundationEssentials

// `#Predicate` knows these functions of Foundation's texts, but on Linux Foundation has no expressions for
// them (Swift 6.3). The macro uses the ones declared here instead.

extension PredicateExpressions {
  /// The expression of `text.localizedStandardContains(otherText)` in a predicate, which ignores the case of
  /// letters and the marks on them.
  ///
  /// The same in every locale, so that the files and the queries of two machines agree.
  public struct FoldedContains<Base: PredicateExpression, Other: PredicateExpression>: PredicateExpression
  where Base.Output == String, Other.Output == String {
    public typealias Output = Bool

    /// The text that is searched.
    public let base: Base
    /// The text that is looked for.
    public let other: Other

    /// Whether a text contains another.
    public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
      let options: StringOptions = [.caseInsensitive, .diacriticInsensitive]
      return try base.evaluate(bindings).folded(options).contains(other.evaluate(bindings).folded(options))
    }
  }

  /// The expression of `text.caseInsensitiveCompare(otherText)` in a predicate, which ignores the case of
  /// letters.
  public struct FoldedCompare<Base: PredicateExpression, Other: PredicateExpression>: PredicateExpression
  where Base.Output == String, Other.Output == String {
    public typealias Output = ComparisonResult

    /// The text on the left.
    public let base: Base
    /// The text on the right.
    public let other: Other

    /// The order of two texts.
    public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
      let (left, right) = (
        try base.evaluate(bindings).folded(.caseInsensitive),
        try other.evaluate(bindings).folded(.caseInsensitive)
      )
      // By the bytes, like SQLite.
      if left.utf8.elementsEqual(right.utf8) { return .orderedSame }
      return left.utf8.lexicographicallyPrecedes(right.utf8) ? .orderedAscending : .orderedDescending
    }
  }

  /// Builds the expression for `text.localizedStandardContains(otherText)`; called by `#Predicate`.
  // The macro asks for this name.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static func build_localizedStandardContains<Base, Other>(
    _ base: Base, _ other: Other
  ) -> FoldedContains<Base, Other> {
    FoldedContains(base: base, other: other)
  }

  /// Builds the expression for `text.caseInsensitiveCompare(otherText)`; called by `#Predicate`.
  // The macro asks for this name.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static func build_caseInsensitiveCompare<Base, Other>(
    _ base: Base, _ other: Other
  ) -> FoldedCompare<Base, Other> {
    FoldedCompare(base: base, other: other)
  }
}

extension PredicateExpressions.FoldedContains: Sendable where Base: Sendable, Other: Sendable {}
extension PredicateExpressions.FoldedContains: Codable where Base: Codable, Other: Codable {}
extension PredicateExpressions.FoldedContains: StandardPredicateExpression
where Base: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.FoldedCompare: Sendable where Base: Sendable, Other: Sendable {}
extension PredicateExpressions.FoldedCompare: Codable where Base: Codable, Other: Codable {}
extension PredicateExpressions.FoldedCompare: StandardPredicateExpression
where Base: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.FoldedContains: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    let options: StringOptions = [.caseInsensitive, .diacriticInsensitive]
    let (text, other) = (
      try translation.value(base).folded(options), try translation.value(self.other).folded(options)
    )
    return .strict("instr(\(text.sql), \(other.sql)) > 0", .condition, .comparison, text, other)
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(base)).localizedStandardContains(\(translation.text(other)))"
  }
}

extension PredicateExpressions.FoldedCompare: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    let (left, right) = (
      try translation.value(base).folded(.caseInsensitive),
      try translation.value(other).folded(.caseInsensitive)
    )
    // The raw values of ComparisonResult: less, equal, greater.
    return SQLExpression(
      "CASE WHEN \(left.operand) < \(right.operand) THEN -1 ELSE \(left.operand) > \(right.operand) END",
      parameters: left.parameters + right.parameters + left.parameters + right.parameters,
      columns: left.columns.union(right.columns), .value, .primary,
      canBeNull: left.canBeNull || right.canBeNull,
      nilSources: left.nilSources.union(right.nilSources))
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(base)).caseInsensitiveCompare(\(translation.text(other)))"
  }
}
