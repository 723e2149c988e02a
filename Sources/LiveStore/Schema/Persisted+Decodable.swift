/// A class whose properties are decodable may declare itself `Decodable`. Its objects can then be decoded by
/// a `JSONDecoder` and added to a store. Those of every class can be encoded; see ``EncodableObject``.
///
/// A key may be missing only for an optional property and for a list; ``Store/create(_:value:update:)``
/// allows any key to be missing.
extension Persisted: Decodable where Value: Decodable {
  /// Decodes the value of the property.
  public init(from decoder: any Decoder) throws {
    // By way of a container, so that the decoder's own ways with dates, data and URLs count.
    let value = try decoder.singleValueContainer().decode(Value.self)
    self.init(wrappedValue: value)
  }
}

extension KeyedDecodingContainer {
  /// Decodes an optional property, which is `nil` if the key is missing.
  public func decode<Value: Decodable & OptionalPersistable>(
    _ type: Persisted<Value?>.Type, forKey key: Key
  ) throws -> Persisted<Value?> {
    let value = try decodeIfPresent(Value.self, forKey: key)
    return Persisted(wrappedValue: value)
  }
}
