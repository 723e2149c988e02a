import LiveStore

/// A row of the benchmarks: sorted by `rank`, which is indexed.
final class Record: Object {
  @Persisted(primaryKey: true) var id: Int = 0
  @Persisted(indexed: true) var rank: Int = 0
  @Persisted var text: String = ""

  convenience init(id: Int, rank: Int) {
    self.init()
    self.id = id
    self.rank = rank
    text = "Record number \(id)"
  }
}
