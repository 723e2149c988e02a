extension Store: Freezable {
  /// Whether the store stays at its version.
  public var isFrozen: Bool { frozen != nil }

  /// A store that shows the version that this one shows, and goes on showing it: never changing, for reading
  /// only, on any thread. Freezing again at the same version gives the same store.
  ///
  /// Refreshing it does nothing; beginning a write, observing, and changing objects stop the program. It
  /// keeps a connection of its own and its place in the write-ahead log until it and all that came from it
  /// are gone: for as long, the log cannot be started anew, and grows with every commit of anybody. Let it go
  /// when it is no longer shown.
  ///
  /// Within a write transaction that has changed something there is nothing to freeze, because it may yet be
  /// taken back: the program stops. Where no further connection to the file can be opened, the frozen store
  /// has a ``failure`` and shows nothing, and this one has the same ``failure``.
  ///
  /// - Complexity: O(1); the first time at each version a connection is opened. Orders that collections have
  ///   read are shared, not copied.
  public func freeze() -> Store {
    if isFrozen { return self }
    requireOpen()
    guard recorder.touched.isEmpty else {
      fatalError(
        "A store cannot be frozen in a write transaction that has changed something; freeze it before or "
          + "after."
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

  /// The store that was frozen, to be used where it is; itself if it is live. `nil` when it is gone or
  /// closed.
  public func thaw() -> Store? {
    guard let frozen else { return self }
    return frozen.source.flatMap { $0.isClosed ? nil : $0 }
  }

  /// SQLite cannot open a version by its number, so the connection that holds it is kept: another one takes
  /// its place when this store moves on.
  private func makeFrozenState() throws(StoreError) -> FrozenState {
    if !coordinator.hasSpare {
      let connection = try DatabaseFile(
        identity: identity, configuration: configuration, schema: schema
      ).openAnother()
      try recorder.install(on: connection)
      coordinator.setSpare(try Snapshot(connection, schema: schema, line: line, identity: identity))
    }
    if isInWriteTransaction {
      // What will be written through the front connection must not be seen. The lock keeps others from
      // committing, so that the newest version is the one shown.
      let snapshot = coordinator.back
      let version = try snapshot.open()
      let state = FrozenState(snapshot, version: version, source: self)
      coordinator.replaceBackIfPinned()
      return state
    }
    return FrozenState(front, version: front.version ?? 0, source: self)
  }

  /// Runs something that uses the state of a frozen store, which several threads may be doing; a live store
  /// is used where it belongs only.
  @inline(__always)
  func exclusively<R>(_ body: () -> R) -> R {
    guard let frozen else { return body() }
    return frozen.lock.withLock(body)
  }

  func requireLive(_ what: String) {
    guard frozen == nil else {
      fatalError("What is frozen never changes and cannot be \(what); use the live one, which thaw() gives.")
    }
  }
}

extension Object: Freezable {
  /// Whether the object stays as it is.
  public var isFrozen: Bool { _row?.store.isFrozen ?? false }

  /// A copy that stays as the object is now; see ``Store/freeze()``. Only an object that belongs to a store,
  /// and has not been deleted, can be frozen.
  public func freeze() -> Self {
    guard let row = _row, !row.isInvalidated else {
      fatalError("Only an object that belongs to a store and has not been deleted can be frozen.")
    }
    if isFrozen { return self }
    return unsafeDowncast(row.store.freeze().row(row.table, row.key).object(), to: Self.self)
  }

  /// The live object, to be used where the store that was frozen is; itself if it is live. `nil` when it has
  /// been deleted, or the store is gone or closed.
  public func thaw() -> Self? {
    guard let row = _row, isFrozen else { return self }
    guard let store = row.store.thaw() else { return nil }
    let live = store.row(row.table, row.key)
    return live.isDeleted ? nil : unsafeDowncast(live.object(), to: Self.self)
  }
}

extension Results: Freezable {
  /// Whether the results stay as they are.
  public var isFrozen: Bool { store.isFrozen }

  /// The same results as they are now; see ``Store/freeze()``.
  public func freeze() -> Results<Element> {
    isFrozen ? self : Results(ranked.frozen())
  }

  /// The same results in the store that was frozen, as it shows them now.
  public func thaw() -> Results<Element>? {
    isFrozen ? store.thaw().map { Results(RankedCollection(store: $0, query: ranked.query)) } : self
  }
}

extension List: Freezable {
  /// Whether the list stays as it is.
  public var isFrozen: Bool { store?.isFrozen ?? false }

  /// The same list as it is now; see ``Store/freeze()``. Only the list of an object that belongs to a store
  /// can be frozen.
  public func freeze() -> List<Element> {
    if isFrozen { return self }
    let (ranked, owner) = requireManaged("frozen")
    precondition(!isInvalidated, "The list of an object that has been deleted cannot be frozen.")
    let copy = ranked.frozen()
    return List(copy, owner: copy.store.row(owner.table, owner.key))
  }

  /// The same list in the store that was frozen, as it shows it now; `nil` also when the object whose list it
  /// is has been deleted.
  public func thaw() -> List<Element>? {
    guard isFrozen else { return self }
    let (ranked, owner) = requireManaged("thawed")
    guard let store = ranked.store.thaw() else { return nil }
    let row = store.row(owner.table, owner.key)
    return row.isDeleted ? nil : List(RankedCollection(store: store, query: ranked.query), owner: row)
  }
}
