import FoundationEssentials

/// An object to be encoded: by the names of its persisted properties, with a link as the object that it leads
/// to and a list as an array of objects.
///
/// ```swift
/// let one = try JSONEncoder().encode(person.encodable)
/// let all = try JSONEncoder().encode(store.objects(Person.self))
/// ```
///
/// Where links and lists lead back to an object that is being encoded, only its primary key stands there.
/// Values that are nil are left out, and so are linking objects. A class that is `Decodable` decodes the
/// same, unless links lead back.
///
/// Objects themselves are not `Encodable`: Swift could then make no `Decodable` of their classes.
public struct EncodableObject: Encodable {
  private let object: Object

  init(_ object: Object) {
    self.object = object
  }

  /// Encodes the persisted properties.
  ///
  /// - Throws: `EncodingError` if the object has been deleted, or a value has no encoding; ``StoreError`` if
  ///   the class cannot be stored.
  public func encode(to encoder: any Encoder) throws {
    let schema = try ObjectSchema.of(type(of: object))
    let row = object._row
    if let row, row.isInvalidated {
      throw EncodingError.invalidValue(
        object,
        EncodingError.Context(
          codingPath: encoder.codingPath, debugDescription: "The \(schema.name) has been deleted."))
    }
    var container = encoder.container(keyedBy: PropertyKey.self)
    let path = EncodedPath.objects
    let isWithinItself = path.contains(ObjectIdentifier(object))
    try EncodedPath.$objects.withValue(path + [ObjectIdentifier(object)]) {
      for property in schema.storedProperties where !isWithinItself || property.isPrimaryKey {
        try property.storage.encode(
          at: property.address(in: object), of: row, to: &container, PropertyKey(stringValue: property.name))
      }
    }
  }
}

extension ObjectMembers where Self: Object {
  /// The object in a form that can be encoded.
  public var encodable: EncodableObject { EncodableObject(self) }
}

/// The objects that the code above on the stack encodes.
private enum EncodedPath {
  @TaskLocal static var objects: [ObjectIdentifier] = []
}

/// The name of a persisted property as a key of encoded data.
struct PropertyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// A value of a property in the form in which it is encoded; `nil` if there is none.
func encodable(_ value: Any) throws -> (any Encodable)? {
  switch value {
  case let optional as any AnyOptional: return try optional.wrappedValue.flatMap(encodable)
  case let object as Object: return object.encodable
  case let value as any Encodable: return value
  case let value as any CustomPersistable: return try encodable(value.persistedValue)
  default:
    throw EncodingError.invalidValue(
      value, EncodingError.Context(codingPath: [], debugDescription: "\(type(of: value)) is not Encodable."))
  }
}
