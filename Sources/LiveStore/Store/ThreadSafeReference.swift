import LibC

/// A value that belongs to one store and that another store of the same file can find.
public protocol ThreadConfined: Freezable {
  /// Whether the value can no longer be read.
  var isInvalidated: Bool { get }

  /// A reference to the value that does not contain the store.
  var _reference: _Reference { get }

  /// The value that the reference names in a store, or `nil`.
  static func _resolve(_ reference: _Reference, in store: Store) -> Self?
}

/// The content of a ``ThreadSafeReference``: classes and keys, no objects.
public struct _Reference: Sendable {
  enum Target: Sendable {
    case object(Object.Type, key: SQLiteValue)
    case collection(CollectionQuery)
    case list(CollectionQuery, owner: Object.Type)
  }

  let target: Target
  let path: String
  let version: Int64?

  init(_ target: Target, in store: Store) {
    self.target = target
    path = store.path
    version = store.front.version
  }
}

/// A reference that carries an object, results or a list to a store of the same file on another thread, queue
/// or actor, where ``Store/resolve(_:)`` finds its counterpart. It holds no version, costs nothing to keep,
/// and can be resolved any number of times.
public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
  fileprivate let reference: _Reference

  /// A reference to an object or a collection that belongs to a store. Passing one that belongs to none, or
  /// has been deleted, stops the program.
  public init(to confined: Confined) {
    precondition(!confined.isInvalidated, "What has been deleted cannot be referred to.")
    reference = confined._reference
  }
}

extension Store {
  /// Returns the counterpart of the object or collection that the reference names.
  ///
  /// A store at an earlier version than that of the reference is refreshed, unless it is frozen, in a write
  /// or in a callback. If it cannot be refreshed, the version that it shows counts. Objects added by a write
  /// that is still open are found after its commit.
  ///
  /// - Returns: `nil` if the object, or the owner of the list, does not exist in the version that the store
  ///   shows. A reference from another file, or to a class that the store does not have, stops the program.
  public func resolve<Confined: ThreadConfined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
    requireOpen()
    let reference = reference.reference
    guard isSameFile(reference.path) else {
      fatalError("A reference can be resolved by a store of the same file only, not by one of “\(path)”.")
    }
    if let version = reference.version, version > front.version ?? .min { _ = try? refresh() }
    return Confined._resolve(reference, in: self)
  }

  private func isSameFile(_ other: String) -> Bool {
    if path == other { return true }
    var own = stat()
    var theirs = stat()
    return stat(path, &own) == 0 && stat(other, &theirs) == 0
      && own.st_dev == theirs.st_dev && own.st_ino == theirs.st_ino
  }
}

extension Object: ThreadConfined {
  public var _reference: _Reference {
    guard let row = _row else {
      fatalError("Only an object that belongs to a store can be referred to; add it first.")
    }
    return _Reference(.object(type(of: self), key: row.key), in: row.store)
  }

  public static func _resolve(_ reference: _Reference, in store: Store) -> Self? {
    guard case .object(let type, let key) = reference.target else { return nil }
    let row = store.row(store.schema.table(of: type), key)
    return row.isDeleted ? nil : unsafeDowncast(row.object(), to: Self.self)
  }
}

extension Results: ThreadConfined {
  public var _reference: _Reference { _Reference(.collection(ranked.query), in: store) }

  public static func _resolve(_ reference: _Reference, in store: Store) -> Results<Element>? {
    guard case .collection(let query) = reference.target else { return nil }
    return Results(RankedCollection(store: store, query: query.translated(to: store.schema)))
  }
}

extension List: ThreadConfined {
  public var _reference: _Reference {
    let (ranked, owner) = requireManaged("referred to")
    return _Reference(.list(ranked.query, owner: type(of: owner.object())), in: ranked.store)
  }

  public static func _resolve(_ reference: _Reference, in store: Store) -> List<Element>? {
    guard case .list(let query, let type) = reference.target, let owner = query.list?.owner else {
      return nil
    }
    let row = store.row(store.schema.table(of: type), owner)
    guard !row.isDeleted else { return nil }
    return List(
      RankedCollection(store: store, query: query.translated(to: store.schema)), owner: row)
  }
}

extension Schema {
  /// The table of the same class, or of the same list of it, as one of another schema. A class of the same
  /// name does not do: its objects have other properties.
  fileprivate func counterpart(of table: Table, in other: Schema) -> Table {
    switch table.role {
    case .objects(let schema): return self.table(of: schema.type)
    case .entries(let owner, let target):
      _ = counterpart(of: other.tables[target], in: other)
      let owner = counterpart(of: other.tables[owner], in: other)
      guard let list = lists[owner.index].map({ tables[$0] }).first(where: { $0.name == table.name }) else {
        preconditionFailure("\(owner.name) has no list \(table.name).")
      }
      return list
    }
  }
}

extension CollectionQuery {
  /// The same query for another store, whose classes may be others or in another order.
  fileprivate func translated(to schema: Schema) -> CollectionQuery {
    guard schema !== self.schema else { return self }
    return translated(to: schema) { schema.counterpart(of: self.schema.tables[$0], in: self.schema).index }
  }
}
