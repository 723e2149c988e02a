import FoundationEssentials

/// An object as a value of a predicate: its class and its primary key. A predicate may be carried to any
/// thread, and an object may not.
///
/// ```swift
/// let ann = person.reference
/// let byAnn = try messages.filter(#Predicate { $0.sender?.reference == ann })
/// let toAnn = try messages.filter(#Predicate { $0.receivers.contains { $0.reference == ann } })
/// ```
public struct ObjectReference<Element: Object>: Hashable, Codable, Sendable {
  /// The primary key; `nil` for an object that belonged to no store.
  let key: SQLiteValue?
}

extension ObjectReference: CustomStringConvertible {
  /// The class and the primary key.
  public var description: String { "\(Element.self) \(key?.textReading ?? "in no store")" }
}

/// A reference to an object of any class.
protocol AnyObjectReference {
  static var type: Object.Type { get }
  var key: SQLiteValue? { get }
}

extension ObjectReference: AnyObjectReference {
  static var type: Object.Type { Element.self }
}

extension ObjectMembers where Self: Object {
  /// The object as a value that predicates compare, and that any thread may have.
  public var reference: ObjectReference<Self> { ObjectReference(key: _row?.key) }
}
