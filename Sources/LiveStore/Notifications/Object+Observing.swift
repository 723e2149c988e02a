/// A protocol of every ``Object``, which gives callbacks the class that they observe as `Self`.
public protocol ObservableRow: AnyObject {}

extension Object: ObservableRow {}

extension ObservableRow where Self: Object {
  /// Calls `block` after every change of the properties that key paths lead through, and when the object is
  /// deleted, where the store is used, as long as the token lives. There is no initial call.
  ///
  /// A list counts as changed when it has other elements, or another order. Changes of the objects that links
  /// and lists lead to are reported only where a key path leads there.
  ///
  /// The object must belong to a store, must not have been deleted, and cannot be observed in a write
  /// transaction that has changed something.
  ///
  /// - Complexity: A version in which the object did not change costs O(1).
  /// - Parameter keyPaths: Names separated by dots, through any number of links and lists: `dogs.name`. `*`
  ///   stands for every property of one class, and `Person.dogs` for the people whose `dogs` contain the
  ///   object. `nil` means the object's own properties, an empty array only its deletion.
  /// - Parameter block: Receives the change, where the store is used.
  /// - Returns: A token; the callback is called as long as it lives.
  public func observe(
    keyPaths: [String]? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    NotificationToken(subscribe(tree(keyPaths), block).state, observing: "\(Self.self)")
  }

  /// Observes as ``ObservableRow/observe(keyPaths:_:)-([String]?,_)`` does, with key paths from the object,
  /// which may lead through links: `\.bestDog?.name`.
  @_disfavoredOverload
  public func observe(
    keyPaths: [PartialKeyPath<Self>], _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    let row = requireObservable()
    return observe(keyPaths: row.table.names(of: keyPaths), block)
  }

  /// Calls `block` after every change of the object's own properties except some, and when the object is
  /// deleted.
  ///
  /// - Parameter properties: The properties to ignore.
  /// - Parameter block: Receives the change, where the store is used.
  /// - Returns: A token; the callback is called as long as it lives.
  public func observe(
    ignoring properties: [PartialKeyPath<Self>], _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    let row = requireObservable()
    let schema = row.store.schema
    var tree = PropertyTree(allOf: row.table, schema: schema)
    let ignored = PropertyTree(row.table.names(of: properties), of: row.table, schema: schema)
    for property in ignored.branches.keys { tree.ignore(property) }
    return NotificationToken(subscribe(tree, block).state, observing: "\(Self.self)")
  }

  /// Calls `block` on another scheduler, with the object in a store that is opened there on the same file.
  ///
  /// The first change is relative to the values that the object shows now; for its lists, and for objects
  /// that it leads to, to their state when that store has been opened. An error in opening it is reported as
  /// ``ObjectChange/error(_:)``.
  ///
  /// - Parameters:
  ///   - keyPaths: See ``ObservableRow/observe(keyPaths:_:)-([String]?,_)``.
  ///   - scheduler: Any except that of a file descriptor, whose program has to open its store itself.
  ///   - block: Receives the change, where the scheduler calls it.
  /// - Returns: A token, which keeps that store open; the callback is called as long as it lives.
  public func observe(
    keyPaths: [String]? = nil, on scheduler: Scheduler,
    _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    let row = requireObservable()
    let tree = tree(keyPaths)
    let (id, image) = (row.id, row.image)
    return NotificationToken(on: scheduler, asIn: row.store) { store, state in
      let there = unsafeDowncast(store.row(store.schema.tables[id.table], id.key).object(), to: Self.self)
      // The callback's base is a version that this store never had: one before its first.
      let version = store.front.version ?? 0
      store.coordinator.appendToHistory(Transition(version: version, before: [id: .some(image)]))
      _ = there.subscribe(tree, knowing: version &- 1, state: state, block)
    } onFailure: {
      block(.error($0))
    }
  }

  /// Observes as ``ObservableRow/observe(keyPaths:on:_:)-([String]?,_,_)`` does, with key paths from the
  /// object.
  @_disfavoredOverload
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on scheduler: Scheduler,
    _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: requireObservable().table.names(of: keyPaths), on: scheduler, block)
  }

  private func tree(_ keyPaths: [String]?) -> PropertyTree {
    let row = requireObservable()
    let schema = row.store.schema
    guard let keyPaths else { return PropertyTree(allOf: row.table, schema: schema) }
    return PropertyTree(keyPaths, of: row.table, schema: schema)
  }

  private func subscribe(
    _ tree: PropertyTree, knowing version: Int64? = nil, state: SubscriptionState? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> Subscription {
    guard let row = _row else { preconditionFailure("Only a managed object is observed.") }
    let store = row.store
    // Without another version, the base of the callback is the version that the object shows now.
    let base = Subscription.Base(version: version ?? store.front.version ?? 0)
    store.recorder.keepImages()
    return store.coordinator.addSubscription(
      to: ObservedObject(row.id, tree, schema: store.schema), base: base, state: state
    ) { event in
      if let change = self.change(event, row) { block(change) }
    }
  }

  /// The change that an event of the object reports; `nil` for an event of something else.
  func change(_ event: Subscription.Event, _ row: _ManagedRow) -> ObjectChange<Self>? {
    switch event {
    case .objectModified(let modification): .change(self, row.propertyChanges(modification))
    case .objectDeleted: .deleted
    case .error(let error): .error(error)
    case .initial, .update, .members, .sections, .result: nil
    }
  }

  func requireObservable() -> _ManagedRow {
    guard let row = _row else {
      fatalError("Only an object that was added to a store can be observed; add this \(Self.self) first.")
    }
    row.store.requireSnapshot()
    guard !row.isDeleted else {
      fatalError(
        "The \(row.table.name) has been deleted and can no longer be observed; look at isInvalidated before.")
    }
    if row.store.isInWriteTransaction, !row.store.recorder.isEmpty {
      fatalError(
        "An object cannot be observed in a write transaction that has changed something; "
          + "observe it before or after."
      )
    }
    return row
  }
}

extension _ManagedRow {
  func propertyChanges(_ modification: ObservedObject.Modification) -> [PropertyChange] {
    guard case .objects(let objectSchema) = table.role else { return [] }
    let schema = store.schema
    let old = _ManagedRow(of: self, values: modification.old)
    let new = _ManagedRow(of: self, values: modification.new)
    var changes: [PropertyChange] = []
    var rest = modification.properties
    for (property, (name, step)) in zip(
      objectSchema.properties, PropertyTree.steps(of: table, schema: schema))
    where rest.remove(step.property) != nil {
      if case .column(let column) = step.property {
        changes.append(
          PropertyChange(
            name: name, oldValue: property.storage.value(of: old, column),
            newValue: property.storage.value(of: new, column)))
      } else {
        changes.append(PropertyChange(name: name, oldValue: nil, newValue: nil))
      }
    }
    let backlinks = rest.compactMap { PropertyTree.name(ofBacklink: $0, schema: schema) }
    return changes + backlinks.sorted().map { PropertyChange(name: $0, oldValue: nil, newValue: nil) }
  }
}
