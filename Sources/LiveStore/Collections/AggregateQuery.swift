/// A number, or an extreme, of all elements of a collection, or of each group of them, in SQL and row by row.
struct AggregateQuery: MaintainedQuery {
  /// The number or extreme that is calculated, with its property.
  enum Function: Sendable {
    case count
    /// - Parameter isInteger: Whether the property holds whole numbers.
    case sum(QueryValue, isInteger: Bool)
    case average(QueryValue, isInteger: Bool)
    case min(QueryValue)
    case max(QueryValue)

    /// The property; `nil` for the number of elements.
    var value: QueryValue? {
      switch self {
      case .count: nil
      case .sum(let value, _), .average(let value, _), .min(let value), .max(let value): value
      }
    }

    /// Whether whole numbers are added.
    fileprivate var isInteger: Bool {
      switch self {
      case .sum(_, let isInteger), .average(_, let isInteger): isInteger
      case .count, .min, .max: false
      }
    }
  }

  let query: CollectionQuery
  let function: Function
  /// The property whose values divide the elements into groups; `nil` if they are not divided.
  let group: QueryValue?
  /// The properties that decide the value: those of the query, the property itself, and that of the groups.
  private let dependencies: PropertyTree

  init(_ query: CollectionQuery, _ function: Function, by group: QueryValue?) {
    self.query = query
    self.function = function
    self.group = group
    var dependencies = query.dependencies
    for value in [function.value, group] { if let value { dependencies.watch(value.path[...]) } }
    self.dependencies = dependencies
  }

  var tables: Set<Int> {
    dependencies.tables.union(query.tables)
  }

  func depends(on columns: UInt64, of table: Int) -> Bool {
    // A row that comes or goes, or an entry of a list that does or leads to another element.
    if columns == .max || table == query.list?.entries.index { return tables.contains(table) }
    return dependencies.contains(columns, of: table)
  }

  /// Whether the value can be advanced by rows: an element that leaves a collection that is limited or made
  /// distinct lets another one in.
  var isIncremental: Bool { query.distinct.isEmpty && query.limit == nil }

  /// Whether every entry of the list counts, whatever it leads to.
  private var countsEntries: Bool {
    query.list != nil && query.predicate == nil && function.value == nil && group == nil
  }

  // MARK: From all elements

  /// - Complexity: O(n), or O(n log n) with groups.
  func load(on statements: StatementCache) throws(StoreError) -> AggregateState {
    guard function.isInteger else { return try load(on: statements, functions) }
    do throws(StoreError) {
      let state = try load(on: statements) { "count(*), \(count($0)), sum(\($0))" }
      if !state.isIrregular { return state }
    } catch {
      // SQLite has no specific error code for an overflow.
      guard error.isOfQuery else { throw error }
    }
    return try load(on: statements, functions)
  }

  /// The numbers of all elements for a reader that does not keep them, who needs less than ``advance`` does.
  ///
  /// - Complexity: O(n). O(log n) for the smallest and greatest value of all objects of a class where an
  ///   index has them.
  func loadOnce(on statements: StatementCache) throws(StoreError) -> AggregateState.Tally {
    var tally = AggregateState.Tally()
    switch function {
    case .min(let value): tally.extreme = try query.aggregates(value, on: statements) { "min(\($0))" }[0]
    case .max(let value): tally.extreme = try query.aggregates(value, on: statements) { "max(\($0))" }[0]
    case .sum(let value, isInteger: false):
      tally.reals = reals(try query.aggregates(value, on: statements) { "total(\($0))" }[0])
    case .average(let value, isInteger: false):
      // The average of all values is that of itself.
      let average = try query.aggregates(value, on: statements) { "avg(\($0))" }[0]
      if average != .null { (tally.reals, tally.count) = (reals(average), 1) }
    case .sum(let value, isInteger: true), .average(let value, isInteger: true):
      // No integer if there are values of another type, and an error if it overflows on the way.
      let outcome = try StoreError.ofQuery { () throws(StoreError) in
        try query.aggregates(value, on: statements) { value in
          if case .sum = function { "sum(\(value))" } else { "sum(\(value)), count(\(value))" }
        }
      }
      let results = try? outcome.get()
      switch results?[0] {
      case .integer(let sum)?: tally.integers = Int128(sum)
      case .null?: break
      default: return try load(on: statements).total
      }
      if let results, results.count > 1 { tally.count = Int(results[1].integerReading ?? 0) }
    case .count: tally = try load(on: statements).total
    }
    return tally
  }

