/// What the callback of a collection is told.
public enum CollectionChange<Collection> {
  /// The first call: the collection is ready to be shown as it is.
  case initial(Collection)
  /// The collection has changed as the change set says, and shows the new version.
  case update(Collection, ChangeSet)
  /// The store can no longer be read; no call follows.
  case error(StoreError)
}
