/// Objects that were added in a write that is taken back: they belong to no store again, and are what they
/// were before.
extension Store {
  /// Keeps what an object is that is about to show a row.
  ///
  /// - Parameter values: The values of its columns.
  func keep(_ object: Object, _ values: RowImage, _ objectSchema: ObjectSchema) {
    object._before = BeforeAdding(transaction: transaction, values: values)
    guard objectSchema.leadsToObjects else { return }
    let kept = KeptTargets()
    for property in objectSchema.leading {
      // What the store had before is found there again.
      let targets = property.storage.targets(at: property.address(in: object))
      if property.isList ? !targets.isEmpty : targets.contains(where: isNew) {
        kept.targets.append((property.offset, targets))
      }
    }
    guard !kept.targets.isEmpty else { return }
    object._before.kept = kept
    adding.kept.append(kept)
  }

  /// Whether an object belongs to no store, or to this one since the open transaction.
  private func isNew(_ object: Object) -> Bool {
    object._row == nil || object._before.transaction == transaction
  }

  /// The objects that the open transaction has added.
  ///
  /// - Complexity: O(k) for k rows that the transaction has touched.
  func addedObjects() -> [Object] {
    var objects = adding.adopted.compactMap(\.object)
    for entry in recorder.touched.entries {
      guard let index = rows.index(of: entry.row),
        let object = rows[index: index]._withUnsafeGuaranteedRef({ $0.shown })
      else { continue }
      objects.append(object)
    }
    return objects.filter { $0._before.transaction == transaction }
  }

  /// Has objects belong to no store again; what they were added in has been taken back.
  func release(_ objects: [Object]) {
    for object in objects {
      // One that was adopted may also have been touched.
      guard let row = object._row, case .objects(let schema) = row.table.role else { continue }
      let before = object._before
      let image = _ManagedRow(of: row, values: before.values)
      object._row = nil
      object._before = BeforeAdding()
      for property in schema.properties {
        let kept = before.kept?.targets.first { $0.offset == property.offset }?.objects
        property.storage.release(
          at: property.address(in: object), image, property.slot,
          // The list of a row that was there stays that row's.
          list: before.isUpdate ? nil : row.takeList(property), kept: kept)
      }
      row.objectIsGone(object)
    }
  }

  /// Lets go of what was kept for the case that the transaction is taken back.
  func forgetAdded() {
    transaction += 1
    adding.adopted = []
    // One by one: they may lead from one to the next over any number of objects.
    for kept in adding.kept { kept.targets = [] }
    adding.kept = []
  }
}
