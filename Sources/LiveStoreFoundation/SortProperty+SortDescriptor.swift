import Foundation
import LiveStore

extension SortProperty {
  /// The property and the direction of a descriptor of Foundation.
  ///
  /// - Throws: `QueryError` when the descriptor orders texts by a language, which Foundation for Linux cannot
  ///   yet: the file compares them by their bytes, as `SortDescriptor(\.name)` and the comparator `.lexical`
  ///   ask for.
  public init(_ descriptor: SortDescriptor<Element>) throws(QueryError) {
    guard let keyPath = descriptor.keyPath else {
      throw QueryError(
        expression: "SortDescriptor", advice: "name a persisted property of \(Element.self) to sort by")
    }
    guard descriptor.stringComparator.map({ $0 == .lexical }) ?? true else {
      throw QueryError(
        expression: "SortDescriptor(\(keyPath))",
        advice: "a file knows no order of a language; add comparator: .lexical, or sort in Swift")
    }
    self.init(keyPath: keyPath, isAscending: descriptor.order == .forward)
  }
}

extension LiveCollection {
  /// The elements ordered by descriptors of Foundation; see ``LiveStore/LiveCollection/sorted(by:)``.
  ///
  /// - Throws: `QueryError` when one orders texts by a language; see
  ///   ``LiveStore/SortProperty/init(_:)``.
  public func sorted(by descriptors: [SortDescriptor<Element>]) throws(QueryError) -> Results<Element> {
    sorted(by: try descriptors.sortProperties())
  }
}

extension Array {
  fileprivate func sortProperties<Sorted: Object>() throws(QueryError) -> [SortProperty<Sorted>]
  where Element == SortDescriptor<Sorted> {
    var properties: [SortProperty<Sorted>] = []
    for descriptor in self { properties.append(try SortProperty(descriptor)) }
    return properties
  }
}
