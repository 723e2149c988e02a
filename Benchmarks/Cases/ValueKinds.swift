import BenchmarkRunner
import FoundationEssentials
import LiveStore

/// An object with collections of values and a decimal number.
final class Recipe: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var tags: Set<String>
  @Persisted var grams: [String: Int]
  @Persisted var price: Decimal
}

/// Kinds of values that SQLite has no storage class for, against what a program in C makes of them.
enum ValueKinds: Benchmark {
  static let name = "value-kinds"
  static let summary =
    "sets and dictionaries in JSON, and decimal numbers; against SQLite's own functions, called in C"

  static func run(_ run: Run) throws {
    for rows in run.sizes(full: [10_000, 100_000], quick: [1_000, 10_000]) {
      let file = try BenchmarkFile()
      let store = try file.store([Recipe.self])
      try store.write {
        for id in 0..<rows {
          let recipe = Recipe()
          recipe.id = id
          recipe.tags = ["all", "tag \(id % 7)", "tag \(id % 11)", "tag \(id % 100)"]
          recipe.grams = ["salt": id % 10, "flour": id % 500]
          recipe.price = Decimal(id * 7919 % 1_000_000) / 100
          store.add(recipe)
        }
      }
      let database = RawDatabase(file.path)
      let samples = run.samples(full: 30, quick: 10)

      func measure(_ name: String, _ sql: String, ours: () throws -> Int) throws {
        let statement = database.prepare(sql)
        var (times, rawTimes) = (Samples(), Samples())
        for round in -1..<samples {
          var (found, rawFound) = (0, 0)
          let time = try nanoseconds { found = try ours() }
          let rawTime = nanoseconds {
            _ = statement.step()
            rawFound = statement.integer(0)
            statement.reset()
          }
          guard found == rawFound else {
            throw Failure("\(name): \(found) were found, and \(rawFound) in C.")
          }
          guard round >= 0 else { continue }
          times.append(time)
          rawTimes.append(rawTime)
        }
        run.append(Measurement(name, rows: rows, times: times, baseline: ("SQLite in C", rawTimes)))
      }
      let recipes = store.objects(Recipe.self)
      try measure(
        "count where a set has an element",
        "SELECT count(*) FROM Recipe WHERE EXISTS (SELECT 1 FROM json_each(tags) WHERE value = 'tag 5')"
      ) { try recipes.filter(#Predicate { $0.tags.contains("tag 5") }).count }
      try measure(
        "count by the value of a key", "SELECT count(*) FROM Recipe WHERE grams ->> '$.salt' = 3"
      ) { try recipes.filter(#Predicate { $0.grams["salt"] == 3 }).count }
      let limit: Decimal = 5000
      try measure(
        "count by a decimal number, in C rounded to a double",
        "SELECT count(*) FROM Recipe WHERE CAST(price AS REAL) < 5000"
      ) { try recipes.filter(#Predicate { $0.price < limit }).count }
      try measure("read of sets", "SELECT sum(json_array_length(tags)) FROM Recipe") {
        recipes.values(of: \.tags).reduce(0) { $0 + $1.count }
      }
    }
    try insertElements(run)
    try removeEntries(run)
  }

  private static func insertElements(_ run: Run) throws {
    let (file, rawFile) = (try BenchmarkFile(), try BenchmarkFile())
    let store = try file.store([Recipe.self])
    let recipe = try store.write { try store.create(Recipe.self) }
    let database = RawDatabase(rawFile.path)
    database.execute(
      """
      CREATE TABLE Recipe (id INTEGER PRIMARY KEY, grams TEXT NOT NULL);
      INSERT INTO Recipe VALUES (0, '{}')
      """)
    let update = database.prepare(
      "UPDATE Recipe SET grams = json_set(grams, '$.salt', json_extract(grams, '$.salt') + 1) WHERE id = 0")
    var (times, rawTimes) = (Samples(), Samples())
    for round in -10..<run.samples(full: 1000, quick: 200) {
      let time = try nanoseconds { try store.write { recipe.grams["salt", default: 0] += 1 } }
      let rawTime = nanoseconds { update.run() }
      guard round >= 0 else { continue }
      times.append(time)
      rawTimes.append(rawTime)
    }
    run.append(
      Measurement(
        "a value in a dictionary changed, committed", rows: 1, times: times,
        baseline: ("SQLite in C", rawTimes)))
  }

  /// Removes every hundredth entry of a list, found by a closure or by a predicate.
  private static func removeEntries(_ run: Run) throws {
    for rows in run.sizes(full: [10_000, 100_000], quick: [1_000, 10_000]) {
      try removeEntries(run, rows, "by a closure") { items, rest in
        items.removeAll { $0.id % 100 == rest }
      }
      try removeEntries(run, rows, "by a predicate") { items, rest in
        try items.removeAll(matching: #Predicate { $0.id % 100 == rest })
      }
    }
  }

  private static func removeEntries(
    _ run: Run, _ rows: Int, _ how: String, _ remove: (List<Record>, _ rest: Int) throws -> Void
  ) throws {
    let file = try BenchmarkFile()
    try ListWorkload.fill(file, rows: rows)
    let store = try file.store(ListWorkload.types)
    let items = try ListWorkload.items(of: store)
    let rawFile = try BenchmarkFile()
    try ListWorkload.fill(rawFile, rows: rows)
    let database = RawDatabase(rawFile.path, firesTriggers: false)
    let delete = database.prepare(
      """
      DELETE FROM Folder_items WHERE entry IN (
        SELECT entry FROM Folder_items JOIN Record ON id = target WHERE id % 100 = ?)
      """)
    var (times, rawTimes) = (Samples(), Samples())
    _ = items.reduce(0) { $0 + $1.id }
    for rest in 0..<run.samples(full: 20, quick: 10) {
      times.append(try nanoseconds { try store.write { try remove(items, rest) } })
      delete.bind(rest, at: 1)
      rawTimes.append(nanoseconds { delete.run() })
      guard items.count == database.integer("SELECT count(*) FROM Folder_items") else {
        throw Failure("The lists have different lengths.")
      }
    }
    run.append(
      Measurement(
        "every hundredth removed from a list \(how), committed", rows: rows, times: times,
        baseline: ("SQLite in C", rawTimes)))
  }
}