  /// The sum that a total of SQLite is, which has NULL for NaN, such as the sum of both infinities.
  private func reals(_ total: SQLiteValue) -> CompensatedSum {
    CompensatedSum(total.realReading ?? .nan)
  }

  private func load(
    on statements: StatementCache, _ functions: (String) -> String
  ) throws(StoreError) -> AggregateState {
    if let group {
      let results = try query.aggregates(function.value, by: group, on: statements, functions)
      return AggregateState(groups: results.mapValues(tally))
    }
    if let value = function.value {
      return AggregateState(total: tally(try query.aggregates(value, on: statements, functions)))
    }
    return AggregateState(total: tally([.integer(Int64(try query.count(on: statements)))]))
  }

  /// The number of values in SQL. A sum needs only that of the elements, which SQLite counts anyway.
  private func count(_ value: String) -> String {
    if case .sum = function { "count(*)" } else { "count(\(value))" }
  }

  /// Calls of functions in SQL, with the number of elements first, whose results make a tally.
  private func functions(_ value: String) -> String {
    switch function {
    case .count: "count(*)"
    case .min: "count(*), count(\(value)), min(\(value))"
    case .max: "count(*), count(\(value)), max(\(value))"
    // In two halves, which do not overflow with as many rows as a file can have.
    case .sum(_, isInteger: true), .average(_, isInteger: true):
      "count(*), \(count(value)), total(typeof(\(value)) NOT IN ('integer', 'null')), "
        + "sum(\(value) >> 32), sum(\(value) & 4294967295)"
    case .sum(_, isInteger: false), .average(_, isInteger: false):
      // In SQL's order every number comes before everything else.
      "count(*), \(count(value)), max(\(value)), total(\(value))"
    }
  }

  /// The tally that the results of ``functions(_:)`` make, or those of a plain sum of integers.
  private func tally(_ results: [SQLiteValue]) -> AggregateState.Tally {
    var tally = AggregateState.Tally()
    tally.elementCount = Int(results[0].integerReading ?? 0)
    tally.count = tally.elementCount
    if results.count > 1 { tally.count = Int(results[1].integerReading ?? 0) }
    switch function {
    case .count: break
    case .min, .max: tally.extreme = results[2]
    case .sum(_, isInteger: true) where results.count == 3,
      .average(_, isInteger: true) where results.count == 3:
      // NULL without values. A number with a fraction if one of them is no integer.
      tally.integers = Int128(results[2].integerReading ?? 0)
      if case .real = results[2] { tally.isIrregular = true }
    case .sum(_, isInteger: true), .average(_, isInteger: true):
      tally.isIrregular = results[2] != .real(0)
      tally.integers = Int128(results[3].integerReading ?? 0) << 32 + Int128(results[4].integerReading ?? 0)
    case .sum(_, isInteger: false), .average(_, isInteger: false):
      tally.reals = reals(results[3])
      tally.isIrregular = !results[2].isNumberOrNull || !tally.reals.isExact
    }
    return tally
  }

  // MARK: From the changes

  /// - Complexity: O(k log n + g) for k elements whose value, group or membership may have changed, and g
  ///   groups. O(n) if they are very many, if the extreme has gone, or if the collection is limited or made
  ///   distinct; O(1) if none may have.
  func advance(
    _ state: AggregateState, by changes: ChangedObjects, from old: RowReader
  ) throws(StoreError) -> AggregateState {
    let elements = try affected(changes)
    if elements.isEmpty { return state }
    let new = changes.reader.statements
    let areMany = elements.count >= max(1024, state.total.elementCount / 8)
    guard isIncremental, !state.isIrregular, !areMany else { return try load(on: new) }
    let before = try query.contributions(function.value, by: group, on: old.statements)
    let after = try query.contributions(function.value, by: group, on: new)
    var state = state
    if group != nil { state.trail.beginStep(of: state.groups.count) }
    for element in elements {
      if let key = element.old, let (value, group) = try contribution(of: key, before) {
        state.change(group) { remove(value, from: &$0) }
      }
      if let key = element.new, let (value, group) = try contribution(of: key, after) {
        state.change(group) { add(value, to: &$0) }
      }
      if state.isIrregular { return try load(on: new) }
    }
    return state
  }

