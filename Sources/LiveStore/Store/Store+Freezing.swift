extension Store: Freezable {
  /// Whether the store stays at its version.
  public var isFrozen: Bool { frozen != nil }

  /// Returns a store that permanently shows the version that this one shows now, for reading only, on any
  /// thread. Freezing again at the same version returns the same store.
  ///
  /// Refreshing it does nothing; beginning a write, observing, and changing objects stop the program. It
  /// keeps its own connection and its position in the write-ahead log until it and everything that came from
  /// it are released. Until then the log cannot be restarted and grows with every commit of any program, so
  /// release the frozen store when it is no longer shown.
  ///
  /// A write transaction that has changed something may still be cancelled, so that freezing within it stops
  /// the program. If no further connection to the file can be opened, the frozen store has a ``failure`` and
  /// shows nothing, and this one has the same ``failure``.
  ///
  /// - Complexity: O(1); the first time at each version a connection is opened. Orders that collections have
  ///   read are shared, not copied.
  public func freeze() -> Store {
    if isFrozen { return self }
    requireOpen()
    guard recorder.isEmpty else {
      fatalError(
        "A store cannot be frozen in a write transaction that has changed something; "
          + "freeze it before or after."
      )
    }
    if let copy = frozenCopy, copy.frozen?.version == front.version { return copy }
    do throws(StoreError) {
      try requireReadable()
      let copy = Store(frozen: try makeFrozenState(), of: self)
      frozenCopy = copy
      return copy
    } catch {
      note(error)
      let copy = Store(frozen: FrozenState(unreadable: front, error, source: self), of: self)
      copy.failure = error
      return copy
    }
  }

  /// Returns the store that was frozen, which may be used only where its scheduler calls it. A live store
  /// returns itself. `nil` when the live store was released or closed.
  public func thaw() -> Store? {
    guard let frozen else { return self }
    return frozen.source.flatMap { $0.isClosed ? nil : $0 }
  }

  /// SQLite cannot open a version by its number. The connection that holds it is therefore kept, and another
  /// one replaces it when this store advances.
  private func makeFrozenState() throws(StoreError) -> FrozenState {
    if coordinator.spare == nil {
      let connection = try database.openAnother()
      recorder.install(on: connection)
      coordinator.spare = try Snapshot(connection, schema: schema, line: line, identity: identity)
    }
    if isInWriteTransaction {
      // The writes through the front connection must not become visible. The lock prevents other commits, so
      // that the newest version is the one shown.
      let snapshot = try coordinator.back
      let version = try snapshot.open()
      let state = FrozenState(snapshot, version: version, source: self)
      coordinator.replaceBackIfPinned()
      return state
    }
    return FrozenState(front, version: front.version ?? 0, source: self)
  }

  /// Runs a closure that uses the state of a frozen store, under a lock because several threads may do so. A
  /// live store is confined to one thread and needs none.
  @inline(__always)
  func exclusively<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    guard let frozen else { return try body() }
    return try frozen.lock.withLock(body)
  }

  func requireLive(_ what: String) {
    guard frozen == nil else {
      fatalError("What is frozen never changes and cannot be \(what); use the live one, which thaw() gives.")
    }
  }
}

extension ObjectMembers where Self: Object {
  /// Whether the object belongs to a frozen store.
  public var isFrozen: Bool { _row?.store.isFrozen ?? false }
}

extension Object: Freezable {
  /// Returns a copy that keeps the present values; see ``Store/freeze()``. Only an object that belongs to a
  /// store, and has not been deleted, can be frozen.
  public func freeze() -> Self {
    guard let row = _row, !row.isInvalidated else {
      fatalError("Only an object that belongs to a store and has not been deleted can be frozen.")
    }
    if isFrozen { return self }
    return unsafeDowncast(row.store.freeze().row(row.table, row.key).object(), to: Self.self)
  }

  /// Returns the live object, which may be used only where the frozen store's source is used. A live object
  /// returns itself. `nil` when it has been deleted, or the store was released or closed.
  public func thaw() -> Self? {
    guard let row = _row, isFrozen else { return self }
    guard let store = row.store.thaw() else { return nil }
    let live = store.row(row.table, row.key)
    return live.isDeleted ? nil : unsafeDowncast(live.object(), to: Self.self)
  }
}

extension LiveCollection {
  /// Returns the collection at its present version, which may be read on any thread; see ``Store/freeze()``.
  /// Only a collection that belongs to a store can be frozen.
  public func freeze() -> Self {
    if isFrozen { return self }
    precondition(!isInvalidated, "A collection that can no longer be read cannot be frozen.")
    return _remake(_StoredElements(ranked: _elements("frozen").ranked.frozen()))
  }

  /// Returns the live collection in the store that was frozen; `nil` when the object whose property it is has
  /// been deleted, or the store was released or closed.
  public func thaw() -> Self? {
    guard isFrozen else { return self }
    let ranked = _elements("thawed").ranked
    guard let store = ranked.store.thaw() else { return nil }
    let live = _remake(_StoredElements(ranked: RankedCollection(store: store, query: ranked.query)))
    return live.isInvalidated ? nil : live
  }
}

extension Results: Freezable {
  /// Whether the results belong to a frozen store.
  public var isFrozen: Bool { store.isFrozen }
}

extension List: Freezable {
  /// Whether the list belongs to a frozen store.
  public var isFrozen: Bool { store?.isFrozen ?? false }
}

extension LinkingObjects: Freezable {
  /// Whether the collection belongs to a frozen store.
  public var isFrozen: Bool { store?.isFrozen ?? false }
}
