import FoundationEssentials
import Observation

/// An ordered list of objects as a property of another; an object may occur in it several times.
///
/// Moving an element writes one row, regardless of the length of the list.
///
/// The list of an object in a store takes part in Swift's Observation like ``Results``.
public final class List<Element: Object>: RandomAccessCollection, Observable {
  enum Storage {
    /// The list of an object that belongs to no store yet.
    case unmanaged([Element])
    case managed(RankedCollection, owner: _ManagedRow)
  }

  var storage: Storage

  /// An empty list, for an object that belongs to no store yet.
  public init() {
    storage = .unmanaged([])
  }

  init(row: _ManagedRow, slot: Int) {
    storage = .unmanaged([])
    manage(row, slot)
  }

  init(_ ranked: RankedCollection, owner: _ManagedRow) {
    storage = .managed(ranked, owner: owner)
  }

  private func manage(_ row: _ManagedRow, _ slot: Int) {
    let store = row.store
    let entries = store.schema.table(ofList: slot, in: row.table)
    let query = CollectionQuery(
      schema: store.schema, elements: store.schema.table(of: Element.self),
      list: CollectionQuery.ListEntries(entries: entries, owner: row.key))
    storage = .managed(RankedCollection(store: store, query: query), owner: row)
  }

  /// Makes this the list of a row, and adds its elements to the row's entries.
  fileprivate func attach(_ row: _ManagedRow, _ slot: Int) {
    guard case .unmanaged(let elements) = storage else {
      preconditionFailure("A list cannot be the property of two objects.")
    }
    manage(row, slot)
    row.setList(self, slot)
    append(contentsOf: elements)
  }

  /// The elements of the list of an object in a store; `nil` for other lists.
  var ranked: RankedCollection? {
    if case .managed(let ranked, _) = storage { ranked } else { nil }
  }

  /// Whether the object whose property the list is has been deleted, or the store closed.
  public var isInvalidated: Bool {
    if case .managed(_, let owner) = storage { owner.isInvalidated } else { false }
  }

  /// The number of elements.
  public var endIndex: Int { count }

  /// - Complexity: O(1) once the order has been read; before that SQLite counts.
  public var count: Int {
    switch storage {
    case .unmanaged(let elements): elements.count
    case .managed(let ranked, _): ranked.count
    }
  }

  /// The element at an index; assigning another object replaces it, and deletes it if the list embeds it.
  ///
  /// - Complexity: O(log n) once the order has been read.
  public subscript(index: Int) -> Element {
    get {
      switch storage {
      case .unmanaged(let elements): elements[index]
      case .managed(let ranked, _):
        ranked.store.object(Element.self, listed: ranked.key(at: index))
      }
    }
    set {
      switch storage {
      case .unmanaged: change { $0[index] = newValue }
      case .managed(let ranked, _):
        let entry = entry(at: index, in: ranked)
        ranked.store.execute(
          "UPDATE \(table(ranked)) SET target = ? WHERE entry = ?",
          [newValue._optionalColumn(addingTo: ranked.store), entry], on: row(ofEntry: entry, ranked))
      }
    }
  }

  /// The first element, found without reading the others; `nil` if there is none.
  public var first: Element? {
    switch storage {
    case .unmanaged(let elements): elements.first
    case .managed(let ranked, _):
      ranked.firstKey.map { ranked.store.object(Element.self, listed: $0) }
    }
  }

  /// The last element, found without reading the others; `nil` if there is none.
  public var last: Element? {
    switch storage {
    case .unmanaged(let elements): elements.last
    case .managed(let ranked, _):
      ranked.lastKey.map { ranked.store.object(Element.self, listed: $0) }
    }
  }

  /// Whether there are no elements, found without counting them.
  public var isEmpty: Bool {
    switch storage {
    case .unmanaged(let elements): elements.isEmpty
    case .managed(let ranked, _): ranked.firstKey == nil
    }
  }

  /// The first index of an object, or `nil`.
  public func index(of object: Element) -> Int? {
    switch storage {
    case .unmanaged(let elements): elements.firstIndex { $0.isSameObject(as: object) }
    case .managed(let ranked, _): ranked.index(of: object)
    }
  }

  /// Changes the elements of the list of an object that belongs to no store.
  func change(_ body: (inout [Element]) throws -> Void) rethrows {
    guard case .unmanaged(var elements) = storage else { return }
    try body(&elements)
    storage = .unmanaged(elements)
  }

  /// Adds an element at the end.
  ///
  /// - Complexity: O(log n).
  public func append(_ element: Element) {
    append(contentsOf: CollectionOfOne(element))
  }

