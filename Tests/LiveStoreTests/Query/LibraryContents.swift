import FoundationEssentials

@testable import LiveStore

/// The values that objects show, in Swift: the model that queries are compared with.
final class LibraryContents {
  private let store: Store
  private var known: [String: String] = [:]
  private var state: StoreState?

  init(_ store: Store) {
    self.store = store
  }

  /// All objects of a class by primary key, found without a query of the library's.
  func all<Element: Object>(_ type: Element.Type) -> [Element] {
    let table = store.schema.table(of: type)
    return store.rows("SELECT id FROM \(quoted(table.name)) ORDER BY id").compactMap {
      store.object(type, key: $0[0]).map { unsafeDowncast($0, to: type) }
    }
  }

  /// Each object by primary key with all that it leads to over three links.
  func deep<Element: Object>(_ type: Element.Type) -> [String: String] {
    if state != store.state {
      known = [:]
      state = store.state
    }
    return all(type).reduce(into: [:]) { $0[LibraryContents.key($1)] = describe($1, 3) }
  }

  static func key(_ object: Object) -> String { object._row?.key.textReading ?? "?" }

  /// The entries of a list: whether one stands in the place of another with the same object is told too.
  private func entries(_ table: String, _ owner: Object) -> String {
    store.rows(
      "SELECT entry FROM \(quoted(table)) WHERE owner = ? ORDER BY position, target, entry",
      owner._row?.key ?? .null
    ).map { $0[0].textReading ?? "" }.joined(separator: " ")
  }

  private func describe(_ object: Object?, _ depth: Int) -> String {
    guard let object else { return "-" }
    let id = "\(type(of: object)) \(LibraryContents.key(object)) \(depth)"
    if let text = known[id] { return text }
    let links: [Object?]
    let lists: [(objects: [Object], entries: String)]
    let values: String
    switch object {
    case let author as LibraryAuthor:
      values = "\(author.name) \(author.alias ?? "nil") \(author.born)"
      (links, lists) = (
        [author.publisher, author.mentor], [(Array(author.books), entries("LibraryAuthor_books", author))]
      )
    case let book as LibraryBook:
      values = "\(book.title) \(book.pages) \(book.price ?? -1) \(book.genre)"
      (links, lists) = ([book.publisher], [])
    case let publisher as LibraryPublisher:
      values = "\(publisher.name) \(publisher.isOpen)"
      (links, lists) = ([], [(Array(publisher.catalogue), entries("LibraryPublisher_catalogue", publisher))])
    default: return "?"
    }
    func show(_ object: Object?) -> String {
      let key = object.map(LibraryContents.key) ?? "-"
      return depth == 0 ? key : key + "{" + describe(object, depth - 1) + "}"
    }
    let text =
      ([values] + links.map(show)
      + lists.map { $0.objects.map(show).joined(separator: ",") + " " + $0.entries }).joined(separator: "|")
    known[id] = text
    return text
  }
}

/// A query of the library's, and the same in Swift.
struct LibraryQuery<Element: Object> {
  struct Order {
    let name: String
    let descriptor: SortProperty<Element>
    let compare: (Element, Element) -> Int
    let value: (Element) -> AnyHashable

    init<Value: Comparable & Hashable & Persistable>(
      _ name: String, _ keyPath: KeyPath<Element, Value>, ascending: Bool = true
    ) {
      self.init(name, SortProperty(keyPath, ascending: ascending), { $0[keyPath: keyPath] })
    }

    init<Value: Comparable & Hashable & OptionalPersistable>(
      _ name: String, _ keyPath: KeyPath<Element, Value?>, ascending: Bool = true
    ) {
      self.init(name, SortProperty(keyPath, ascending: ascending), { $0[keyPath: keyPath] })
    }

    private init<Value: Comparable & Hashable>(
      _ name: String, _ descriptor: SortProperty<Element>, _ value: @escaping (Element) -> Value?
    ) {
      self.name = name + (descriptor.isAscending ? "" : " descending")
      self.descriptor = descriptor
      self.value = { AnyHashable(value($0)) }
      compare = { left, right in
        let order: Int
        switch (value(left), value(right)) {
        case (nil, nil): order = 0
        case (nil, _): order = -1
        case (_, nil): order = 1
        case (let left?, let right?): order = left < right ? -1 : left == right ? 0 : 1
        }
        return descriptor.isAscending ? order : -order
      }
    }
  }

  var name = ""
  var predicate: Predicate<Element>?
  var orders: [Order] = []
  var distinct: [Order] = []
  var limit: Int?
  var start = 0

  /// The library's collection.
  func results(_ store: Store) throws -> Results<Element> {
    var results = store.objects(Element.self)
    if let predicate { results = try results.filter(predicate) }
    if !orders.isEmpty { results = results.sorted(by: orders.map(\.descriptor)) }
    if !distinct.isEmpty { results = results.distinct(by: distinct.map(\.descriptor.keyPath)) }
    if let limit { results = results.limit(limit, from: start) }
    return results
  }

  /// The primary keys of what it has to be.
  func expected(_ contents: LibraryContents) -> [String] {
    var objects = contents.all(Element.self)
    if let predicate { objects = objects.filter { (try? predicate.evaluate($0)) == true } }
    let places = Dictionary(uniqueKeysWithValues: objects.enumerated().map { (ObjectIdentifier($1), $0) })
    objects.sort { left, right in
      for order in orders {
        let result = order.compare(left, right)
        if result != 0 { return result < 0 }
      }
      return places[ObjectIdentifier(left)]! < places[ObjectIdentifier(right)]!
    }
    if !distinct.isEmpty {
      var seen: Set<[AnyHashable]> = []
      objects = objects.filter { object in seen.insert(distinct.map { $0.value(object) }).inserted }
    }
    return objects.dropFirst(start).prefix(limit ?? .max).map(LibraryContents.key)
  }
}
