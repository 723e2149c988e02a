/// What the callback of a collection is told.
public enum CollectionChange<Collection> {
  /// The first call: the collection is ready to be shown as it is.
  case initial(Collection)
  /// The collection has changed as the change set says, and shows the new version; its order has been read
  /// already.
  case update(Collection, ChangeSet)
  /// The store can no longer be read: the file is damaged, or another program has removed what the classes
  /// need. No call follows. The collection may go on showing the last version, or stop the program where it
  /// cannot be read.
  case error(StoreError)
}
