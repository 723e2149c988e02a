/// The state of an object before a transaction added it to a store.
struct BeforeAdding {
  /// The number of that transaction in its store; 0 for none.
  var transaction: UInt64 = 0
  var values: RowImage = []
  var kept: KeptTargets?
  /// Whether the object's values replaced those of an existing row.
  var isUpdate = false
}

/// The targets of an object that the store learned about only in the transaction that added it, and the
/// elements of its lists; kept until the transaction ends.
final class KeptTargets {
  /// The targets by the offset of the property.
  var targets: [(offset: Int, objects: [Object])] = []
}
