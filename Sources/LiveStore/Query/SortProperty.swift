/// A property to sort by, and the direction.
///
/// ```swift
/// people.sorted(by: [SortProperty(\.employer?.name), SortProperty(\.age, ascending: false)])
/// ```
///
/// The module LiveStoreFoundation makes one of a `SortDescriptor` of Foundation, which brings the orders of
/// languages with it. The file has none of those: texts are compared by their bytes.
public struct SortProperty<Element: Object> {
  /// The key path to a persisted property of the element, or of an object that it links to.
  public let keyPath: PartialKeyPath<Element>

  /// Whether the smallest value comes first; a missing value is smaller than any other.
  public let isAscending: Bool

  /// Sorts by a persisted property of the element, or of an object that it links to.
  public init(_ keyPath: KeyPath<Element, some Persistable>, ascending: Bool = true) {
    self.init(keyPath: keyPath, isAscending: ascending)
  }

  /// Sorts by a key path that may lead to no persisted property, which sorting then says.
  package init(keyPath: PartialKeyPath<Element>, isAscending: Bool) {
    self.keyPath = keyPath
    self.isAscending = isAscending
  }
}
