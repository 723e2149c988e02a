/// A class whose properties are decodable may declare itself `Decodable`, and its objects be read by a
/// `JSONDecoder` and then added to a store.
///
/// A key may be missing for an optional property and for a list only; ``Store/create(_:value:update:)`` lets
/// any be missing.
extension Persisted: Decodable where Value: Decodable {
  /// Decodes the value of the property.
  public init(from decoder: any Decoder) throws {
    let value = try Value(from: decoder)
    self.init(wrappedValue: value)
  }
}

extension KeyedDecodingContainer {
  /// Decodes an optional property, which is `nil` where the key is missing.
  public func decode<Value: Decodable & OptionalPersistable>(
    _ type: Persisted<Value?>.Type, forKey key: Key
  ) throws -> Persisted<Value?> {
    let value = try decodeIfPresent(Value.self, forKey: key)
    return Persisted(wrappedValue: value)
  }
}
