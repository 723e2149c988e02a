import FoundationEssentials

/// A part of a predicate in SQL.
struct SQLExpression {
  /// The meaning of NULL.
  enum Shape {
    /// Nil. A Bool is 0 or 1, except for a column's own value (see `isStoredBool`).
    case value
    /// False: the expression may be used in WHERE, AND and OR, but not for its value.
    case condition
  }

  /// The precedence of the outermost operator, lowest first.
  enum Binding: Comparable {
    case or
    case and
    case not
    case comparison
    case primary
  }

  let sql: String
  let parameters: [SQLiteValue]
  let columns: Set<String>
  let shape: Shape
  let binding: Binding
  /// Whether it can be NULL while every variable in `nilSources` is not nil.
  let canBeNull: Bool
  /// The unwrapped optionals that make the whole NULL when they are NULL.
  let nilSources: Set<PredicateExpressions.VariableID>
  /// The value, if it is known without a row.
  let constant: SQLiteValue?
  /// Whether it is a Bool as stored in a column: any number, true unless 0.
  let isStoredBool: Bool

  /// - Parameter sql: SQL that contains each operand once, in this order.
  init(
    _ sql: String, _ shape: Shape, _ binding: Binding, of operands: SQLExpression..., canBeNull: Bool,
    nilSources: Set<PredicateExpressions.VariableID> = []
  ) {
    self.init(
      sql, parameters: operands.flatMap(\.parameters),
      columns: operands.reduce(into: []) { $0.formUnion($1.columns) },
      shape, binding, canBeNull: canBeNull, nilSources: nilSources)
  }

  init(
    _ sql: String, parameters: [SQLiteValue], columns: Set<String>, _ shape: Shape, _ binding: Binding,
    canBeNull: Bool,
    nilSources: Set<PredicateExpressions.VariableID> = [], constant: SQLiteValue? = nil,
    isStoredBool: Bool = false
  ) {
    self.sql = sql
    self.parameters = parameters
    self.columns = columns
    self.shape = shape
    self.binding = binding
    self.canBeNull = canBeNull
    self.nilSources = nilSources
    self.constant = constant
    self.isStoredBool = isStoredBool
  }

  init(column: QueryColumn, isBool: Bool) {
    self.init(
      column.sql, parameters: [], columns: [column.name], .value, .primary, canBeNull: column.isOptional,
      isStoredBool: isBool)
  }

  init(constant: SQLiteValue) {
    let isNull = constant == .null
    self.init(
      isNull ? "NULL" : "?", parameters: isNull ? [] : [constant], columns: [], .value, .primary,
      canBeNull: isNull,
      constant: constant)
  }

  /// The same truth value for every row.
  init(always value: Bool) {
    self.init(
      value ? "1" : "0", parameters: [], columns: [], .condition, .primary, canBeNull: false,
      constant: .integer(value ? 1 : 0))
  }

  /// The text, in parentheses unless it binds at least as tightly as given.
  func text(_ binding: Binding) -> String {
    self.binding >= binding ? sql : "(\(sql))"
  }

  /// The text as an operand of an operator that is not a logical one.
  var operand: String { text(.primary) }

  /// The expression for WHERE, AND, OR and tests.
  var asCondition: SQLExpression {
    switch shape {
    case .condition: self
    // A condition is never nil, and must not be compared as if it were.
    case .value where constant == .null: SQLExpression(always: false)
    case .value: with(sql, .condition, binding, canBeNull: canBeNull, nilSources: nilSources)
    }
  }

  /// The expression with NULL for nil only, and with 0 or 1 for a Bool.
  var asValue: SQLExpression {
    switch shape {
    case .condition where canBeNull: with("\(operand) IS TRUE", .value, .comparison, canBeNull: false)
    case .condition: with(sql, .value, binding, canBeNull: false, nilSources: nilSources)
    case .value where isStoredBool:
      with("NOT NOT \(operand)", .value, .not, canBeNull: canBeNull, nilSources: nilSources)
    case .value: self
    }
  }

  /// The negation of this condition, in which NULL counts as false.
  var negated: SQLExpression {
    let condition = asCondition
    return condition.canBeNull
      ? with("\(condition.operand) IS NOT TRUE", .condition, .comparison, canBeNull: false)
      : with("NOT \(condition.text(.comparison))", .condition, .not, canBeNull: false, nilSources: nilSources)
  }

  /// The same operand as the value of an unwrapped variable.
  func bound(to variable: PredicateExpressions.VariableID) -> SQLExpression {
    SQLExpression(
      sql, parameters: parameters, columns: columns, shape, binding, canBeNull: false,
      nilSources: nilSources.union([variable]), constant: constant, isStoredBool: isStoredBool)
  }

  /// Other SQL that contains this as its only operand.
  func with(
    _ sql: String, _ shape: Shape, _ binding: Binding, canBeNull: Bool,
    nilSources: Set<PredicateExpressions.VariableID> = []
  ) -> SQLExpression {
    SQLExpression(
      sql, parameters: parameters, columns: columns, shape, binding, canBeNull: canBeNull,
      nilSources: nilSources,
      constant: sql == self.sql ? constant : nil)
  }

  /// An operator or function that is NULL if any operand is.
  static func strict(
    _ sql: String, _ shape: Shape, _ binding: Binding, _ operands: SQLExpression...
  ) -> SQLExpression {
    SQLExpression(
      sql, parameters: operands.flatMap(\.parameters),
      columns: operands.reduce(into: []) { $0.formUnion($1.columns) },
      shape, binding, canBeNull: operands.contains(where: \.canBeNull),
      nilSources: operands.reduce(into: []) { $0.formUnion($1.nilSources) })
  }
}
