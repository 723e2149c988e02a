import FoundationEssentials

// Arrays, sets and dictionaries of values in predicates, by functions of the connection.

extension PredicateTranslation {
  /// Whether a property with a collection of values has an element.
  func contains(
    _ element: any PredicateExpression, in collection: any PredicateExpression,
    of type: any ValueCollection.Type
  ) throws -> SQLExpression {
    let (collection, element) = (try value(collection), try value(element))
    return .strict(
      "\(Connection.containsElement)(\(collection.sql), \(element.sql), \(type.elementForm.rawValue))",
      .condition, .primary, collection, element)
  }

  /// A member of a property with a collection of values; `nil` if it has no form in SQL.
  func member(_ keyPath: AnyKeyPath, of collection: any PredicateExpression, _ type: any ValueCollection.Type)
    throws -> SQLExpression?
  {
    let member = (type as? any QueriedCollection.Type)?.members[keyPath]
    guard member == .count || member == .isEmpty else { return nil }
    let collection = try value(collection)
    let count = "\(Connection.elementCount)(\(collection.sql))"
    return member == .count
      ? .strict(count, .value, .primary, collection)
      : .strict("\(count) = 0", .condition, .comparison, collection)
  }
}

/// `dictionary[key]`
extension PredicateExpressions.DictionaryKeySubscript: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    guard let type = Wrapped.Output.self as? any ValueCollection.Type else {
      throw error(translation, "only a dictionary of a property has values that can be compared")
    }
    let (dictionary, key) = (try translation.value(wrapped), try translation.value(self.key))
    return SQLExpression(
      "\(Connection.valueForKey)(\(dictionary.sql), \(key.sql), \(type.elementForm.rawValue))", .value,
      .primary, of: dictionary, key, canBeNull: true,
      nilSources: dictionary.nilSources.union(key.nilSources))
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(wrapped))[\(translation.text(key))]"
  }
}

/// `array[index]`
extension PredicateExpressions.CollectionIndexSubscript: SQLTranslatable {
  func translated(by translation: PredicateTranslation) throws -> SQLExpression {
    throw error(
      translation,
      "the elements of an array can be counted and searched; give an element a property of its own")
  }

  func swiftText(_ translation: PredicateTranslation) -> String {
    "\(translation.operandText(wrapped))[\(translation.text(index))]"
  }
}

// Written out for each type: in a generic function a key path would lead to the properties of the protocol,
// not to those of the type.

extension Set: QueriedCollection {
  static var members: [AnyKeyPath: ObjectSetMember] {
    [\Set<Element>.count: .count, \Set<Element>.isEmpty: .isEmpty]
  }
}

extension Dictionary: QueriedCollection {
  static var members: [AnyKeyPath: ObjectSetMember] {
    [\[Key: Value].count: .count, \[Key: Value].isEmpty: .isEmpty]
  }
}
