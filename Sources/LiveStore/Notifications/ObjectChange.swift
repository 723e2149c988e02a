/// An event of an observed object.
public enum ObjectChange<ObservedType: Object> {
  /// Properties of the object have other values than at the last call, and the object shows the new ones.
  case change(ObservedType, [PropertyChange])
  /// The object has been deleted; no call follows, even if another object gets its primary key.
  case deleted
  /// The store can no longer be read; no call follows.
  case error(StoreError)
}

/// A property of an observed object that has another value, or leads to something that changed.
///
/// ``keyChanges`` tells which keys of a dictionary differ.
public struct PropertyChange {
  /// The name of the property of the observed object itself, however far the observed key path leads from
  /// there.
  public let name: String

  /// The value at the last call; `nil` for a list, and if there was none.
  ///
  /// For a link it is the object that was linked, in its present state; `nil` if that object has been deleted
  /// since.
  public let oldValue: Any?

  /// The value at the version that is delivered; `nil` for a list, and if there is none.
  public let newValue: Any?
}
