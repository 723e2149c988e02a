/// What the callback of an object is told.
public enum ObjectChange<ObservedType: Object> {
  /// Properties of the object have other values than the callback last knew, and the object shows the new
  /// ones.
  case change(ObservedType, [PropertyChange])
  /// The object has been deleted; no call follows, even if another object gets its primary key.
  case deleted
  /// The store can no longer be read; no call follows.
  case error(StoreError)
}

/// A property of an observed object that has another value, or leads to something that changed.
public struct PropertyChange {
  /// The name of the property of the observed object itself, however far the key path that was watched leads
  /// from there.
  public let name: String

  /// The value that the callback last knew; `nil` for a list, and where there was none.
  ///
  /// Of a link it is the object that was linked, as it is now; `nil` when that object has been deleted since.
  public let oldValue: Any?

  /// The value at the version that is delivered; `nil` for a list, and where there is none.
  public let newValue: Any?
}
