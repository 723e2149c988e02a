extension List {
  /// Calls `block` first with ``CollectionChange/initial(_:)`` and then after every change, where the store is used, as
  /// long as the token lives.
  ///
  /// An element counts as modified when another object was put in its place, or when a property of its own, or of an
  /// object that it leads to over at most three links and lists, has another value.
  public func observe(_ block: @escaping (CollectionChange<List<Element>>) -> Void) -> NotificationToken {
    observe(keyPaths: nil as [String]?, block)
  }

  /// Calls `block` first with ``CollectionChange/initial(_:)`` and then after every change that its key paths name.
  ///
  /// Insertions, deletions and moves are told whatever the key paths are; so is another object in the place of an
  /// element, as a modification, or with an empty array of key paths as a deletion and an insertion.
  ///
  /// - Parameter keyPaths: As for ``Results/observe(keyPaths:_:)-(([String]?,_))``.
  /// - Returns: A token; the callback is called as long as it lives.
  public func observe(
    keyPaths: [String]?, _ block: @escaping (CollectionChange<List<Element>>) -> Void
  ) -> NotificationToken {
    let ranked = requireManaged("observed")
    return ranked.observe(ranked.filter(keyPaths)) { event in
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
  /// - Parameter keyPaths: Key paths from an element, through links where wanted: `\.bestDog?.name`.
  /// - Returns: A token; the callback is called as long as it lives.
  @_disfavoredOverload
  public func observe(
    keyPaths: [PartialKeyPath<Element>], _ block: @escaping (CollectionChange<List<Element>>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: requireManaged("observed").query.elements.names(of: keyPaths), block)
  }
}