  private func contribution(
    of key: SQLiteValue, _ values: ElementValues
  ) throws(StoreError) -> (value: SQLiteValue, group: SQLiteValue?)? {
    countsEntries ? (.integer(1), nil) : try values.contribution(of: key)
  }

  /// The keys, in either version, of the elements whose value or membership may have changed. For a list once
  /// for each entry.
  private func affected(
    _ changes: ChangedObjects
  ) throws(StoreError) -> [(old: SQLiteValue?, new: SQLiteValue?)] {
    typealias Column = Table.EntryColumn
    if changes.rows.isEmpty { return [] }
    let leading = try changes.keys(leadingInto: dependencies)
    let changed = changes.rows[query.elements].lazy.filter { key, change in
      change.differs(in: dependencies.columns) || leading.contains(key)
    }
    var affected: [(old: SQLiteValue?, new: SQLiteValue?)] = []
    guard let list = query.list else {
      for (key, change) in changed {
        affected.append((change.old == nil ? nil : key, change.new == nil ? nil : key))
      }
      // The changes themselves contain the rows of the class.
      for key in leading where !changes.rows[query.elements].contains(key: key) {
        affected.append((key, key))
      }
      return affected
    }
    for (_, change) in changes.rows[list.entries] {
      let old = change.old.flatMap { $0[Column.owner] == list.owner ? $0[Column.target] : nil }
      let new = change.new.flatMap { $0[Column.owner] == list.owner ? $0[Column.target] : nil }
      if old != nil || new != nil { affected.append((old, new)) }
    }
    if countsEntries { return affected }
    for key in leading.union(changed.map(\.key)) {
      // An entry that has not changed itself is the same in both versions.
      try changes.reader.forEachEntry(of: key, in: list) { entry in
        if changes.rows[list.entries, entry[Column.entry]] == nil { affected.append((key, key)) }
      }
    }
    return affected
  }

  private func add(_ value: SQLiteValue, to tally: inout AggregateState.Tally) {
    tally.elementCount += 1
    if case .null = value { return }
    tally.count += 1
    switch function {
    case .count: break
    case .sum(_, let isInteger), .average(_, let isInteger):
      tally.addToSum(value, isInteger: isInteger, sign: 1)
    case .min where tally.count == 1 || OrderedKey(value) < OrderedKey(tally.extreme): tally.extreme = value
    case .max where tally.count == 1 || OrderedKey(tally.extreme) < OrderedKey(value): tally.extreme = value
    case .min, .max: break
    }
  }

  private func remove(_ value: SQLiteValue, from tally: inout AggregateState.Tally) {
    tally.elementCount -= 1
    if case .null = value { return }
    tally.count -= 1
    switch function {
    case .count: break
    case .sum(_, let isInteger), .average(_, let isInteger):
      tally.addToSum(value, isInteger: isInteger, sign: -1)
    // The next one is not known, unless there is none.
    case .min, .max:
      if value == tally.extreme { tally.isIrregular = tally.count > 0 }
      if tally.count == 0 { tally.extreme = .null }
    }
  }

  /// The tally of two groups together.
  func merge(_ one: AggregateState.Tally, _ other: AggregateState.Tally) -> AggregateState.Tally {
    var tally = one
    if other.count > 0 { add(other.extreme, to: &tally) }
    tally.elementCount = one.elementCount + other.elementCount
    tally.count = one.count + other.count
    tally.integers = one.integers + other.integers
    tally.reals = one.reals
    tally.reals.add(other.reals.value)
    return tally
  }

  // MARK: The value

  /// The sum; NULL if it is no number, as that of both infinities.
  func sum(_ tally: AggregateState.Tally) -> SQLiteValue {
    if case .sum(_, isInteger: true) = function {
      .integer(Int64(clamping: tally.integers))
    } else {
      tally.reals.value.isNaN ? .null : .real(tally.reals.value)
    }
  }

  /// The average; `nil` if there are no values, or it is no number.
  func average(_ tally: AggregateState.Tally) -> Double? {
    guard tally.count > 0 else { return nil }
    let isInteger = if case .average(_, isInteger: true) = function { true } else { false }
    let mean = (isInteger ? Double(tally.integers) : tally.reals.value) / Double(tally.count)
    return mean.isNaN ? nil : mean
  }