  /// Adds elements at the end.
  public func append(contentsOf elements: some Sequence<Element>) {
    switch storage {
    case .unmanaged(let present): storage = .unmanaged(present + elements)
    case .managed(let ranked, let owner):
      let elements = Array(elements)
      guard !elements.isEmpty else { return }
      append(keys: keys(of: elements, ranked), ranked, owner)
    }
  }

  /// Inserts an element before the one at an index, or at the end.
  ///
  /// - Complexity: O(log n) once the order has been read.
  public func insert(_ element: Element, at index: Int) {
    switch storage {
    case .unmanaged: change { $0.insert(element, at: index) }
    case .managed(let ranked, let owner):
      insert(key: keys(of: [element], ranked)[0], at: index, ranked, owner)
    }
  }

  /// Adds elements at the end of the list of an object in a store, by their primary keys.
  func append(keys: [SQLiteValue], _ ranked: RankedCollection, _ owner: _ManagedRow) {
    insert(keys, ranked.store.positions(keys.count, between: lastPosition(ranked), and: nil), ranked, owner)
  }

  /// Inserts an element into the list of an object in a store, by its primary key.
  func insert(key: SQLiteValue, at index: Int, _ ranked: RankedCollection, _ owner: _ManagedRow) {
    guard let tree = ranked.readableTree else { return }
    guard index >= 0, index <= tree.count else {
      if ranked.store.failsByTriggers() { return }
      preconditionFailure("The list has no place \(index), it has \(tree.count) elements.")
    }
    arrange([.new(key)], at: index..<index, of: tree, ranked, owner)
  }

  /// The primary keys of objects, which are added to the list's store if they belong to none.
  func keys(of elements: some Sequence<Element>, _ ranked: RankedCollection) -> [SQLiteValue] {
    ranked.store.requireWrite()
    return elements.map { $0._optionalColumn(addingTo: ranked.store) }
  }

  /// Removes the element at an index from the list, and returns it; the object itself is not deleted, unless
  /// the list embeds it: what is returned is then invalidated.
  @discardableResult
  public func remove(at index: Int) -> Element {
    let element = self[index]
    switch storage {
    case .unmanaged: change { _ = $0.remove(at: index) }
    case .managed(let ranked, _):
      remove([entry(at: index, in: ranked)], ranked)
    }
    return element
  }

  /// Removes all elements from the list; the objects themselves are not deleted, unless the list embeds them.
  public func removeAll() {
    switch storage {
    case .unmanaged: storage = .unmanaged([])
    case .managed(let ranked, let owner):
      ranked.store.execute("DELETE FROM \(table(ranked)) WHERE owner = ?", [owner.key])
      if let list = ranked.query.list {
        ranked.store.requireNone(of: list.entries, where: "owner = ?", [owner.key])
      }
    }
  }

  /// Moves an element to an index of the resulting list.
  ///
  /// - Complexity: O(log n) once the order has been read; one row is written.
  public func move(from: Int, to: Int) {
    guard let count = readableCount else { return }
    guard Swift.min(from, to) >= 0, Swift.max(from, to) < count else {
      if store?.failsByTriggers() == true { return }
      preconditionFailure("A list of \(count) cannot move \(from) to \(to).")
    }
    guard from != to else { return }
    switch storage {
    case .unmanaged: change { $0.insert($0.remove(at: from), at: to) }
    case .managed(let ranked, let owner): move(from: from, to: to, ranked, owner)
    }
  }

  private func move(from: Int, to: Int, _ ranked: RankedCollection, _ owner: _ManagedRow) {
    ranked.store.requireWrite()
    guard let tree = ranked.readableTree else { return }
    // The element itself counts until it is moved, so that for a later index the neighbours are one further
    // on.
    let place = from < to ? to + 1 : to
    let lower = position(at: place - 1, of: tree, ranked)
    let upper = position(at: place, of: tree, ranked)
    if let position = ranked.store.room(for: 1, between: lower, and: upper)?.first {
      setPosition(position, ofEntry: entry(at: from, in: ranked), ranked)
    } else {
      var order = Array(Swift.min(from, to)...Swift.max(from, to))
      let part = order[0]..<order[0] + order.count
      order.insert(order.remove(at: from - part.lowerBound), at: to - part.lowerBound)
      arrange(order.map { .present($0) }, at: part, of: tree, ranked, owner)
    }
  }

  /// Exchanges two elements.
  public func swapAt(_ i: Int, _ j: Int) {
    guard i != j else { return }
    let (low, high) = (Swift.min(i, j), Swift.max(i, j))
    move(from: high, to: low)
    if high - low > 1 { move(from: low + 1, to: high) }
  }

  func table(_ ranked: RankedCollection) -> String {
    ranked.query.list.map { quoted($0.entries.name) } ?? ""
  }

