extension Store {
  /// The primary keys of the objects of a class that have any element in one of their lists, at the version
  /// that the store shows; `nil` if they are more than a limit. An element may be missing, as another program
  /// may have deleted it.
  ///
  /// - Complexity: O(k log n) for k objects, however many elements they have.
  package func ownersOfElements(_ type: Object.Type, upTo limit: Int) -> [SQLiteValue]? {
    reading(else: []) { () throws(StoreError) in
      var owners: [SQLiteValue] = []
      for list in schema.lists[schema.table(of: type).index] {
        guard let more = try reader.owners(of: schema.tables[list], upTo: limit - owners.count) else {
          return nil
        }
        owners += more
      }
      return owners
    }
  }
}
