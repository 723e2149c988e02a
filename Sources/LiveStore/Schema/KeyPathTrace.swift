/// The properties that a key path reads of an object that represents any object of its class.
///
/// Swift does not tell which properties a key path leads through. Following it in an object that records the
/// reads does.
final class KeyPathTrace {
  private struct Step {
    let row: _ManagedRow
    let property: Property
    /// The row that represents the objects that the property leads to.
    var next: _ManagedRow?
  }

  private var steps: [Step] = []

  /// Follows a key path from an object of a class.
  init(_ keyPath: AnyKeyPath, from schema: ObjectSchema) {
    let row = _ManagedRow(tracing: schema, self)
    let object = schema.makeObject(showing: row)
    func follow<Root>(_ root: Root.Type) {
      guard let object = object as? Root, let keyPath = keyPath as? PartialKeyPath<Root> else { return }
      _ = object[keyPath: keyPath]
    }
    _openExistential(Swift.type(of: keyPath).rootType, do: follow)
    isPath =
      zip(steps, steps.dropFirst()).allSatisfy { $0.next === $1.row } && steps.first?.row === row
      && keyPath.isMade(of: noted)
    // The rows do not retain the trace, but the trace retains them.
    properties = steps.map(\.property)
    steps = []
  }

  /// The properties read, in order.
  private(set) var properties: [Property] = []
  /// Whether each of them is one of the class that the one before it leads to, and the key path consists of
  /// them alone: a value that a computed property derives from a persisted one is another value.
  private(set) var isPath = false
  /// The key paths of the properties read, in order, each from its own class.
  private(set) var noted: [AnyKeyPath] = []

  func note(_ keyPath: AnyKeyPath) {
    noted.append(keyPath)
  }

  func note(_ property: Property, of row: _ManagedRow) {
    steps.append(Step(row: row, property: property))
  }

  /// An object that represents those that the last property leads to.
  func follow(to type: Object.Type) -> Object? {
    guard !steps.isEmpty, let schema = try? ObjectSchema.of(type) else { return nil }
    let row = _ManagedRow(tracing: schema, self)
    steps[steps.count - 1].next = row
    return schema.makeObject(showing: row)
  }
}

extension ObjectSchema {
  /// The property that a key path leads to; `nil` if it leads to none, or through more than one.
  func property(for keyPath: AnyKeyPath) -> Property? {
    let trace = KeyPathTrace(keyPath, from: self)
    return trace.isPath && trace.properties.count == 1 ? trace.properties.first : nil
  }

  /// The column that a key path leads to; `nil` if it leads to none, or through more than one.
  func column(for keyPath: AnyKeyPath) -> Int? {
    guard let property = property(for: keyPath), property.hasColumn else { return nil }
    return property.slot
  }

  /// The key path of the only column that a computed property reads; `nil` if it reads several, or none.
  func source(ofComputed keyPath: AnyKeyPath) -> AnyKeyPath? {
    let trace = KeyPathTrace(keyPath, from: self)
    guard trace.properties.count == 1, trace.properties[0].hasColumn else { return nil }
    return trace.noted.first
  }
}

extension Table {
  /// The names of the properties that key paths lead through, separated by dots.
  ///
  /// A key path that leads elsewhere is a programmer's error, which stops the program.
  func names(of keyPaths: [AnyKeyPath]) -> [String] {
    guard case .objects(let schema) = role else { return [] }
    return keyPaths.map { keyPath in
      let trace = KeyPathTrace(keyPath, from: schema)
      guard trace.isPath else {
        fatalError(
          "The key path \(keyPath) of \(name) cannot be observed: it is not made of persisted properties "
            + "alone; \(name) has \(schema.properties.map(\.name).joined(separator: ", ")).")
      }
      return trace.properties.map(\.name).joined(separator: ".")
    }
  }
}
