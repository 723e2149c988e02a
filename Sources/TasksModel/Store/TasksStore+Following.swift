import LiveStore

/// The rows of the file, its newest version and its failures.
extension TasksStore {
  /// All tasks of any lists, and their subtasks, in no order; live.
  public var allTasks: Results<TaskItem> { store.objects(TaskItem.self) }

  /// The row of a class with the id, or nil when there is none.
  public func row<Element: Row>(_ id: Identifier, of type: Element.Type) -> Element? {
    store.object(ofType: type, forPrimaryKey: id)
  }

  /// Delivers what is pending; see `Store.processNotifications`.
  public func processNotifications() { store.processNotifications() }

  /// Advances to the newest version and delivers what is pending; see `Store.refresh`.
  public func refresh() throws(StoreError) { try store.refresh() }

  /// Releases the snapshot, so that the write-ahead log can begin anew; see `Store.invalidate`.
  public func invalidate() { store.invalidate() }

  /// The reason of the last failed read; see `Store.failure`.
  public var failure: StoreError? { store.failure }

  /// The number of failed reads since the store was opened; see `Store.failedReads`.
  public var failedReads: Int { store.failedReads }

  /// Checks that the lists of a class are stored completely; see `Store.checkLists`.
  public func checkLists(of type: Object.Type, upTo limit: Int) throws(StoreError) {
    try store.checkLists(of: type, upTo: limit)
  }
}
