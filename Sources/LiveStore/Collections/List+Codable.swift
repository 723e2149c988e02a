extension LiveCollection {
  /// Encodes the elements as an array.
  public func encode(to encoder: any Encoder) throws {
    try map(\.encodable).encode(to: encoder)
  }
}

extension List: Encodable {}
extension Results: Encodable {}
extension LinkingObjects: Encodable {}

extension List: Decodable where Element: Decodable {
  /// Decodes the elements, as a list of an object that belongs to no store yet.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    append(contentsOf: try [Element](from: decoder))
  }
}

extension KeyedDecodingContainer {
  /// Decodes a list, which is empty if the key is missing.
  public func decode<Element: Object & Decodable>(
    _ type: Persisted<List<Element>>.Type, forKey key: Key
  ) throws -> Persisted<List<Element>> {
    let list = try decodeIfPresent(List<Element>.self, forKey: key) ?? List()
    return Persisted(wrappedValue: list)
  }
}
