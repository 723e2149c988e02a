import FoundationEssentials
import Testing

@testable import LiveStore

@Suite("Random predicates")
struct SQLPredicateRandomTests {
  @Test("SQLite finds the rows that Swift finds, and by the negation the others")
  func random() throws {
    var random = SeededGenerator()
    let items = (0..<150).map { QueryItem.random(id: $0, using: &random) }
    let database = QueryItem.database(of: items)
    var mixed = 0
    for round in 0..<1000 {
      let depth = Int.random(in: 0...4, using: &random)
      let predicate = Predicate<QueryItem> { item in
        var generator = PredicateGenerator(item: item, random: random)
        let expression = generator.bool(depth)
        random = generator.random
        return expression
      }
      let sql = try SQLPredicate(predicate)
      let expected = Set(try items.filter { try predicate.evaluate($0) }.map(\.id))
      let found = database.ids(where: sql)
      let others = database.ids(where: sql, sql: "(\(sql.sql)) IS NOT TRUE")
      guard found == expected, others == Set(items.map(\.id)).subtracting(expected) else {
        let text = PredicateTranslation(
          predicate.variable.key, .row({ .column(try QueryItem.column($0)) }, key: nil)
        )
        .text(predicate.expression)
        Issue.record(
          """
          seed \(random.seed) round \(round): \(text)
          is not \(sql.sql) \(sql.parameters)
          too many: \(found.subtracting(expected).sorted()), missing: \(expected.subtracting(found).sorted()), \
          both or neither: \(found.intersection(others).sorted()) \(Set(items.map(\.id)).subtracting(found).subtracting(others).sorted())
          """)
        return
      }
      if !expected.isEmpty, expected.count < items.count { mixed += 1 }
    }
    // That it is no test of true and false alone.
    #expect(mixed > 300)
  }
}
