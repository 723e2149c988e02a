extension Results {
  /// Calls `block` first with ``CollectionChange/initial(_:)`` and then after every change, where the store is used, as
  /// long as the token lives.
  ///
  /// An element counts as modified when a property of its own, or of an object that it leads to over at most three links
  /// and lists, has another value.
  public func observe(_ block: @escaping (CollectionChange<Results<Element>>) -> Void) -> NotificationToken {
    observe(keyPaths: nil as [String]?, block)
  }

  /// Calls `block` first with ``CollectionChange/initial(_:)`` and then after every change that its key paths name.
  ///
  /// Insertions, deletions and moves are told whatever the key paths are: they concern modifications only, and only
  /// those of this callback.
  ///
  /// - Parameter keyPaths: Names with dots between them, through links and lists, as far as is wanted: `dogs.name`. An
  ///   element is modified when what the path leads through, or the property at its end, has another value. `*` stands
  ///   for every property of one class, and `Person.dogs` for the people whose `dogs` the object is among. `nil` means
  ///   any property, over at most three links; an empty array that no modification is wanted.
  /// - Returns: A token; the callback is called as long as it lives.
  public func observe(
    keyPaths: [String]?, _ block: @escaping (CollectionChange<Results<Element>>) -> Void
  ) -> NotificationToken {
    ranked.observe(ranked.filter(keyPaths)) { event in
      switch event {
      case .initial: block(.initial(self))
      case .update(let changes): block(.update(self, changes))
      case .error(let error): block(.error(error))
      case .members, .sections, .objectModified, .objectDeleted: break
      }
    }
  }

  /// Calls `block` first with ``CollectionChange/initial(_:)`` and then after every change that its key paths name.
  ///
  /// Insertions, deletions and moves are told whatever the key paths are.
  ///
  /// - Parameter keyPaths: Key paths from an element, through links where wanted: `\.bestDog?.name`.
  /// - Returns: A token; the callback is called as long as it lives.
  @_disfavoredOverload
  public func observe(
    keyPaths: [PartialKeyPath<Element>], _ block: @escaping (CollectionChange<Results<Element>>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: ranked.query.elements.names(of: keyPaths), block)
  }
}