  func row(ofEntry entry: SQLiteValue, _ ranked: RankedCollection) -> RowIdentity? {
    ranked.query.list.map { RowIdentity(table: $0.entries.index, key: entry) }
  }

  func setPosition(_ position: String, ofEntry entry: SQLiteValue, _ ranked: RankedCollection) {
    ranked.store.execute(
      "UPDATE \(table(ranked)) SET position = ? WHERE entry = ?", [.text(position), entry],
      on: row(ofEntry: entry, ranked))
  }

  /// The number of elements, or `nil` if it cannot be read.
  private var readableCount: Int? {
    switch storage {
    case .unmanaged(let elements): elements.count
    case .managed(let ranked, _): ranked.readableTree?.count
    }
  }

  private func entry(at index: Int, in ranked: RankedCollection) -> SQLiteValue {
    guard let tree = ranked.readableTree else { return .null }
    guard index >= 0, index < tree.count else {
      if ranked.store.failsByTriggers() { return .null }
      preconditionFailure("The list has no element \(index), it has \(tree.count).")
    }
    return tree.withEntry(at: index) { ranked.query.entry(of: $0).entry }
  }

  func lastPosition(_ ranked: RankedCollection) -> String? { position("max", ranked) }

  func firstPosition(_ ranked: RankedCollection) -> String? { position("min", ranked) }

  private func position(_ outermost: String, _ ranked: RankedCollection) -> String? {
    guard let list = ranked.query.list else { return nil }
    let store = ranked.store
    return store.reading(else: nil) { () throws(StoreError) in
      let select = try store.reader.statements.prepare(
        "SELECT \(outermost)(position) FROM \(quoted(list.entries.name)) WHERE owner = ?")
      guard case .text(let position)? = try select.first([list.owner], read: { $0.value(0) }) else {
        return nil
      }
      return position
    }
  }

  func insert(
    _ targets: [SQLiteValue], _ positions: [String], _ ranked: RankedCollection, _ owner: _ManagedRow
  ) {
    let store = ranked.store
    store.requireWrite()
    guard let entries = ranked.query.list?.entries else { return }
    // Checked here, where the object is known, instead of by the foreign keys at the end.
    if !targets.isEmpty, owner.isDeleted { return store.failWrite(store.deletedError(owner)) }
    for (target, position) in zip(targets, positions) {
      _ = store.insertRow(
        [.integer(store.nextEntry(in: entries)), owner.key, .text(position), target], into: entries)
    }
  }

  /// An iterator over the elements that the list has now; see ``CollectionIterator``.
  public func makeIterator() -> CollectionIterator<Element> {
    switch storage {
    case .unmanaged(let elements): CollectionIterator(elements)
    case .managed(let ranked, _): CollectionIterator(ranked)
    }
  }

  func requireManaged(_ what: String) -> (ranked: RankedCollection, owner: _ManagedRow) {
    guard case .managed(let ranked, let owner) = storage else {
      fatalError("Only the list of an object that was added to a store can be \(what); add the object first.")
    }
    return (ranked, owner)
  }
}

extension List: AnyList {
  var elementCount: Int { count }

  func release(elements: [Object]) {
    storage = .unmanaged(elements.map { unsafeDowncast($0, to: Element.self) })
  }
}

extension List: Persistable {
  public static var _kind: PropertyKind { .list(Element.self) }
  public static var _default: List<Element> { List() }

  public static func _read(_ row: _ManagedRow, _ property: Int) -> List<Element> {
    row.list(property, of: Element.self)
  }

  public static func _write(_ value: List<Element>, _ row: _ManagedRow, _ property: Int) {
    let present = row.list(property, of: Element.self)
    guard present !== value else { return }
    let store = row.store
    if value.isInvalidated {
      store.requireWrite()
      return store.failWrite(
        StoreError(
          .invalidValue,
          "The list of an object that has been deleted was assigned; assign an array of its elements, read "
            + "before that."))
    }
    present.assign(value.map { $0._optionalColumn(addingTo: store) })
  }

  public static func _column(_ value: List<Element>, addingTo store: any _AddingStore) -> SQLiteValue {
    .null
  }

  /// A copy: a list is the property of one object.
  public static func _own(_ value: List<Element>) -> List<Element> {
    let copy = List()
    copy.append(contentsOf: value)
    return copy
  }

  public static func _targets(_ value: List<Element>) -> [Object] {
    if case .unmanaged(let elements) = value.storage { elements } else { [] }
  }

  static func setKeys(_ keys: [SQLiteValue], _ row: _ManagedRow, _ property: Int) {
    row.list(property, of: Element.self).assign(keys)
  }

  public static func _attach(_ value: List<Element>, _ row: _ManagedRow, _ property: Int) {
    value.attach(row, property)
  }
}
