import FoundationEssentials

@testable import LiveStore

enum QueryPriority: Int, Codable, Sendable, CaseIterable, Comparable {
  case low = 7
  case high = 1

  static func < (a: QueryPriority, b: QueryPriority) -> Bool { a == .low && b == .high }
}

/// The object that the predicates of these tests are about. A class, as the ones they are meant for.
final class QueryItem {
  var id = 0
  var flag = false
  var maybeFlag: Bool?
  var integer = 0
  var maybeInteger: Int?
  var double = 0.0
  var maybeDouble: Double?
  var float: Float = 0
  var text = ""
  var maybeText: String?
  var date = Date(timeIntervalSince1970: 0)
  var maybeDate: Date?
  var uuid = UUID()
  var data = Data()
  var maybeData: Data?
  var priority = QueryPriority.low
  var maybePriority: QueryPriority?
  var parent: QueryItem?

  static let texts = [
    "", "a", "b", "ab", "abc", "ba", "A", "milk", "Milk", "Grüße", "ü", "é", "日本語", "本", "👩‍👩‍👧 family", "😀",
    "a\u{0}b", "%", "_",
    "'", "\"", "a b", "z", "🏴", "\u{1F}", "ﬀ",
  ]
  static let integers = [
    0, 1, -1, 2, 3, 7, -5, 100, (1 << 53) - 1, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1, (1 << 53) + 2,
  ]
  static let doubles = [
    0, -0.0, 0.1, 0.2, 0.30000000000000004, 1, -1, 1.5, 1e300, -1e300, 0x1p53, .infinity, -.infinity,
  ]
  static let dates = [
    0, 0.001, 0.002, -0.001, 1_714_521_600, 1_714_521_600.5, -62_135_596_800, 64_092_211_200,
    253_402_300_799.999,
  ].map { Date(timeIntervalSince1970: $0) }
  static let datas = [Data(), Data([0]), Data([0, 255]), Data("a".utf8)]

  static func random(id: Int, using random: inout some RandomNumberGenerator) -> QueryItem {
    let item = QueryItem()
    func maybe<T>(_ value: T) -> T? { Bool.random(using: &random) ? value : nil }
    item.id = id
    item.flag = .random(using: &random)
    item.maybeFlag = maybe(.random(using: &random))
    item.integer = integers.randomElement(using: &random)!
    item.maybeInteger = maybe(integers.randomElement(using: &random)!)
    item.double = doubles.randomElement(using: &random)!
    item.maybeDouble = maybe(doubles.randomElement(using: &random)!)
    item.float = [0, 0.1, 1.5, -.infinity].randomElement(using: &random)!
    item.text = texts.randomElement(using: &random)!
    item.maybeText = maybe(texts.randomElement(using: &random)!)
    item.date = dates.randomElement(using: &random)!
    item.maybeDate = maybe(dates.randomElement(using: &random)!)
    item.data = datas.randomElement(using: &random)!
    item.maybeData = maybe(datas.randomElement(using: &random)!)
    item.priority = QueryPriority.allCases.randomElement(using: &random)!
    item.maybePriority = maybe(QueryPriority.allCases.randomElement(using: &random)!)
    return item
  }

  private static let columns: [(keyPath: PartialKeyPath<QueryItem> & Sendable, name: String, type: String)] =
    [
      (\.id, "id", "INTEGER"), (\.flag, "flag", "INTEGER"), (\.maybeFlag, "maybeFlag", "INTEGER"),
      (\.integer, "integer", "INTEGER"), (\.maybeInteger, "maybeInteger", "INTEGER"),
      (\.double, "double", "REAL"),
      (\.maybeDouble, "maybeDouble", "REAL"), (\.float, "float", "REAL"), (\.text, "text", "TEXT"),
      (\.maybeText, "maybe \"text\"", "TEXT"), (\.date, "date", "TEXT"), (\.maybeDate, "maybeDate", "TEXT"),
      (\.uuid, "uuid", "TEXT"), (\.data, "data", "BLOB"), (\.maybeData, "maybeData", "BLOB"),
      (\.priority, "priority", "INTEGER"), (\.maybePriority, "maybePriority", "INTEGER"),
    ]

  static func column(_ keyPath: AnyKeyPath) throws -> QueryColumn {
    guard let column = columns.first(where: { $0.keyPath == keyPath }) else {
      throw QueryError(expression: "\(keyPath)", advice: "it is no stored property")
    }
    let isOptional = type(of: keyPath).valueType is any ExpressibleByNilLiteral.Type
    return QueryColumn(name: column.name, isOptional: isOptional)
  }

  static func database(of items: [QueryItem]) -> TestDatabase {
    let database = TestDatabase()
    let definitions = columns.map { "\(QueryColumn(name: $0.name, isOptional: true).sql) \($0.type)" }
    database.rows("create table item (\(definitions.joined(separator: ", ")))")
    let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    database.rows("begin")
    for item in items {
      database.rows(
        "insert into item values (\(marks))",
        [
          item.id.sqliteValue, item.flag.sqliteValue, item.maybeFlag.sqliteValue, item.integer.sqliteValue,
          item.maybeInteger.sqliteValue, item.double.sqliteValue, item.maybeDouble.sqliteValue,
          item.float.sqliteValue,
          item.text.sqliteValue, item.maybeText.sqliteValue, item.date.sqliteValue,
          item.maybeDate.sqliteValue,
          item.uuid.sqliteValue, item.data.sqliteValue, item.maybeData.sqliteValue,
          item.priority.rawValue.sqliteValue, (item.maybePriority?.rawValue).sqliteValue,
        ])
    }
    database.rows("commit")
    return database
  }
}

extension SQLPredicate {
  init(_ predicate: Predicate<QueryItem>) throws {
    try self.init(predicate, row: { .column(try QueryItem.column($0)) })
  }
}

extension TestDatabase {
  /// The ids of the rows that the condition holds for.
  func ids(where predicate: SQLPredicate, sql: String? = nil) -> Set<Int> {
    let rows = rows("select id from item where \(sql ?? predicate.sql)", predicate.parameters)
    return Set(rows.map { Int(sqliteValue: $0[0])! })
  }
}
