/// A number, or an extreme, of all elements of a collection, in SQL and row by row.
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
  }

  let query: CollectionQuery
  let function: Function
  /// The properties that decide the value: those of the query, and the property itself.
  private let dependencies: PropertyTree

  init(_ query: CollectionQuery, _ function: Function) {
    self.query = query
    self.function = function
    var dependencies = query.dependencies
    if let value = function.value { dependencies.watch(value.path[...]) }
    self.dependencies = dependencies
  }

  /// The tables on whose rows the value may depend.
  var tables: Set<Int> {
    dependencies.tables.union(query.tables)
  }

  /// Whether the value can be advanced by rows: an element that leaves a collection that is limited or made
  /// distinct lets another one in.
  var isIncremental: Bool { query.distinct.isEmpty && query.limit == nil }

  /// Whether every entry of the list counts, whatever it leads to.
  private var countsEntries: Bool { query.list != nil && query.predicate == nil && function.value == nil }

  // MARK: From all elements

  /// The state at the version that the statements read.
  ///
  /// - Complexity: O(n).
  func load(on statements: StatementCache) throws(StoreError) -> AggregateState {
    var state = AggregateState()
    switch function {
    case .count:
      state.count = try query.count(on: statements)
    case .min(let value), .max(let value):
      let name = if case .min = function { "min" } else { "max" }
      let found = try query.aggregates(value, on: statements) { "\(name)(\($0)), count(\($0))" }
      state.extreme = found[0]
      state.count = Int(found[1].integerReading ?? 0)
    case .sum(let value, isInteger: true), .average(let value, isInteger: true):
      // In two halves, which do not overflow with as many rows as a file can have.
      let found = try query.aggregates(value, on: statements) {
        "sum(\($0) >> 32), sum(\($0) & 4294967295), count(\($0)), "
          + "total(typeof(\($0)) NOT IN ('integer', 'null'))"
      }
      state.integers = Int128(found[0].integerReading ?? 0) << 32 + Int128(found[1].integerReading ?? 0)
      state.count = Int(found[2].integerReading ?? 0)
      state.isIrregular = found[3] != .real(0)
    case .sum(let value, isInteger: false), .average(let value, isInteger: false):
      let found = try query.aggregates(value, on: statements) {
        "total(\($0)), count(\($0)), total(typeof(\($0)) NOT IN ('integer', 'real', 'null'))"
      }
      state.reals = CompensatedSum(found[0].realReading ?? 0)
      state.count = Int(found[1].integerReading ?? 0)
      state.isIrregular = found[2] != .real(0) || !state.reals.isExact
    }
    return state
  }

  // MARK: From the changes

  /// The state at the new version.
  ///
  /// - Parameters:
  ///   - state: The state at the old version.
  ///   - old: A reader of the old version.
  /// - Complexity: O(k log n) for k elements whose value or membership may have changed. O(n) if they are
  ///   very many, if the extreme has gone, or if the collection is limited or made distinct; O(1) if none
  ///   may have.
  func advance(
    _ state: AggregateState, by changes: ChangedObjects, from old: RowReader
  ) throws(StoreError) -> AggregateState {
    let elements = try affected(changes)
    if elements.isEmpty { return state }
    let new = changes.reader.statements
    guard isIncremental, !state.isIrregular, elements.count < 1024 || elements.count < state.count / 8 else {
      return try load(on: new)
    }
    let before = try query.contributions(function.value, on: old.statements)
    let after = try query.contributions(function.value, on: new)
    var state = state
    for element in elements {
      if let key = element.old, let value = try contribution(of: key, before) { remove(value, from: &state) }
      if let key = element.new, let value = try contribution(of: key, after) { add(value, to: &state) }
      if state.isIrregular { return try load(on: new) }
    }
    return state
  }

  private func contribution(of key: SQLiteValue, _ values: ElementValues) throws(StoreError) -> SQLiteValue? {
    countsEntries ? .integer(1) : try values.value(of: key)
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

  private func add(_ value: SQLiteValue, to state: inout AggregateState) {
    if case .null = value { return }
    state.count += 1
    switch function {
    case .count: break
    case .sum(_, let isInteger), .average(_, let isInteger):
      state.addToSum(value, isInteger: isInteger, sign: 1)
    case .min where state.count == 1 || OrderedKey(value) < OrderedKey(state.extreme): state.extreme = value
    case .max where state.count == 1 || OrderedKey(state.extreme) < OrderedKey(value): state.extreme = value
    case .min, .max: break
    }
  }

  private func remove(_ value: SQLiteValue, from state: inout AggregateState) {
    if case .null = value { return }
    state.count -= 1
    switch function {
    case .count: break
    case .sum(_, let isInteger), .average(_, let isInteger):
      state.addToSum(value, isInteger: isInteger, sign: -1)
    // The next one is not known.
    case .min, .max: if value == state.extreme { state.isIrregular = true }
    }
  }

  // MARK: The value

  func sum(_ state: AggregateState) -> SQLiteValue {
    if case .sum(_, isInteger: true) = function {
      .integer(Int64(clamping: state.integers))
    } else {
      .real(state.reals.value)
    }
  }

  func average(_ state: AggregateState) -> Double? {
    guard state.count > 0 else { return nil }
    let isInteger = if case .average(_, isInteger: true) = function { true } else { false }
    return (isInteger ? Double(state.integers) : state.reals.value) / Double(state.count)
  }

  func hasSameValue(_ a: AggregateState, _ b: AggregateState) -> Bool {
    switch function {
    case .count: a.count == b.count
    case .min, .max: a.extreme == b.extreme
    case .sum: sum(a) == sum(b)
    case .average: average(a) == average(b)
    }
  }
}

/// The value of an aggregate at one version, and everything that is needed to advance it.
struct AggregateState: Sendable {
  /// The number of elements or, if a property is aggregated, of its values that are not NULL.
  var count = 0
  var integers: Int128 = 0
  var reals = CompensatedSum()
  /// The smallest or the greatest value; NULL if there is none.
  var extreme = SQLiteValue.null
  /// Whether it can only be loaded again: values of another type, written by another program, have a place in
  /// SQL's sums and none here, and a number that was much greater than what is left has taken its digits with
  /// it.
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

  var value: Double { sum + lost }

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
