@_spi(Reflection) import Swift
import Synchronization

/// A persisted property of a class, as found by reflection.
struct Property: Sendable {
  let name: String
  let kind: PropertyKind
  let isPrimaryKey: Bool
  let isIndexed: Bool
  /// The number of the property's column in the object's table; for a list, its number among the class's
  /// lists; for linking objects, among the class's properties of that kind.
  let slot: Int
  /// The bytes from the start of an instance to the property's ``Persisted`` storage.
  let offset: Int
  let storage: any AnyPersisted.Type
  /// The default of a new object as a column value, if it is the same for every object; otherwise NULL.
  let defaultValue: SQLiteValue
  /// The default of the first object that was created of the class, as a column value.
  let firstDefault: SQLiteValue
  /// For linking objects, their property that leads here.
  let originProperty: String?

  /// Whether the object's own table stores it.
  var hasColumn: Bool {
    switch kind {
    case .value, .link: true
    case .list, .linkingObjects: false
    }
  }

  var isList: Bool {
    if case .list = kind { true } else { false }
  }

  func address(in object: Object) -> UnsafeMutableRawPointer {
    Unmanaged.passUnretained(object).toOpaque().advanced(by: offset)
  }

  /// The column value of an object that is about to be added.
  func column(of object: Object, addingTo store: any _AddingStore) -> SQLiteValue {
    storage.column(at: address(in: object), addingTo: store)
  }
}

/// The persisted properties of a class.
///
/// Swift cannot reach the stored properties of a class without a key path for each. The standard library's
/// reflection provides their names, types and offsets, which are valid for every instance of the class.
final class ObjectSchema: Sendable {
  let type: Object.Type
  let name: String
  let properties: [Property]
  /// The properties that have a column, in the order of the columns.
  let columns: [Property]
  let lists: [Property]
  let linkingObjects: [Property]
  /// The column of the primary key.
  let primaryKey: Int
  var key: Property { columns[primaryKey] }
  /// The properties, columns and lists, that lead to other objects.
  let leading: [Property]
  var leadsToObjects: Bool { !leading.isEmpty }
  var decimals: Set<Int> { Set(columns.filter { $0.storage.isDecimal }.map(\.slot)) }

  private static let known = Mutex<[ObjectIdentifier: ObjectSchema]>([:])

  /// The schema of a class, determined once per process.
  static func of(_ type: Object.Type) throws(StoreError) -> ObjectSchema {
    if let schema = known.withLock({ $0[ObjectIdentifier(type)] }) { return schema }
    let schema = try ObjectSchema(type)
    known.withLock { $0[ObjectIdentifier(type)] = schema }
    return schema
  }

  private init(_ type: Object.Type) throws(StoreError) {
    // The text of `String(describing:)`, which looks for several protocols first.
    let name = _typeName(type, qualified: false)
    try Self.requireNoModelAbove(type)
    let prototype = type.init()
    let second = type.init()
    var properties: [Property] = []
    var columnCount = 0
    var listCount = 0
    var linkingCount = 0
    // 1 stands for "the type is a class". Its named constant is a variable, which language mode 6 does not
    // allow to be read.
    _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { label, offset, fieldType, _ in
      guard let storage = fieldType as? any AnyPersisted.Type else { return true }
      let address = Unmanaged.passUnretained(prototype).toOpaque().advanced(by: offset)
      let secondAddress = Unmanaged.passUnretained(second).toOpaque().advanced(by: offset)
      let defaultValue = storage.defaultColumn(at: address)
      let slot: Int
      switch storage.kind {
      case .value, .link:
        slot = columnCount
        columnCount += 1
      case .list:
        slot = listCount
        listCount += 1
      case .linkingObjects:
        slot = linkingCount
        linkingCount += 1
      }
      properties.append(
        Property(
          // The wrapper's storage has the name of the property with an underscore before it.
          name: String(String(cString: label).dropFirst()), kind: storage.kind,
          isPrimaryKey: storage.isPrimaryKey(at: address), isIndexed: storage.isIndexed(at: address),
          slot: slot, offset: offset, storage: storage,
          defaultValue: storage.isConstant(defaultValue, storage.defaultColumn(at: secondAddress))
            ? defaultValue : .null,
          firstDefault: defaultValue,
          originProperty: storage.originProperty(at: address)))
      return true
    }
    lists = properties.filter(\.isList)
    linkingObjects = properties.filter { if case .linkingObjects = $0.kind { true } else { false } }
    columns = properties.filter { $0.hasColumn }
    guard let primaryKey = columns.firstIndex(where: \.isPrimaryKey),
      columns.lastIndex(where: \.isPrimaryKey) == primaryKey
    else {
      throw StoreError(
        .schema,
        "\(name) needs exactly one property declared as @Persisted(primaryKey: true), "
          + "of type Int, String or UUID."
      )
    }
    leading = properties.filter {
      switch $0.kind {
      case .link, .list: true
      case .value, .linkingObjects: false
      }
    }
    self.type = type
    self.name = name
    self.properties = properties
    self.primaryKey = primaryKey
  }

  /// Throws if a class inherits persisted properties. An object that is assigned to a link to the superclass
  /// would be looked up in the table of that, where another one may have its primary key.
  private static func requireNoModelAbove(_ type: Object.Type) throws(StoreError) {
    guard let above = _getSuperclass(type) as? Object.Type, above != Object.self else { return }
    var inherits = false
    _forEachField(of: above, options: _EachFieldOptions(rawValue: 1)) { _, _, fieldType, _ in
      inherits = fieldType is any AnyPersisted.Type
      return !inherits
    }
    if inherits {
      throw StoreError(
        .schema,
        "\(type) inherits the persisted properties of \(above), but a table holds the objects of one class: "
          + "declare \(type) as a subclass of Object with properties of its own, "
          + "and link it to a \(above) where they belong together."
      )
    }
  }

  var storedProperties: [Property] {
    properties.filter { if case .linkingObjects = $0.kind { false } else { true } }
  }

  func makeObject(showing row: _ManagedRow) -> Object {
    let object = type.init()
    adopt(object, row)
    return object
  }

  /// Makes an object show an existing row; its own values are released.
  func adopt(_ object: Object, _ row: _ManagedRow) {
    object._row = row
    for property in properties {
      property.storage.adopt(at: property.address(in: object), property.slot)
    }
  }

  /// Makes an object that was just inserted show its row, except its lists.
  func manage(_ object: Object, _ row: _ManagedRow) {
    object._row = row
    for property in properties where !property.isList {
      property.storage.manage(at: property.address(in: object), row, property.slot)
    }
    object.notifyUnmanagedReads()
  }

  /// The targets of an object that belongs to no store, in the order of its properties.
  func targets(of object: Object) -> [Object] {
    leading.flatMap { $0.storage.targets(at: $0.address(in: object)) }
  }

  /// The column values of an object that is about to be added.
  func columns(of object: Object, addingTo store: any _AddingStore) -> [SQLiteValue] {
    columns.map { $0.column(of: object, addingTo: store) }
  }

  /// The column values of a new object, which leads to no others.
  func newColumns() -> [SQLiteValue] {
    let fresh = type.init()
    return columns.map { $0.storage.defaultColumn(at: $0.address(in: fresh)) }
  }
}
