/// The members of a collection and their order: rows of a class, or the elements of one list, that match a
/// predicate, by sort keys and then by primary key or place in the list. The elements are the first of the
/// members with equal values if it is distinct, and the first `limit` of those if it is limited.
///
/// A member is identified by its *rank key*: the values that it is sorted by, followed for rows by the
/// primary key, for list elements by position, target and entry. No two members have equal rank keys, and
/// their order is SQLite's.
struct CollectionQuery: Sendable {
  struct ListEntries: Sendable {
    let entries: Table
    let owner: SQLiteValue
  }

  /// The objects that lead to one object.
  struct Linking: Sendable {
    let backlink: Backlink
    let target: SQLiteValue
  }

  struct SortKey: Sendable {
    let value: QueryValue
    let isAscending: Bool
  }

  let schema: Schema
  /// The table of the objects that are the elements.
  let elements: Table
  let list: ListEntries?
  let linking: Linking?
  private(set) var predicate: SQLPredicate?
  private(set) var sort: [SortKey] = []
  /// The values of which each combination occurs once; empty if all members are elements.
  private(set) var distinct: [QueryValue] = []
  private(set) var limit: Int?
  /// The number of elements that are left out before the first.
  private(set) var offset = 0
  /// The properties that decide whether an element is a member and at which place.
  private(set) var dependencies: PropertyTree
  /// Whether properties of other objects take part in that decision.
  private(set) var dependsOnOthers = false

  /// All objects of a class, the elements of a list, or the objects that lead to another.
  init(schema: Schema, elements: Table, list: ListEntries? = nil, linking: Linking? = nil) {
    self.schema = schema
    self.elements = elements
    self.list = list
    self.linking = linking
    dependencies = PropertyTree(table: elements.index)
    if let linking { depend(on: [linking.backlink.forward]) }
  }

  /// Whether the values of an element decide whether it is a member and at which place.
  var dependsOnElements: Bool {
    list == nil || predicate != nil || !sort.isEmpty || !distinct.isEmpty
  }

  /// The tables on whose rows the members or their order may depend.
  var tables: Set<Int> {
    var tables = dependencies.tables
    if let list { tables.insert(list.entries.index) }
    return tables
  }

  private mutating func depend(on path: [PropertyTree.Step]) {
    dependencies.watch(path[...])
    dependsOnOthers = dependsOnOthers || dependencies.leadsFurther
  }

  /// The same query for a schema in which the tables have other numbers.
  func translated(to schema: Schema, number: (Int) -> Int) -> CollectionQuery {
    var query = CollectionQuery(
      schema: schema, elements: schema.tables[number(elements.index)],
      list: list.map { ListEntries(entries: schema.tables[number($0.entries.index)], owner: $0.owner) },
      linking: linking.map { Linking(backlink: $0.backlink.translated(number), target: $0.target) })
    query.predicate = predicate
    query.sort = sort.map { SortKey(value: $0.value.translated(number), isAscending: $0.isAscending) }
    query.distinct = distinct.map { $0.translated(number) }
    query.limit = limit
    query.offset = offset
    query.dependencies = dependencies.translated(number)
    query.dependsOnOthers = dependsOnOthers
    return query
  }

  /// Adds a condition; a filtered collection is narrowed further.
  mutating func filter<Element: Object>(_ condition: QueryCondition<Element>) throws(QueryError) {
    let row = ObjectRow(root: elements, schema: schema)
    do {
      try filter(SQLPredicate(condition.expression(row)), reading: row)
    } catch let error as QueryError {
      throw error
    } catch {
      throw QueryError(expression: "The predicate", advice: "\(error)")
    }
  }

  /// Adds a condition, which depends on the properties that `row` has recorded.
  mutating func filter(_ added: SQLPredicate, reading row: ObjectRow) throws(QueryError) {
    if let limit {
      throw QueryError(
        expression: "filter(_:) after limit(\(limit))", advice: "filter first, and limit what is left")
    }
    if !distinct.isEmpty {
      throw QueryError(
        expression: "filter(_:) after distinct(by:)", advice: "filter first, and make distinct what is left")
    }
    let both = predicate?.and(added) ?? added
    try both.requireReadable()
    predicate = both
    for path in row.paths { depend(on: path) }
  }

  /// Sorts by properties, before those that it is sorted by already.
  mutating func sort(by keys: [(keyPath: AnyKeyPath, isAscending: Bool)]) {
    guard limit == nil, distinct.isEmpty else {
      fatalError(
        "A collection that was limited or made distinct cannot be sorted any more; sort it before that.")
    }
    sort = keys.map { SortKey(value: value($0.keyPath, "sorted by"), isAscending: $0.isAscending) } + sort
    for key in sort { depend(on: key.value.path) }
  }

  /// Keeps only the first of the elements with equal values.
  mutating func makeDistinct(by keyPaths: [AnyKeyPath]) {
    guard limit == nil, distinct.isEmpty else {
      fatalError("A collection can be made distinct once, and before it is limited.")
    }
    distinct = keyPaths.map { value($0, "made distinct by") }
    for value in distinct { depend(on: value.path) }
  }

  /// Keeps at most `count` elements after the first `start`.
  mutating func limit(to count: Int, from start: Int = 0) {
    precondition(count >= 0, "A collection cannot be limited to \(count) elements.")
    precondition(start >= 0, "A collection cannot begin with the element \(start).")
    limit = min(limit.map { max(0, $0 - start) } ?? count, count)
    let (sum, isOverflow) = offset.addingReportingOverflow(start)
    offset = isOverflow ? .max : sum
  }

  /// The value that a key path leads to. One that leads to none is a programmer's error, which stops the
  /// program.
  func value(_ keyPath: AnyKeyPath, _ use: String) -> QueryValue {
    guard let value = QueryValue(keyPath, of: elements, schema: schema) else {
      fatalError(
        "\(elements.name) can be \(use) its persisted properties, "
          + "and by those of objects that it links to, not by \(keyPath).")
    }
    return value
  }
}
