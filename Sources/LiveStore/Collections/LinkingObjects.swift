import FoundationEssentials

/// The objects of a class whose property, a link or a list, leads to one object.
///
/// ```swift
/// @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
/// ```
///
/// It takes no space in the file: an index of the other class finds the objects. Each object occurs once,
/// even if it leads here several times. The order is that of the primary keys unless it is sorted otherwise.
/// For an object that belongs to no store the collection is empty.
///
/// The collection is live like ``Results``. Its objects do not count among those that an observed object or
/// element leads to: a change of one of them is reported only where a key path names the property.
public final class LinkingObjects<Element: Object>: RandomAccessCollection {
  /// The objects; `nil` for an object that belongs to no store.
  let results: Results<Element>?
  let originProperty: String?

  init(originProperty: String? = nil) {
    results = nil
    self.originProperty = originProperty
  }

  convenience init(row: _ManagedRow, backlink: Backlink) {
    let (store, schema) = (row.store, row.store.schema)
    let query = CollectionQuery(
      schema: schema, elements: schema.tables[backlink.origin],
      linking: CollectionQuery.Linking(backlink: backlink, target: row.key))
    self.init(Results(RankedCollection(store: store, query: query)))
  }

  init(_ results: Results<Element>) {
    self.results = results
    originProperty = nil
  }

  /// The number of objects.
  public var endIndex: Int { count }

  /// - Complexity: O(1) once the order has been read; before that SQLite counts.
  public var count: Int { results?.count ?? 0 }

  /// - Complexity: O(log n) once the order has been read.
  public subscript(index: Int) -> Element { requireManaged("asked for an element")[index] }

  /// The first object, found without reading the others.
  public var first: Element? { results?.first }

  /// The last object, found without reading the others.
  public var last: Element? { results?.last }

  /// Whether the store has been closed. The objects must then not be used any more.
  public var isInvalidated: Bool { results?.isInvalidated ?? false }

  /// The index of an object, or `nil` if it does not lead here.
  ///
  /// - Complexity: O(log n) once the order has been read.
  public func index(of object: Element) -> Int? { results?.index(of: object) }

  /// An iterator over the objects that lead here now; see ``CollectionIterator``.
  public func makeIterator() -> CollectionIterator<Element> {
    results?.makeIterator() ?? CollectionIterator([])
  }

  func requireManaged(_ what: String) -> Results<Element> {
    guard let results else {
      fatalError(
        "Only what leads to an object that was added to a store can be \(what); add the object first.")
    }
    return results
  }
}

extension LinkingObjects: Persistable {
  public static var _kind: PropertyKind { .linkingObjects(Element.self) }
  public static var _default: LinkingObjects<Element> { LinkingObjects() }

  public static func _read(_ row: _ManagedRow, _ property: Int) -> LinkingObjects<Element> {
    row.linkingObjects(property)
  }

  public static func _write(_ value: LinkingObjects<Element>, _ row: _ManagedRow, _ property: Int) {
    fatalError("What leads to an object cannot be assigned; change the links or lists of the other objects.")
  }

  public static func _column(_ value: LinkingObjects<Element>, addingTo store: any _AddingStore)
    -> SQLiteValue
  {
    .null
  }
}

extension Persisted {
  /// The objects that lead here: those of a class whose property, a link or a list, leads to the object.
  ///
  /// ```swift
  /// final class Dog: Object {
  ///   @Persisted(primaryKey: true) var id = UUID()
  ///   @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
  /// }
  /// ```
  ///
  /// - Parameter originProperty: The name of the property of the other class.
  public init<Origin: Object>(originProperty: String) where Value == LinkingObjects<Origin> {
    self.init(
      wrappedValue: LinkingObjects(originProperty: originProperty), primaryKey: false, indexed: false)
  }
}

extension LinkingObjects: AnyLinkingObjects {}
