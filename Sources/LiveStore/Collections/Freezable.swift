/// Something that shows a version of a file and can be kept at it.
public protocol Freezable: AnyObject {
  /// Whether it stays at its version, and may be used on any thread.
  var isFrozen: Bool { get }

  /// A copy that stays at the version shown and may be read on any thread, by several at the same time;
  /// itself if it is frozen.
  func freeze() -> Self

  /// The live counterpart in the store that was frozen, to be used where that store is; itself if it is live.
  /// `nil` when that store is gone or closed, or the row it stands for has been deleted.
  func thaw() -> Self?
}

/// Carries a frozen copy to any thread, task or actor.
///
/// ```swift
/// let people = Frozen(store.objects(Person.self))
/// Task.detached { print(people.value.count) }
/// ```
public struct Frozen<Value: Freezable>: @unchecked Sendable {
  // Only what is frozen gets in: rows that never change once made, and a state that is used under a lock
  // (FrozenState).

  /// The frozen copy. Stored properties that a subclass of ``Object`` has beside its persisted ones are not
  /// protected.
  public let value: Value

  /// Freezes a value, or takes one that is frozen already.
  public init(_ value: Value) {
    self.value = value.freeze()
  }
}
