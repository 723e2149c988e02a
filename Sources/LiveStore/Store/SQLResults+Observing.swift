extension SQLResults {
  /// Calls `block` first with ``CollectionChange/initial(_:)`` and then after every change, where the store
  /// is used, as long as the token lives.
  ///
  /// - Complexity: The statement is run on a thread of the library for each commit, or several of them, that
  ///   has changed something in a column that it reads; the rows are compared in O(n log n) for the n rows
  ///   between the first and the last that differ.
  public func observe(_ block: @escaping (CollectionChange<SQLResults>) -> Void) -> NotificationToken {
    NotificationToken(subscribe(nil, change, block).state, observing: "rows of SQL")
  }

  /// Calls `block` on another scheduler, with the rows of a store that is opened there on the same file.
  ///
  /// An error in opening the store is reported as ``CollectionChange/error(_:)``.
  ///
  /// - Returns: A token, which keeps that store open; the callback is called as long as it lives.
  public func observe(
    on scheduler: Scheduler, _ block: @escaping @Sendable (CollectionChange<SQLResults>) -> Void
  ) -> NotificationToken {
    let query = query
    return NotificationToken(on: scheduler, asIn: store) { store, state in
      let results = SQLResults(store: store, query: query)
      _ = results.subscribe(state, results.change, block)
    } onFailure: {
      block(.error($0))
    }
  }

  /// The present rows, and then every change of them, as ``observe(_:)`` reports them.
  public var changes: ChangeStream<CollectionChange<SQLResults>> { stream(change) }
}
