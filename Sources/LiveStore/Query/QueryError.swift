/// A predicate that has no form in SQL. Found when the query is made, never while it runs.
public struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The part of the predicate that cannot be used, much as it was written in Swift.
  public let expression: String

  /// What is wrong with it and what to write instead.
  public let advice: String

  public init(expression: String, advice: String) {
    self.expression = expression
    self.advice = advice
  }

  public var description: String { "\(expression) cannot be used in a query: \(advice)" }
}
