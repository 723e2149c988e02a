/// A type that shows a version of a file and can be frozen at it.
public protocol Freezable: AnyObject {
  /// Whether the value is frozen, and may be used on any thread.
  var isFrozen: Bool { get }

  /// Returns a copy that stays at the version shown and may be read on any thread, by several at the same
  /// time. A frozen value returns itself.
  func freeze() -> Self

  /// Returns the live counterpart in the store that was frozen, which may be used where that store is. A live
  /// value returns itself. `nil` when that store was released or closed, or the row has been deleted.
  func thaw() -> Self?
}

/// A container that carries a frozen copy to any thread, task or actor.
///
/// ```swift
/// let people = Frozen(store.objects(Person.self))
/// Task.detached { print(people.value.count) }
/// ```
public struct Frozen<Value: Freezable>: @unchecked Sendable {
  // Only frozen values get in: rows that never change after their creation, and a state that is used under a
  // lock (FrozenState).

  /// The frozen copy. Stored properties that a subclass of ``Object`` has in addition to its persisted ones
  /// are not protected.
  public let value: Value

  /// Freezes a value, unless it is frozen already.
  public init(_ value: Value) {
    self.value = value.freeze()
  }
}
