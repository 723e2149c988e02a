import LiveStore
import LiveStoreFixtures
import Testing

extension Array where Element: Equatable {
  /// Brings the rows that a view shows up to date, and expects them to be those of the collection then.
  mutating func follow<Rows: RandomAccessCollection>(
    _ change: CollectionChange<Rows>, _ row: (Rows.Element) -> Element
  ) where Rows.Index == Int {
    switch change {
    case .initial(let rows): self = rows.map(row)
    case .update(let rows, let changes):
      follow(changes) { row(rows[$0]) }
      #expect(self == rows.map(row))
    case .error(let error): Issue.record(error)
    }
  }
}
