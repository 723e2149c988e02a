/// A property to sort by, and the direction.
///
/// ```swift
/// people.sorted(by: [SortDescriptor(\.employer?.name), SortDescriptor(\.age, ascending: false)])
/// ```
public struct SortDescriptor<Element: Object> {
  /// The key path to a persisted property of the element, or of an object that it links to.
  public let keyPath: PartialKeyPath<Element>

  /// Whether the smallest value comes first; a missing value is smaller than any other.
  public let isAscending: Bool

  /// Sorts by a persisted property of the element, or of an object that it links to.
  public init(_ keyPath: KeyPath<Element, some Persistable>, ascending: Bool = true) {
    self.keyPath = keyPath
    isAscending = ascending
  }
}