  func hasSameValue(_ a: AggregateState, _ b: AggregateState) -> Bool {
    guard group != nil else { return hasSameValue(a.total, b.total) }
    if let changed = b.trail.groups(since: a.trail) {
      return changed.allSatisfy { group in
        guard let former = a.groups[group], let tally = b.groups[group] else {
          return a.groups[group] == nil && b.groups[group] == nil
        }
        return hasSameValue(former, tally)
      }
    }
    return a.groups.count == b.groups.count
      && a.groups.allSatisfy { key, tally in b.groups[key].map { hasSameValue(tally, $0) } ?? false }
  }

  func hasSameValue(_ a: AggregateState.Tally, _ b: AggregateState.Tally) -> Bool {
    switch function {
    case .count: a.count == b.count
    case .min, .max: a.extreme == b.extreme
    case .sum: sum(a) == sum(b)
    case .average: average(a) == average(b)
    }
  }
}

extension SQLiteValue {
  fileprivate var isNumberOrNull: Bool {
    switch self {
    case .null, .integer, .real: true
    case .text, .malformedText, .blob: false
    }
  }
}

/// The value of an aggregate at one version, and everything that is needed to advance it.
struct AggregateState: Sendable {
  /// The numbers of all elements, or of those of a group, and their greatest or smallest value.
  struct Tally: Sendable {
    var elementCount = 0
    /// The number of elements or, if a property is aggregated, of its values that are not NULL.
    var count = 0
    var integers: Int128 = 0
    var reals = CompensatedSum()
    /// The smallest or the greatest value; NULL if there is none.
    var extreme = SQLiteValue.null
    /// Whether it can only be loaded again: values of another type, written by another program, have a place
    /// in SQL's sums and none here, and a number that was much greater than what is left has taken its digits
    /// with it.
    var isIrregular = false

    /// - Parameter sign: 1 to add the value, -1 to take it away.
    fileprivate mutating func addToSum(_ value: SQLiteValue, isInteger: Bool, sign: Int) {
      switch value {
      case .integer(let integer) where isInteger: integers += Int128(sign) * Int128(integer)
      case .integer(let integer): addReal(Double(sign) * Double(integer))
      case .real(let real) where !isInteger: addReal(Double(sign) * real)
      default: isIrregular = true
      }
    }

    private mutating func addReal(_ real: Double) {
      reals.add(real)
      if !reals.isExact { isIrregular = true }
    }
  }

  /// The tally of all elements; only their number, if they are divided into groups.
  private(set) var total = Tally()
  /// The tallies of the groups that have elements, by the value of their property.
  private(set) var groups: [SQLiteValue: Tally] = [:]
  /// The groups that have changed lately.
  fileprivate(set) var trail = GroupTrail()
  /// Whether a tally can only be loaded again.
  private(set) fileprivate var isIrregular = false

  init(total: Tally = Tally()) {
    self.total = total
    isIrregular = total.isIrregular
  }

  fileprivate init(groups: [SQLiteValue: Tally]) {
    self.groups = groups
    total.elementCount = groups.values.reduce(0) { $0 + $1.elementCount }
    isIrregular = groups.values.contains { $0.isIrregular }
  }

  /// Changes the tally of a group, or of all elements.
  fileprivate mutating func change(_ group: SQLiteValue?, _ body: (inout Tally) -> Void) {
    guard let group else {
      body(&total)
      isIrregular = total.isIrregular
      return
    }
    var tally = groups[group, default: Tally()]
    total.elementCount -= tally.elementCount
    body(&tally)
    total.elementCount += tally.elementCount
    isIrregular = isIrregular || tally.isIrregular
    groups[group] = tally.elementCount == 0 ? nil : tally
    trail.note(group)
  }
}

/// A sum of floating-point numbers that keeps the digits that each addition loses, after Neumaier: numbers
/// that are added and later subtracted leave nothing behind.
struct CompensatedSum: Sendable {
  private var sum: Double
  private var lost = 0.0
  /// The greatest magnitude that the sum has had.
  private var peak: Double

  init(_ sum: Double = 0) {
    self.sum = sum
    peak = abs(sum)
  }

  // Beside infinity there are no digits to lose.
  var value: Double { lost.isFinite ? sum + lost : sum }

  /// Whether the sum is finite, and not so small beside what it once was that it was calculated from lost
  /// digits.
  var isExact: Bool { value.isFinite && abs(value) >= peak * 0x1p-20 }

  mutating func add(_ number: Double) {
    let next = sum + number
    lost += abs(sum) >= abs(number) ? (sum - next) + number : (number - next) + sum
    sum = next
    peak = max(peak, abs(next))
  }
}
