/// What an object was before a transaction added it to a store.
struct BeforeAdding {
  /// The number of that transaction in its store; 0 for none.
  var transaction: UInt64 = 0
  /// The values of its columns.
  var values: RowImage = []
  var kept: KeptTargets?
  /// Whether it was another row's values that it replaced.
  var isUpdate = false
}

/// The objects that an object led to which only the transaction that added it has made known to the store,
/// and the elements of its lists; until the transaction ends.
final class KeptTargets {
  /// By the offset of the property.
  var targets: [(offset: Int, objects: [Object])] = []
}
