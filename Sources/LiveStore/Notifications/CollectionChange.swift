/// An event of an observed collection.
public enum CollectionChange<Collection> {
  /// The first call: the collection can be shown in its present state.
  case initial(Collection)
  /// The collection has changed as the change set says, and shows the new version; its order has been read
  /// already.
  case update(Collection, ChangeSet)
  /// The store can no longer be read: the file is damaged, or another program has removed something that the
  /// classes need. No call follows. The collection may keep showing the last version, or stop the program
  /// where that cannot be read.
  case error(StoreError)

  /// The change that an event of a collection reports; `nil` for an event of something else.
  init?(_ event: Subscription.Event, of collection: Collection) {
    switch event {
    case .initial: self = .initial(collection)
    case .update(let changes): self = .update(collection, changes)
    case .error(let error): self = .error(error)
    case .members, .sections, .result, .objectModified, .objectDeleted: return nil
    }
  }
}
