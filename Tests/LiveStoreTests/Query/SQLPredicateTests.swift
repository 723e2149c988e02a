import FoundationEssentials
import Testing

@testable import LiveStore

@Suite("Predicates in SQL")
struct SQLPredicateTests {
  private let items: [QueryItem]
  private let database: TestDatabase
  private let seed: UInt64

  init() {
    var random = SeededGenerator()
    seed = random.seed
    items = (0..<400).map { QueryItem.random(id: $0, using: &random) }
    database = QueryItem.database(of: items)
  }

  /// The same rows by SQL as by Swift; where Swift cannot evaluate the predicate, `unwrappingNil` is
  /// expected.
  private func check(
    _ predicate: Predicate<QueryItem>, unwrappingNil: Bool? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let sql = try SQLPredicate(predicate)
    let found = database.ids(where: sql)
    let foundByNegation = database.ids(where: sql, sql: "(\(sql.sql)) IS NOT TRUE")
    let expected = items.filter { (try? predicate.evaluate($0)) ?? (unwrappingNil == true) }
    #expect(
      found == Set(expected.map(\.id)), "\(sql.sql) \(sql.parameters) seed \(seed)",
      sourceLocation: sourceLocation)
    #expect(found.isDisjoint(with: foundByNegation) && found.count + foundByNegation.count == items.count)
    if unwrappingNil == nil {
      #expect(items.allSatisfy { (try? predicate.evaluate($0)) != nil }, sourceLocation: sourceLocation)
    }
  }

  @Test("Comparisons of every kind of value agree with Swift")
  func comparisons() throws {
    for value in QueryItem.integers {
      try check(#Predicate { $0.integer == value })
      try check(#Predicate { $0.integer != value })
      try check(#Predicate { $0.integer < value || value >= $0.integer })
      try check(#Predicate { $0.integer <= value && $0.maybeInteger == value })
      try check(#Predicate { $0.maybeInteger != value })
    }
    for value in QueryItem.doubles {
      try check(#Predicate { $0.double == value || $0.maybeDouble != value })
      try check(#Predicate { $0.double < value })
      try check(#Predicate { $0.double >= value })
    }
    for value in QueryItem.texts {
      try check(#Predicate { $0.text == value || $0.maybeText == value })
      try check(#Predicate { $0.maybeText != value })
      try check(#Predicate { $0.text < value })
      try check(#Predicate { $0.text >= value })
    }
    for value in QueryItem.dates {
      try check(#Predicate { $0.date == value })
      try check(#Predicate { $0.maybeDate != value })
      try check(#Predicate { $0.date < value })
      try check(#Predicate { $0.date >= value })
    }
    for value in QueryItem.datas { try check(#Predicate { $0.data == value || $0.maybeData != value }) }
    for value in items.prefix(3).map(\.uuid) { try check(#Predicate { $0.uuid == value }) }
    let float: Float = 0.1
    try check(#Predicate { $0.float == float || $0.float < -1 })
    try check(#Predicate { $0.maybeInteger == nil })
    try check(#Predicate { $0.maybeText != nil })
    try check(#Predicate { nil == $0.maybeDate })
    let (none, some): (Int?, Int?) = (nil, 1)
    try check(#Predicate { $0.maybeInteger == none })
    try check(#Predicate { $0.maybeInteger != none })
    try check(#Predicate { $0.maybeInteger == some })
    try check(#Predicate { $0.integer == $0.id })
    try check(#Predicate { $0.text != $0.text })
    try check(#Predicate { $0.maybeInteger == $0.maybeInteger })
  }

  @Test("Enumerations are compared by their raw values, and not ordered")
  func enumerations() throws {
    let high = QueryPriority.high
    let none: QueryPriority? = nil
    try check(#Predicate { $0.priority == high })
    try check(#Predicate { $0.priority != high })
    try check(#Predicate { $0.maybePriority == high })
    try check(#Predicate { $0.maybePriority != high })
    try check(#Predicate { $0.maybePriority == none })
    try check(#Predicate { [high].contains($0.priority) })
    #expect(throws: QueryError.self) { try SQLPredicate(#Predicate { $0.priority < high }) }
  }

  @Test("Bools: bare, negated, compared with constants, with nil and with one another")
  func bools() throws {
    let (yes, no) = (true, false)
    let (maybeYes, maybeNo): (Bool?, Bool?) = (true, false)
    try check(#Predicate { $0.flag })
    try check(#Predicate { !$0.flag })
    try check(#Predicate { !(!$0.flag) })
    try check(#Predicate { $0.flag == true })
    try check(#Predicate { $0.flag != yes })
    try check(#Predicate { $0.flag == no })
    try check(#Predicate { $0.flag != false })
    try check(#Predicate { $0.maybeFlag == true })
    try check(#Predicate { $0.maybeFlag == false })
    try check(#Predicate { $0.maybeFlag != true })
    try check(#Predicate { $0.maybeFlag != false })
    try check(#Predicate { $0.maybeFlag == maybeYes || $0.maybeFlag != maybeNo })
    try check(#Predicate { !($0.maybeFlag == true) && !($0.maybeFlag == false) })
    try check(#Predicate { $0.maybeFlag == nil })
    try check(#Predicate { $0.maybeFlag ?? false })
    try check(#Predicate { !($0.maybeFlag ?? false) })
    try check(#Predicate { $0.maybeFlag ?? true })
    try check(#Predicate { !($0.maybeFlag ?? true) })
    try check(#Predicate { $0.maybeFlag ?? $0.flag })
    try check(#Predicate { $0.flag == ($0.integer < 3) })
    try check(#Predicate { ($0.integer < 3) != ($0.text == "a") })
    try check(#Predicate { ($0.maybeFlag == true) == ($0.maybeText == "a") })
    try check(#Predicate { ($0.maybeFlag ?? false) == $0.flag })
    try check(#Predicate { $0.flag != ($0.maybeFlag ?? true) })
    try check(#Predicate { yes || $0.flag })
    try check(#Predicate { no && $0.flag })
    try check(#Predicate { [true].contains($0.flag) })
    try check(#Predicate { _ in true })
    try check(#Predicate { _ in !true })
  }

  @Test("A Bool that another program wrote as another number is as true as it reads")
  func foreignBools() throws {
    let database = QueryItem.database(of: [])
    let stored: [SQLiteValue] = [
      .integer(0), .integer(2), .integer(-1), .real(0.5), .text("abc"), .text("7"), .null,
    ]
    for (id, value) in stored.enumerated() {
      database.rows(
        "insert into item (id, flag, maybeFlag) values (?, ?, ?)", [.integer(Int64(id)), value, value])
    }
    let readings = stored.map { Bool(sqliteValue: $0) }
    let indices = { (matches: (Bool?) -> Bool) in Set(readings.indices.filter { matches(readings[$0]) }) }
    #expect(
      database.ids(where: try SQLPredicate(#Predicate { $0.maybeFlag == true })) == indices { $0 == true })
    #expect(
      database.ids(where: try SQLPredicate(#Predicate { $0.maybeFlag == false })) == indices { $0 == false })
    #expect(
      database.ids(where: try SQLPredicate(#Predicate { $0.maybeFlag != true })) == indices { $0 != true })
    let one = 1
    let agrees = try SQLPredicate(#Predicate { ($0.maybeFlag ?? false) == (one == 1) })
    #expect(database.ids(where: agrees) == indices { $0 == true })
  }

  @Test("Optionals: ??, chaining, map, if let, forced unwrapping behind a test for nil")
  func optionals() throws {
    let date = QueryItem.dates[4]
    try check(#Predicate { ($0.maybeInteger ?? 3) < 3 })
    try check(#Predicate { !(($0.maybeInteger ?? 3) < 3) })
    try check(#Predicate { ($0.maybeInteger ?? $0.integer) == 1 })
    try check(#Predicate { ($0.maybeDate ?? date) < date })
    try check(#Predicate { $0.maybeText?.contains("a") == true })
    try check(#Predicate { $0.maybeText?.contains("a") != true })
    try check(#Predicate { $0.maybeText?.contains("a") == false })
    try check(#Predicate { $0.maybeText?.contains("a") != false })
    try check(#Predicate { $0.maybeText?.contains("a") == nil })
    try check(#Predicate { !($0.maybeText?.contains("a") == false) })
    try check(#Predicate { $0.maybeText?.contains("a") ?? true })
    try check(#Predicate { !($0.maybeText?.starts(with: "a") ?? false) })
    try check(#Predicate { $0.maybeText?.isEmpty ?? true })
    try check(#Predicate { !($0.maybeText?.isEmpty == true) })
    try check(#Predicate { $0.maybeData?.count == 2 })
    try check(#Predicate { $0.maybeDate.flatMap { $0 < date } ?? false })
    try check(#Predicate { !($0.maybeDate.flatMap { $0 < date } ?? false) })
    try check(#Predicate { ($0.maybeInteger.flatMap { $0 + 1 }) == 2 })
    try check(#Predicate { ($0.maybeInteger.flatMap { $0 != 1 }) == true })
    try check(#Predicate { ($0.maybeInteger.flatMap { $0 != 1 }) != true })
    try check(#Predicate { ($0.maybeInteger.flatMap { !($0 == 1) }) ?? true })
    // A test that is not about the unwrapped value has no NULL of its own.
    try check(#Predicate { item in (item.maybeInteger.flatMap { _ in item.flag }) ?? true })
    try check(
      #Predicate { item in !((item.maybeInteger.flatMap { $0 > 1 || item.maybeText == nil }) ?? true) })
    try check(
      #Predicate { item in
        (item.maybeInteger.flatMap { a in item.maybeDouble.flatMap { a < 3 && $0 < 1 } }) == nil
      })
    try check(#Predicate { if let date0 = $0.maybeDate { date0 < date } else { false } })
    try check(#Predicate { if let date0 = $0.maybeDate { !(date0 < date) } else { true } })
    try check(#Predicate { if let text = $0.maybeText { text == "a" || text.isEmpty } else { $0.flag } })
    try check(#Predicate { $0.maybeDate != nil && $0.maybeDate! < date })
    try check(#Predicate { !($0.maybeDate != nil && $0.maybeDate! < date) })
    try check(#Predicate { $0.maybeDate == nil || !($0.maybeDate! < date) })
    try check(#Predicate { $0.maybeFlag == nil ? $0.flag : $0.maybeFlag! })
  }

  @Test("Where Swift stops at a forced unwrap of nil, the comparison is false and its negation true")
  func unwrappedNil() throws {
    let date = QueryItem.dates[4]
    try check(#Predicate { $0.maybeDate! < date }, unwrappingNil: false)
    try check(#Predicate { !($0.maybeDate! < date) }, unwrappingNil: true)
    try check(#Predicate { !(!($0.maybeDate! < date)) }, unwrappingNil: false)
    try check(#Predicate { $0.maybeInteger! == 1 }, unwrappingNil: false)
    try check(#Predicate { $0.maybeInteger! != 1 }, unwrappingNil: true)
    try check(#Predicate { $0.maybeInteger! != $0.integer }, unwrappingNil: true)
    try check(#Predicate { $0.maybeFlag! }, unwrappingNil: false)
    try check(#Predicate { !$0.maybeFlag! }, unwrappingNil: true)
    try check(#Predicate { $0.maybeFlag! == false }, unwrappingNil: false)
    try check(#Predicate { ($0.maybeInteger! + 1) * 2 > 3 }, unwrappingNil: false)
    try check(#Predicate { !($0.maybeText!.contains("a")) }, unwrappingNil: true)
    try check(#Predicate { [1, 2].contains($0.maybeInteger!) }, unwrappingNil: false)
    try check(#Predicate { !(0...7).contains($0.maybeInteger!) }, unwrappingNil: true)
  }

  @Test("Arithmetic agrees with Swift, to the last bit of integers beyond 2^53")
  func arithmetic() throws {
    try check(#Predicate { $0.integer + 1 > 9_007_199_254_740_992 })
    try check(#Predicate { $0.integer * 2 - $0.id == -$0.integer })
    try check(#Predicate { $0.integer - ($0.id - 1) < 3 })
    try check(#Predicate { $0.integer / 2 == 1 || $0.integer % 2 == -1 })
    try check(#Predicate { $0.double + 0.1 == 0.30000000000000004 })
    try check(#Predicate { $0.double * 3 > -$0.double })
    try check(#Predicate { $0.double / 2 >= 0.5 })
    // The difference of infinities is no number: every comparison with it is false.
    try check(#Predicate { $0.double - $0.double < 1 })
    try check(#Predicate { !($0.double - $0.double < 1) })
    try check(#Predicate { $0.double - $0.double == 0 })
    try check(#Predicate { $0.double - $0.double != 0 })
  }

  @Test("Texts: contains, starts(with:), isEmpty, with every text searched for every other")
  func texts() throws {
    for text in QueryItem.texts {
      try check(#Predicate { $0.text.contains(text) })
      try check(#Predicate { !$0.text.contains(text) })
      try check(#Predicate { $0.text.starts(with: text) })
      try check(#Predicate { text.contains($0.text) })
      try check(#Predicate { ($0.maybeText ?? "").starts(with: text) })
    }
    try check(#Predicate { $0.text.isEmpty })
    try check(#Predicate { !$0.text.isEmpty })
    try check(#Predicate { $0.data.isEmpty || $0.data.count == 2 })
  }

  @Test("Lists and ranges")
  func membership() throws {
    let numbers = [1, 2, 9_007_199_254_740_993]
    let texts: Set<String> = ["a", "milk", "😀"]
    let maybes: [Int?] = [1, nil]
    let somes: [Int?] = [1, 2]
    let nils: [Int?] = [nil]
    let closed = 0...7
    let open = 0..<7
    let dates = QueryItem.dates[0]...QueryItem.dates[4]
    let empty: [Int] = []
    try check(#Predicate { numbers.contains($0.integer) })
    try check(#Predicate { !numbers.contains($0.integer) })
    try check(#Predicate { [1, 3].contains($0.integer * 3) })
    try check(#Predicate { texts.contains($0.text) })
    try check(#Predicate { maybes.contains($0.maybeInteger) })
    try check(#Predicate { !maybes.contains($0.maybeInteger) })
    try check(#Predicate { somes.contains($0.maybeInteger) })
    try check(#Predicate { !somes.contains($0.maybeInteger) })
    try check(#Predicate { nils.contains($0.maybeInteger) })
    try check(#Predicate { empty.contains($0.integer) })
    try check(#Predicate { !empty.contains($0.integer) })
    try check(#Predicate { (0.1...1.5).contains($0.double) })
    try check(#Predicate { closed.contains($0.integer) })
    try check(#Predicate { open.contains($0.integer) })
    try check(#Predicate { dates.contains($0.date) })
    try check(#Predicate { !(0..<7).contains($0.integer) })
    try check(#Predicate { ($0.id...1000).contains($0.integer + 500) })
    try check(#Predicate { ("a"..."b").contains($0.text) })
    try check(#Predicate { ($0.flag ? 1 : $0.integer) == 1 })
    try check(#Predicate { $0.flag ? $0.integer < 3 : $0.maybeInteger == nil })
  }

  @Test("SQL is short where it can be, and names what it depends on")
  func text() throws {
    func sql(_ predicate: Predicate<QueryItem>) throws -> String { try SQLPredicate(predicate).sql }
    let date = QueryItem.dates[4]
    #expect(try sql(#Predicate { !$0.flag }) == #"NOT "flag""#)
    #expect(try sql(#Predicate { $0.maybeText == "a" }) == #""maybe ""text""" = ?"#)
    #expect(try sql(#Predicate { $0.maybeText != "a" }) == #""maybe ""text""" IS NOT ?"#)
    #expect(
      try sql(#Predicate { $0.flag && $0.integer < 3 && !($0.text == "a") })
        == #""flag" AND "integer" < ? AND NOT "text" = ?"#)
    #expect(
      try sql(#Predicate { ($0.flag || $0.integer < 3) && $0.id == 1 })
        == #"("flag" OR "integer" < ?) AND "id" = ?"#)
    // An index on the column serves each of these.
    #expect(
      try sql(#Predicate { if let date0 = $0.maybeDate { date0 < date } else { false } })
        == #""maybeDate" < ?"#)
    #expect(try sql(#Predicate { $0.maybeDate! < date }) == #""maybeDate" < ?"#)
    #expect(try sql(#Predicate { $0.maybeText?.contains("a") == true }) == #"instr("maybe ""text""", ?) > 0"#)
    #expect(try sql(#Predicate { $0.maybeInteger == nil }) == #""maybeInteger" IS NULL"#)
    let predicate = try SQLPredicate(#Predicate { $0.integer + 2 < 3 && $0.maybeText?.isEmpty == true })
    #expect(predicate.columns == ["integer", "maybe \"text\""])
    #expect(predicate.parameters == [.integer(2), .integer(3)])
    let both = predicate.and(try SQLPredicate(#Predicate { $0.flag || $0.id == 5 }))
    #expect(both.columns == ["integer", "maybe \"text\"", "flag", "id"])
    #expect(both.parameters == [.integer(2), .integer(3), .integer(5)])
    #expect(database.ids(where: both).isSubset(of: database.ids(where: predicate)))
  }

  @Test("What has no form in SQL is named, with what to do")
  func errors() throws {
    func message(_ predicate: Predicate<QueryItem>) -> String? {
      #expect(throws: QueryError.self) { try SQLPredicate(predicate) }?.description
    }
    let undefined = QueryItem.doubles.max()! - .infinity
    let many = Array(0...40_000)
    let other = QueryItem.texts
    #expect(
      message(#Predicate { $0.flag && $0.text.count == 3 })
        == "$0.text.count cannot be used in a query: SQLite counts Unicode scalars where Swift counts characters; use "
        + "isEmpty, or count in Swift")
    #expect(message(#Predicate { $0.parent?.flag == true })?.hasPrefix("$0.parent cannot") == true)
    #expect(message(#Predicate { $0.parent!.flag })?.hasPrefix("$0.parent cannot") == true)
    #expect(message(#Predicate { $0.float + 1 < 2 })?.hasPrefix("$0.float + 1.0 cannot") == true)
    #expect(
      message(#Predicate { $0.double / $0.double < 2 })?.hasPrefix("$0.double / $0.double cannot") == true)
    #expect(message(#Predicate { $0.double < undefined })?.contains("NaN") == true)
    #expect(message(#Predicate { many.contains($0.integer) })?.contains("32,000") == true)
    #expect(
      message(#Predicate { item in other.contains { $0 == item.text } })?.contains(".contains {") == true)
    #expect(message(#Predicate { ($0 as Any) is QueryItem })?.contains("typeCheck") == true)
    #expect(message(#Predicate { $0.text.first == nil })?.hasPrefix("$0.text.first cannot") == true)
  }
}
