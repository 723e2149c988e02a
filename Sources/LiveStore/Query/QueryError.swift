/// A predicate that has no form in SQL, detected when the query is created, never while it runs.
public struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The part of the predicate that cannot be used, much as it was written in Swift.
  public let expression: String

  /// The reason, and what to write instead.
  public let advice: String

  /// An error about a part of a predicate.
  ///
  /// - Parameters:
  ///   - expression: The part, as it was written in Swift.
  ///   - advice: The reason, and what to write instead.
  public init(expression: String, advice: String) {
    self.expression = expression
    self.advice = advice
  }

  /// The expression and the advice in one sentence.
  public var description: String { "\(expression) cannot be used in a query: \(advice)" }
}
