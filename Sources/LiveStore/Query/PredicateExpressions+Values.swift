import FoundationEssentials

extension PredicateExpressions.Variable: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    switch translation.meaning(of: key) {
    case .unwrapped(let expression): return expression
    case .row(_, let key?): return key
    case .row:
      throw error(translation, "compare properties of the object, such as its primary key, not the object")
    case nil: throw error(translation, "it is the variable of another predicate")
    }
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    if case .unwrapped = translation.meaning(of: key) { "unwrapped" } else { "$0" }
  }
}

extension PredicateExpressions.Value: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    guard let constant = try translation.constant(value, at: self) else {
      throw error(
        translation,
        "a value of type \(Output.self) is kept in no column; "
          + "use a number, a Bool, a text, a Date, a Data, a UUID or an enumeration of them")
    }
    return SQLExpression(constant: constant)
  }

  func swiftText(_ translation: PredicateTranslation) -> String { constantText(value) }
}

extension PredicateExpressions.NilLiteral: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    SQLExpression(constant: .null)
  }

  func swiftText(_ translation: PredicateTranslation) -> String { "nil" }
}

extension PredicateExpressions.KeyPath: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    switch try reached(by: translation) {
    case .value(let value): return value
    case .link(let link): return link.value
    case .objects:
      throw error(translation, "a list can only be counted, asked whether it is empty, and searched")
    case nil: break
    }
    if let type = Root.Output.self as? any ValueCollection.Type {
      if let member = try translation.member(keyPath, of: root, type) { return member }
      throw error(
        translation,
        "an array, a set or a dictionary can only be counted, asked whether it is empty, searched, "
          + "and asked for the value of a key")
    }
    if let type = Root.Output.self as? any PersistableEnum.Type, isRawValue(of: type) {
      return try translation.expression(root)
    }
    switch keyPath as AnyKeyPath {
    case \String.isEmpty:
      let base = try translation.value(root)
      return .strict("\(base.operand) = ''", .condition, .comparison, base)
    case \Data.isEmpty:
      let base = try translation.value(root)
      return .strict("length(\(base.sql)) = 0", .condition, .comparison, base)
    case \Data.count:
      let base = try translation.value(root)
      return .strict("length(\(base.sql))", .value, .primary, base)
    case \String.count:
      throw error(
        translation,
        "SQLite counts Unicode scalars where Swift counts characters; use isEmpty, or count in Swift")
    default:
      throw error(
        translation,
        "only persisted properties can stand in a query, isEmpty of a text, "
          + "isEmpty and count of a Data, and count, isEmpty, first and last of a list"
      )
    }
  }

  /// Whether the key path leads to the raw value of an enumeration, which is what the file has.
  private func isRawValue<Enumeration: PersistableEnum>(of type: Enumeration.Type) -> Bool {
    // A key path to a requirement of a protocol is never equal to one to the property that meets it.
    guard let keyPath = keyPath as AnyKeyPath as? KeyPath<Enumeration, Enumeration.RawValue> else {
      return false
    }
    return Enumeration.allCases.allSatisfy { $0[keyPath: keyPath].sqliteValue == $0.rawValue.sqliteValue }
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(root)).\(memberName)"
  }

  private var memberName: String {
    switch keyPath as AnyKeyPath {
    case \String.isEmpty, \Data.isEmpty: return "isEmpty"
    case \String.count, \Data.count: return "count"
    case \String.first, \Data.first: return "first"
    case \String.last, \Data.last: return "last"
    default: break
    }
    if let type = Root.Output.self as? any PersistableEnum.Type, isRawValue(of: type) { return "rawValue" }
    switch (Root.Output.self as? any QueriedCollection.Type)?.members[keyPath] {
    case .count: return "count"
    case .isEmpty: return "isEmpty"
    case .first: return "first"
    case .last: return "last"
    case nil: break
    }
    if let type = Root.Output.self as? Object.Type, let schema = try? ObjectSchema.of(type) {
      let trace = KeyPathTrace(keyPath, from: schema)
      if trace.isPath, trace.properties.count == 1 { return trace.properties[0].name }
    }
    // `\Item.text`; for a property of another library the description contains an address instead.
    let path = keyPath.debugDescription
    guard path.hasPrefix("\\"), !path.contains("<") else { return "(a member of type \(Output.self))" }
    return String(path.drop { $0 != "." }.dropFirst())
  }
}

extension PredicateTranslation {
  /// The stored form of a constant; nil if its type has none.
  func constant(_ value: Any, at expression: any PredicateExpression) throws -> SQLiteValue? {
    switch value {
    case let optional as any AnyOptional:
      guard let wrapped = optional.wrappedValue else { return .null }
      return try constant(wrapped, at: expression)
    case let number as any BinaryFloatingPoint where number.isNotANumber:
      throw error(at: expression, "nothing is equal to NaN, less or greater; leave the comparison out")
    case let reference as any AnyObjectReference:
      guard let key = reference.key else {
        throw error(at: expression, "an object that belongs to no store equals no other; add it to one first")
      }
      return key
    case let convertible as any SQLiteValueConvertible:
      return convertible.sqliteValue
    case let enumeration as any RawRepresentable:
      return (enumeration.rawValue as? any SQLiteValueConvertible)?.sqliteValue
    default:
      return nil
    }
  }
}

extension BinaryFloatingPoint {
  fileprivate var isNotANumber: Bool { isNaN }
}

private func constantText(_ value: Any) -> String {
  switch value {
  case let optional as any AnyOptional:
    return optional.wrappedValue.map(constantText) ?? "nil"
  case let text as String:
    return text.count <= 40
      ? text.debugDescription : String(text.prefix(40)).debugDescription.dropLast() + "…\""
  case let date as Date:
    return "Date(\"\(date.sqliteValue.textReading ?? "")\")"
  default:
    let text = String(describing: value)
    return text.count <= 60 ? text : text.prefix(60) + "…"
  }
}
