/// The restoration of objects that were added in a cancelled write: they belong to no store again and get
/// their former values.
extension Store {
  /// Keeps the state of an object, with the values of its columns, that is about to be attached to a row.
  func keep(_ object: Object, _ values: RowImage, _ objectSchema: ObjectSchema) {
    object._before = BeforeAdding(transaction: transaction, values: values)
    guard objectSchema.leadsToObjects else { return }
    let kept = KeptTargets()
    for property in objectSchema.leading {
      // Targets that the store had before can be found there again.
      let targets = property.storage.targets(at: property.address(in: object))
      if property.isList ? !targets.isEmpty : targets.contains(where: isNew) {
        kept.targets.append((property.offset, targets))
      }
    }
    guard !kept.targets.isEmpty else { return }
    object._before.kept = kept
    adding.kept.append(kept)
  }

  /// Whether an object belongs to no store, or was added to this one by the open transaction.
  private func isNew(_ object: Object) -> Bool {
    object._row == nil || object._before.transaction == transaction
  }

  /// The objects that the open transaction has added.
  ///
  /// - Complexity: O(k) for k rows that the transaction has touched, or O(r) for r rows that objects show.
  func addedObjects() -> [Object] {
    var objects = adding.adopted.compactMap(\.value)
    func add(_ row: Unmanaged<_ManagedRow>) {
      if let object = row._withUnsafeGuaranteedRef({ $0.shown }) { objects.append(object) }
    }
    if recorder.hasTouchedMany {
      for entry in rows.entries { add(entry.value) }
    } else {
      for entry in recorder.touched.entries {
        if let index = rows.index(of: entry.row) { add(rows[index: index]) }
      }
    }
    return objects.filter { $0._before.transaction == transaction }
  }

  /// Detaches objects from the store, because the write that added them was cancelled.
  func release(_ objects: [Object]) {
    for object in objects {
      // An adopted object may also have been touched.
      guard let row = object._row, case .objects(let schema) = row.table.role else { continue }
      let before = object._before
      let image = _ManagedRow(of: row, values: before.values)
      object._row = nil
      object._before = BeforeAdding()
      for property in schema.properties {
        let kept = before.kept?.targets.first { $0.offset == property.offset }?.objects
        property.storage.release(
          at: property.address(in: object), image, property.slot,
          // The list of an existing row stays with that row.
          list: before.isUpdate ? nil : row.takeList(property), kept: kept)
      }
      row.objectIsGone(object)
    }
  }

  /// Releases the state that was kept in case the transaction is cancelled.
  func forgetAdded() {
    transaction += 1
    adding.adopted = []
    // One by one: a chain of any number of objects may be released with each.
    for kept in adding.kept { kept.targets = [] }
    adding.kept = []
  }
}
