/// The properties of every ``Object`` whose names a class may give to properties of its own.
///
/// They are members of a protocol: a property of the same name in a class hides them there, where one of the
/// superclass could not be declared anew. `print` and interpolation use ``description`` in any case.
public protocol ObjectMembers: AnyObject {}

extension Object: ObjectMembers {}

extension ObjectMembers where Self: Object {
  /// Whether the object's row has been deleted, or its store closed. Its properties must not be read any
  /// more.
  public var isInvalidated: Bool { _row?.isInvalidated ?? false }

  /// Class and values of the persisted properties, on one line: a link as class and primary key, a list as
  /// its count.
  ///
  /// For people to read; the format may change.
  public var description: String {
    let name = String(describing: type(of: self))
    guard let schema = try? ObjectSchema.of(type(of: self)) else { return name }
    if _row?.isInvalidated ?? false { return "\(name)(deleted)" }
    let parts = schema.properties.map { property in
      "\(property.name): \(property.storage.description(at: property.address(in: self), of: _row))"
    }
    return "\(name)(\(parts.joined(separator: ", ")))"
  }
}

extension Object: CustomStringConvertible {}
