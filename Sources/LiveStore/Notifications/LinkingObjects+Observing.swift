extension LinkingObjects {
  /// Calls `block` first with ``CollectionChange/initial(_:)`` and then after every change, where the store
  /// is used, as long as the token lives.
  public func observe(
    _ block: @escaping (CollectionChange<LinkingObjects<Element>>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: nil as [String]?, block)
  }

  /// Calls `block` first with ``CollectionChange/initial(_:)`` and then after every change that its key paths
  /// name.
  ///
  /// - Parameter keyPaths: See ``Results/observe(keyPaths:_:)-([String]?,_)``.
  /// - Parameter block: Receives the change, where the store is used.
  /// - Returns: A token; the callback is called as long as it lives.
  public func observe(
    keyPaths: [String]?, _ block: @escaping (CollectionChange<LinkingObjects<Element>>) -> Void
  ) -> NotificationToken {
    requireManaged("observed").observe(keyPaths: keyPaths) { change in
      switch change {
      case .initial: block(.initial(self))
      case .update(_, let changes): block(.update(self, changes))
      case .error(let error): block(.error(error))
      }
    }
  }
}
